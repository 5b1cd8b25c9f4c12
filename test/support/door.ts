import type { Json } from '@ductor/core';
import { pino } from 'pino';
import { randomIds } from '#host/engine/random-ids.js';
import { eventRoutes } from '#host/http/events.routes.js';
import { runControlRoutes } from '#host/http/run-controls.routes.js';
import { createServer } from '#host/http/server.js';
import { signalRoutes } from '#host/http/signals.routes.js';
import { createSchemaValidator } from '#host/json-schema/schema-validator.js';
import { createApiKeys } from '#host/keys/api-keys.js';
import { apiKeyTable } from '#host/postgres/api-keys.js';
import { loadStates } from '#host/postgres/runs/load.js';
import type { TestEngine } from './engine.ts';

export interface Answer {
  readonly status: number;
  readonly body: { readonly [name: string]: Json };
}

/** The routes by which signals, events and controls reach an engine; whoever asks is `key:test` of tenant `default`. */
export interface Door {
  post(path: string, payload: object): Promise<Answer>;
}

export async function openDoor(test: TestEngine): Promise<Door> {
  const { engine, clock, db, definitions } = test;
  const { knex, hot } = db;
  const log = pino({ level: 'silent' });
  const version = async (id: string) => definitions.get(id) ?? null;
  const deps = {
    knex,
    loadState: async (runId: string) => (await loadStates(hot, [runId]))[0] ?? null,
    prepare: engine.definitions.prepare,
    definitions: { version },
    pools: { available: () => ({ ok: true }) as const, state: () => [] },
    feed: engine.coordinator.feed,
    wake: (runId: string) => engine.wakeups.push([runId]),
    clock,
    ids: randomIds,
    tables: [],
    log,
  };
  const server = await createServer({
    routes: [
      ...runControlRoutes(deps),
      ...signalRoutes({ ...deps, schemas: createSchemaValidator() }),
      ...eventRoutes({ knex, events: engine.events }),
    ],
    keys: createApiKeys({ table: apiKeyTable(knex), ids: randomIds }),
    log,
    tell: () => undefined,
    host: '127.0.0.1',
    port: 0,
  });
  const credentials = {
    scope: ['workflow_run:write', 'workflow_events:publish'],
    user: { tenantId: 'default', actor: 'key:test', keyId: 'test' },
  };
  return {
    async post(url, payload) {
      const { statusCode, payload: text } = await server.inject({
        method: 'POST',
        url,
        payload,
        auth: { strategy: 'api-key', credentials },
      });
      return { status: statusCode, body: JSON.parse(text) as Answer['body'] };
    },
  };
}
