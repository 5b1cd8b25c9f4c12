import type { Config } from '../../config/config.ts';
import { type Mark, migrate, pendingMigrations } from '../../postgres/migrate.ts';
import { migrationSets } from './migration-sets.ts';
import { withDatabase } from './with-database.ts';

export interface NamedMigration {
  /** The table that remembers it. */
  readonly history: string;
  readonly name: string;
  readonly mark: Mark;
}

/** Applies what is pending, or only names it. */
export async function migrateAll(
  config: Config,
  { check }: { readonly check: boolean },
): Promise<readonly NamedMigration[]> {
  const sets = await migrationSets(config);
  return withDatabase(config, async ({ knex, log }) => {
    const all: NamedMigration[] = [];
    for (const set of sets) {
      const some = check ? await pendingMigrations({ knex, ...set }) : await migrate({ knex, log, ...set });
      all.push(...some.map(({ name, mark }) => ({ history: set.historyTable, name, mark })));
    }
    return all;
  });
}
