import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { pino } from 'pino';
import { startEmbeddedPostgres } from '#host/embedded/embedded-postgres.js';
import { openDatabase } from '#host/postgres/connection.js';
import { type MigrationSet, migrate } from '#host/postgres/migrate.js';
import { atEndOfRun } from './hooks.ts';
import { openSession } from './session.ts';

/** Every test file has a database of its own, cloned from a template that has the migrations already. */
export interface TestDatabase {
  /** A PostgreSQL URL; what `openDatabase` calls `connection`. */
  readonly url: string;
  /** Fails, naming them, if the test left sessions open; the database is gone in any case. */
  drop(): Promise<void>;
}

/** One server for the whole run: an embedded one, or the one that DUCTOR_TEST_DATABASE_URL names. */
interface TestServer {
  readonly url: string;
  readonly admin: pg.Client;
  /** By the migrations in them. */
  readonly templates: Map<string, Promise<string>>;
  stop(): Promise<void>;
}

const coreMigrations: MigrationSet = {
  folder: fileURLToPath(new URL('../../../migrations', import.meta.url)),
  historyTable: 'eec_migration_core',
};

const log = pino({ level: 'silent' });
/** A closed connection's session ends a moment after its socket. */
const sessionsEndWithinMs = 1_000;
let server: Promise<TestServer> | undefined;

/** Makes a database with the core's migrations and those of the plugins given. */
export async function createTestDatabase(plugins: readonly MigrationSet[] = []): Promise<TestDatabase> {
  const shared = await sharedServer();
  const template = await templateOf(shared, [coreMigrations, ...plugins]);
  const name = `ductor_test_${randomUUID().replaceAll('-', '')}`;
  await shared.admin.query(`create database ${name} template ${template}`);
  return { url: databaseUrl(shared.url, name), drop: () => drop(shared.admin, name) };
}

function sharedServer(): Promise<TestServer> {
  if (server === undefined) {
    const starting = startTestServer();
    server = starting;
    atEndOfRun(async () => (await starting).stop());
  }
  return server;
}

async function startTestServer(): Promise<TestServer> {
  const named = process.env.DUCTOR_TEST_DATABASE_URL;
  const started = named === undefined ? await startEmbedded() : { url: named, stop: async () => undefined };
  const admin = await openSession(started.url);
  return {
    url: started.url,
    admin,
    templates: new Map(),
    async stop() {
      await admin.end();
      await started.stop();
    },
  };
}

async function startEmbedded(): Promise<{ url: string; stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ductor-test-'));
  const embedded = await startEmbeddedPostgres({ dataDir, log });
  return {
    url: embedded.url,
    async stop() {
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true });
      await rm(decodeURIComponent(new URL(embedded.url).host), { recursive: true, force: true });
    },
  };
}

/** The template that has these sets: the one with all but the last, and the last. */
async function templateOf(shared: TestServer, sets: readonly MigrationSet[]): Promise<string> {
  const last = sets.at(-1);
  if (last === undefined) return 'template0';
  const key = await fingerprint(sets);
  let template = shared.templates.get(key);
  if (template === undefined) {
    template = makeTemplate(shared, `ductor_template_${key}`, {
      base: templateOf(shared, sets.slice(0, -1)),
      added: last,
    });
    shared.templates.set(key, template);
  }
  return template;
}

/** Several runs may share a named server: the lock lets one make the template, the flag says that it is whole. */
async function makeTemplate(
  { admin, url }: TestServer,
  name: string,
  { base, added }: { readonly base: Promise<string>; readonly added: MigrationSet },
): Promise<string> {
  const from = await base;
  await admin.query('select pg_advisory_lock(hashtext($1))', [name]);
  try {
    const found = await admin.query('select from pg_database where datname = $1 and datistemplate', [name]);
    if (found.rowCount === 1) return name;
    await admin.query(`drop database if exists ${name}`);
    await admin.query(`create database ${name} template ${from}`);
    const database = openDatabase({ connection: databaseUrl(url, name), poolSize: 1, log });
    try {
      await migrate({ knex: database.knex, ...added, log });
    } finally {
      await database.close();
    }
    await sessionsOf(admin, name);
    await admin.query(`alter database ${name} is_template true`);
    return name;
  } finally {
    await admin.query('select pg_advisory_unlock(hashtext($1))', [name]);
  }
}

async function drop(admin: pg.Client, name: string): Promise<void> {
  const open = await sessionsOf(admin, name);
  await admin.query(`drop database ${name} with (force)`);
  if (open.length > 0) throw new Error(`The test left sessions of its database open:\n${open.join('\n')}`);
}

/** The sessions of a database that are still there after a closed one's would be gone. */
async function sessionsOf(admin: pg.Client, name: string): Promise<readonly string[]> {
  const giveUpAt = Date.now() + sessionsEndWithinMs;
  for (;;) {
    const { rows } = await admin.query<{ session: string }>(
      `select concat_ws(' ', application_name, state, 'since', state_change, 'last:', left(query, 200)) as session
         from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
      [name],
    );
    if (rows.length === 0 || Date.now() > giveUpAt) return rows.map(({ session }) => session);
    await delay(10);
  }
}

async function fingerprint(sets: readonly MigrationSet[]): Promise<string> {
  const hash = createHash('sha256');
  for (const { folder, historyTable } of sets) {
    hash.update(`${historyTable}\n`);
    for (const name of (await readdir(folder)).sort()) hash.update(name).update(await readFile(join(folder, name)));
  }
  return hash.digest('hex').slice(0, 16);
}

function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
