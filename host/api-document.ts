import { randomBytes } from 'node:crypto';
import { loadPlugins } from './boot/load-plugins.ts';
import { compose } from './compose.ts';
import type { Config } from './config/config.ts';
import { ownConnectors } from './connectors.ts';
import { KeyRing } from './credentials/key-ring.ts';
import { createSchemaValidator } from './json-schema/schema-validator.ts';
import { createLog } from './log.ts';
import { openDatabase } from './postgres/connection.ts';

/** Nothing is asked of it: a connection is made when it is first needed. */
const NOWHERE = 'postgres://nobody@127.0.0.1:1/none';

/**
 * The OpenAPI document that a host of this configuration answers, as text. Made without a database, and without
 * listening: clients can be generated from it anywhere. Throws where the plugin api-docs is off.
 */
export async function apiDocument(config: Config): Promise<string> {
  const log = createLog({ level: 'silent' });
  const keyRing = new KeyRing(randomBytes(32));
  const schemas = createSchemaValidator();
  const connectors = await ownConnectors();
  const database = openDatabase({ connection: NOWHERE, poolSize: 1, log });
  const known = { config, log, database, connectors, keyRing, schemas };
  try {
    const composition = compose({ ...known, dataId: '', confined: true, checkAnswers: false });
    const contributed = await loadPlugins({ config, services: composition.services });
    const server = await composition.contributed(contributed).server();
    const { statusCode, payload } = await server.inject('/openapi.json');
    await server.stop();
    if (statusCode !== 200) throw new Error(`GET /openapi.json answers ${statusCode}: ${payload}`);
    return payload;
  } finally {
    await database.close();
  }
}
