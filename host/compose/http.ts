/** The REST server. */
import type { Server, ServerRoute } from '@hapi/hapi';
import { apiRoutes } from '../http/api-routes.ts';
import { createServer } from '../http/server.ts';
import { componentLog } from '../log.ts';
import {
  CLOCK,
  CONFIG,
  CONTRIBUTED,
  CREDENTIALS,
  DATABASE,
  DEFINITIONS,
  DRAFTS,
  ENGINE,
  type Get,
  HOST,
  KEY_RING,
  KEYS,
  LOG,
  OBSERVERS,
  OPERATIONS,
  POLICIES,
  POOLS,
  PUBLISHER,
  ROUTES,
  TRIGGERS,
  VALIDATOR,
  VOCABULARY,
} from './tokens.ts';

export function routes(get: Get): readonly ServerRoute[] {
  const { coordinator, definitions: prepared, wakeups, events } = get(ENGINE);
  return apiRoutes({
    database: get(DATABASE),
    contributed: get(CONTRIBUTED),
    store: get(DEFINITIONS),
    drafts: get(DRAFTS),
    publisher: get(PUBLISHER),
    apiKeys: get(KEYS),
    policies: get(POLICIES),
    vocabulary: get(VOCABULARY),
    triggers: get(TRIGGERS),
    operations: get(OPERATIONS),
    pools: get(POOLS),
    credentials: get(CREDENTIALS),
    keyRing: get(KEY_RING),
    prepare: prepared.prepare,
    feed: coordinator.feed,
    events,
    schemas: get(VALIDATOR),
    wake: (runIds) => wakeups.push(runIds),
    clock: get(CLOCK),
    confined: get(HOST).confined,
    log: componentLog(get(LOG), 'http'),
  });
}

export function server(get: Get, checkAnswers: boolean): Promise<Server> {
  const { server: address, limits } = get(CONFIG);
  return createServer({
    routes: get(ROUTES),
    disabledRoutes: get(CONTRIBUTED).disabledRoutes,
    keys: get(KEYS),
    log: componentLog(get(LOG), 'http'),
    tell: get(OBSERVERS).tell,
    host: address.host,
    port: address.port,
    maxBodyBytes: limits.requestBodyBytes,
    checkAnswers,
  });
}
