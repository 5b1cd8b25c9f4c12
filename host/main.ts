/** A host from start to stop: database, migrations, plugins, engine, server; and back. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { claimData } from './boot/claim-data.ts';
import { registryOf } from './boot/contributed.ts';
import { coreMigrations } from './boot/core-migrations.ts';
import { loadPlugins } from './boot/load-plugins.ts';
import { announceParkedRuns } from './boot/parked-runs.ts';
import { compose } from './compose.ts';
import { announce } from './config/announce.ts';
import type { Config } from './config/config.ts';
import { masterKeyOf, readOrCreateSecret } from './config/secrets.ts';
import { ownConnectors } from './connectors.ts';
import { KeyRing } from './credentials/key-ring.ts';
import { announceUnreadable } from './credentials/rotation.ts';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts';
import { randomIds } from './engine/random-ids.ts';
import { deleteOldEvents } from './events/retention.ts';
import { createSchemaValidator } from './json-schema/schema-validator.ts';
import { type Bootstrap, ensureBootstrapKey } from './keys/bootstrap.ts';
import { Lifecycle } from './lifecycle.ts';
import { threadsAreConfined } from './pool/canary.ts';
import { apiKeyTable } from './postgres/api-keys.ts';
import { type Database, openDatabase } from './postgres/connection.ts';
import { migrate } from './postgres/migrate.ts';
import { onOneHost } from './postgres/one-host.ts';
import { rollUpMinuteByMinute } from './stats/roll-up.ts';

export interface HostOptions {
  readonly config: Config;
  readonly log: Logger;
  /** For tests: an answer that is not as its route documents it is a 500. Default: false. */
  readonly checkAnswers?: boolean;
}

export interface Host {
  /** Where the REST API answers. */
  readonly url: string;
  readonly bootstrap: Bootstrap;
  /** Refuses new requests, drains, and closes everything in reverse order. */
  stop(): Promise<void>;
}

/** @throws DuctorError where the host cannot start; everything that was started is stopped again. */
export async function startHost(given: HostOptions): Promise<Host> {
  const { log } = given;
  const life = new Lifecycle(log);
  try {
    return await start(given, life);
  } catch (error) {
    await life.end();
    throw error;
  }
}

async function start({ config, log, checkAnswers = false }: HostOptions, life: Lifecycle): Promise<Host> {
  announce(config, log);
  const keyRing = new KeyRing(await masterKeyOf(config), config.secrets.previousMasterKeys);
  const { text: dataId } = await readOrCreateSecret(join(config.dataDir, 'data-id'), randomUUID);
  const schemas = createSchemaValidator();
  const [url, confined, connectors] = await Promise.all([
    databaseUrl(config, log, life),
    threadsAreConfined(),
    ownConnectors(),
  ]);
  if (!confined) log.warn('permission flags do not hold in threads here: only trusted connectors run');
  const database = openDatabase({ connection: url, poolSize: config.database.pool, log });
  life.onEnd('database', () => database.close());
  const { knex } = database;

  const composition = compose({ config, log, database, connectors, keyRing, schemas, dataId, confined, checkAnswers });
  const contributed = await loadPlugins({ config, services: composition.services });
  for (const set of [coreMigrations, ...contributed.migrations]) await migrate({ knex, log, ...set });
  const bootstrap = await ensureBootstrapKey({
    table: apiKeyTable(knex),
    ids: randomIds,
    mode: config.mode,
    dataDir: config.dataDir,
    given: config.secrets.bootstrapApiKey ?? undefined,
  });

  const { engine, pools, operations, server: makeServer } = composition.contributed(contributed);
  const { steps: types } = registryOf(contributed);
  await announceParkedRuns(knex, { types, disabled: contributed, log });
  await announceUnreadable(knex, { keys: keyRing, log });
  life.service('data directory', await claimData(database, { dataId, dataDir: config.dataDir }));
  life.onEnd('pools', () => pools.close());
  await engine.start();
  life.onEnd('engine', () => engine.stop());
  await announceOthers(database, { hostId: engine.hostId, log });
  life.service('slices', async (signal) => {
    while (!signal.aborted) {
      await knex
        .raw('select eec_ensure_slices(2)')
        .catch((error: unknown) => log.error({ err: error }, 'slices for the months ahead could not be made'));
      await delay(SLICES_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  });
  life.service('operations', (signal) => operations.run(signal));
  const failedIn = (name: string) => (error: unknown) =>
    log.error({ err: error, service: name }, 'a service failed; it is started again');
  life.service('stats', (signal) =>
    onOneHost(() => database.session(), {
      name: 'stats',
      work: (signal) => rollUpMinuteByMinute(knex, signal),
      signal,
      failed: failedIn('stats'),
    }),
  );
  life.service('events', (signal) =>
    onOneHost(() => database.session(), {
      name: 'events',
      work: (signal) => deleteOldEvents(knex, config.retention.eventsMs, signal),
      signal,
      failed: failedIn('events'),
    }),
  );
  for (const { plugin, service } of contributed.services) {
    const name = `${plugin}/${service.name}`;
    const work = (signal: AbortSignal) => service.run(signal);
    const failed = failedIn(name);
    life.service(
      name,
      service.where === 'one host'
        ? (signal) => onOneHost(() => database.session(), { name, work, signal, failed })
        : work,
    );
  }
  const server = await makeServer();
  life.onEnd('server', () => server.stop({ timeout: STOP_WITHIN_MS }));
  await server.start();
  log.info({ url: server.info.uri, plugins: contributed.plugins.map(({ id }) => id) }, 'ready');
  return { url: server.info.uri, bootstrap, stop: () => life.end() };
}

/** Requests under way may end. */
const STOP_WITHIN_MS = 5_000;
const SLICES_MS = 6 * 60 * 60 * 1000;

/** Hosts do not hear of each other's work but by the sweep. */
async function announceOthers(
  { hot }: Database,
  { hostId, log }: { readonly hostId: string; readonly log: Logger },
): Promise<void> {
  const { rows } = await hot.query<{ name: string }>(
    'select name from eec_host where id <> $1 and lease_until > clock_timestamp()',
    [hostId],
  );
  if (rows.length === 0) return;
  const hosts = rows.map(({ name }) => name);
  log.warn({ hosts }, 'other hosts work on this database: they hear of this one’s work by the sweep, within a second');
}

async function databaseUrl({ database, dataDir }: Config, log: Logger, life: Lifecycle): Promise<string> {
  if (database.url !== null) return database.url;
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  life.onEnd('postgres', () => postgres.stop());
  return postgres.url;
}
