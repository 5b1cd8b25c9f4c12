import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { coreMigrations } from '#host/boot/core-migrations.js';
import { loadPlugins } from '#host/boot/load-plugins.js';
import { compose } from '#host/compose.js';
import { loadConfig } from '#host/config/load-config.js';
import { masterKeyOf } from '#host/config/secrets.js';
import { KeyRing } from '#host/credentials/key-ring.js';
import { createSchemaValidator } from '#host/json-schema/schema-validator.js';
import { createLog } from '#host/log.js';
import { threadsAreConfined } from '#host/pool/canary.js';
import { readConnectorManifest } from '#host/pool/manifest.js';
import { openDatabase } from '#host/postgres/connection.js';
import { PostgresDefinitionStore } from '#host/postgres/definition-store.js';
import { migrate } from '#host/postgres/migrate.js';

/**
 * The product as `main.ts` puts it together, with the no-op connector in place of the host's own. Its REST server is
 * made when it is asked for, so that what runs in process does not pay for it. One that has the `dataId` of another takes
 * that one's place.
 */
export async function startBenchHost({ url, dataDir, dataId = randomUUID() }) {
  const env = { DATABASE_URL: url, DUCTOR_DATA_DIR: dataDir, DUCTOR_MODE: 'development', PORT: '0' };
  const config = await loadConfig({ argv: {}, env, cwd: dataDir });
  const log = createLog({ level: config.log.level, destination: pino.destination(join(dataDir, 'host.log')) });
  const database = openDatabase({ connection: url, poolSize: config.database.pool, log });
  const { knex, hot } = database;
  const schemas = createSchemaValidator();
  const connectors = await noopConnector(schemas);
  const composition = compose({
    config,
    log,
    database,
    connectors,
    keyRing: new KeyRing(await masterKeyOf(config), []),
    schemas,
    checkAnswers: false,
    dataId,
    confined: await threadsAreConfined(),
  });
  const contributed = await loadPlugins({ config, services: composition.services });
  for (const set of [coreMigrations, ...contributed.migrations]) await migrate({ knex, log, ...set });
  const { engine, pools, triggers, server: makeServer } = composition.contributed(contributed);
  await engine.start();
  const definitions = new PostgresDefinitionStore(knex);
  let server = null;
  return {
    engine,
    triggers,
    definitions,
    connectors,
    hot,
    /** The REST API, listening: its URL, and a key that may start runs. */
    async listen() {
      server ??= await makeServer();
      await server.start();
      const { key } = await composition.keys.create({ tenantId: 'default', name: 'bench', scopes: ['workflow:write'] });
      return { url: server.info.uri, key };
    },
    async close() {
      await server?.stop();
      await engine.stop();
      await pools.close();
      await database.close();
    },
  };
}

async function noopConnector(schemas) {
  const dir = dirname(fileURLToPath(new URL('./noop-connector/index.mjs', import.meta.url)));
  const manifest = await readConnectorManifest(dir, schemas);
  const installed = { dir, manifest, trusted: false, revoked: false };
  return {
    find: (pin) => (pin.package === manifest.package ? installed : null),
    enabled: [{ manifest, integrity: null }],
  };
}
