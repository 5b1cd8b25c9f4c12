import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuctorError } from '@ductor/core';
import type { Knex } from 'knex';
import pg from 'pg';
import type { BaseLogger } from 'pino';

/** Where a set of migrations lies, and the table that remembers which were applied; the core and each plugin have one. */
export interface MigrationSet {
  readonly folder: string;
  /** `eec_migration_core`, `eec_migration_<plugin>`. */
  readonly historyTable: string;
}

/** Whether hosts of the version before keep working once a migration has run. */
export type Mark = 'compatible' | 'breaking';

/** A file `NNNN_name.sql`, whose first line is `-- compatible` or `-- breaking`. */
export interface Migration {
  readonly name: string;
  readonly mark: Mark;
  readonly sql: string;
}

/** The advisory lock of all sets: hosts that start at once migrate one after another. */
const lockKey = 0x6d6967726174;
const fileName = /^\d{4}_[a-z0-9_]+\.sql$/;
/** The dump of the whole schema; made from the migrations, not one of them. */
const dumpName = 'schema.sql';

/**
 * Applies what is pending, in the order of names and in one transaction: all of it or nothing.
 *
 * @returns the migrations applied now.
 * @throws DuctorError `failed_precondition`: a file is malformed or its SQL fails (the message has file, line and column),
 *   or the database has a breaking migration that this version does not know.
 */
export async function migrate({
  knex,
  log,
  ...set
}: MigrationSet & { readonly knex: Knex; readonly log: BaseLogger }): Promise<readonly Migration[]> {
  const known = await readMigrations(set.folder);
  // What most starts find: nothing to lock or to wait for.
  if ((await compare(knex, set, known)).length === 0) return [];
  const applied = await knex.transaction(async (transaction) => {
    await transaction.raw('select pg_advisory_xact_lock(?)', [lockKey]);
    const pending = await compare(transaction, set, known);
    if (pending.length === 0) return pending;
    await transaction.migrate.latest({
      tableName: set.historyTable,
      migrationSource: sourceOf(known, set.folder),
      // Names that are missing here were judged above: knex would refuse the compatible ones too.
      disableMigrationsListValidation: true,
    });
    return pending;
  });
  for (const { name, mark } of applied) log.info({ migration: name, mark, history: set.historyTable }, 'migrated');
  return applied;
}

/**
 * Names what `migrate` would apply; changes nothing.
 *
 * @throws DuctorError as `migrate` does, but for failing SQL.
 */
export async function pendingMigrations({
  knex,
  ...set
}: MigrationSet & { readonly knex: Knex }): Promise<readonly Migration[]> {
  return compare(knex, set, await readMigrations(set.folder));
}

async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql') && name !== dumpName).sort();
  return Promise.all(names.map((name) => readMigration(folder, name)));
}

async function readMigration(folder: string, name: string): Promise<Migration> {
  if (!fileName.test(name)) throw refused(`${join(folder, name)}: a migration is named like 0001_add_orders.sql`);
  const sql = await readFile(join(folder, name), 'utf8');
  const mark = /^-- (compatible|breaking)\s*\n/.exec(sql)?.[1];
  if (mark !== 'compatible' && mark !== 'breaking') {
    throw refused(`${join(folder, name)}: the first line has to be "-- compatible" or "-- breaking"`);
  }
  return { name, mark, sql };
}

/** Tells what is pending, and judges what the database has beyond this version or in another form. */
async function compare(
  knex: Knex,
  { historyTable }: MigrationSet,
  known: readonly Migration[],
): Promise<readonly Migration[]> {
  const applied = await appliedTo(knex, historyTable);
  for (const [name, mark] of applied) {
    const here = known.find((migration) => migration.name === name);
    if (here === undefined && mark !== 'compatible') {
      throw refused(
        `The database has the breaking migration ${name} (${historyTable}), which this version does not know: ` +
          'run the version that made it, or a newer one',
      );
    }
    if (here !== undefined && here.mark !== mark) {
      throw refused(
        `${name} (${historyTable}) was applied as ${mark}, and is now marked ${here.mark}: undo that change`,
      );
    }
  }
  return known.filter(({ name }) => !applied.has(name));
}

/** Name and mark of what was applied; without a mark it was not applied by this runner, and counts as breaking. */
async function appliedTo(knex: Knex, historyTable: string): Promise<ReadonlyMap<string, Mark>> {
  if (!(await knex.schema.hasTable(historyTable))) return new Map();
  const entries: readonly string[] = await knex(historyTable).orderBy('id').pluck('name');
  return new Map(
    entries.map((entry) => {
      const [name = '', mark] = entry.split(' ');
      return [name, mark === '(compatible)' ? 'compatible' : 'breaking'];
    }),
  );
}

/** knex's history has a name and no more, so the mark is part of it: an older version reads it there. */
const entryOf = ({ name, mark }: Migration): string => `${name} (${mark})`;

const sourceOf = (migrations: readonly Migration[], folder: string): Knex.MigrationSource<Migration> => ({
  getMigrations: async () => [...migrations],
  getMigrationName: entryOf,
  getMigration: async (migration) => ({
    up: (transaction) => run(transaction, migration, folder),
    down: () => Promise.reject(refused('Migrations are not undone; restore a backup')),
  }),
});

/** Past knex, which would take each question mark in the script for a parameter. */
async function run(transaction: Knex, { name, sql }: Migration, folder: string): Promise<void> {
  const connection: pg.ClientBase = await transaction.client.acquireConnection();
  try {
    await connection.query(sql);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    throw refused(`${join(folder, name)}${placeIn(sql, error.position)}: ${error.message}`);
  }
}

/** PostgreSQL counts characters from 1, not UTF-16 units. */
function placeIn(sql: string, position: string | undefined): string {
  if (position === undefined) return '';
  const lines = Array.from(sql).slice(0, Number(position)).join('').split('\n');
  return `:${lines.length}:${lines.at(-1)?.length}`;
}

const refused = (message: string): DuctorError => new DuctorError('failed_precondition', message);
