import { performance } from 'node:perf_hooks';
import {
  type AnyTable,
  BUILT_IN_STEPS,
  compileDefinition,
  type Definition,
  type JsonObject,
  stepTypes,
} from '@ductor/core';
import { type Logger, pino } from 'pino';
import { randomIds } from '#host/engine/random-ids.js';
import type { RunRoutesDeps } from '#host/http/run-reads.js';
import { runRoutes } from '#host/http/runs.routes.js';
import { createServer, type HttpServerOptions } from '#host/http/server.js';
import { type ApiKeys, createApiKeys } from '#host/keys/api-keys.js';
import { SCOPES } from '#host/keys/scopes.js';
import { type ApiKeyTable, apiKeyTable } from '#host/postgres/api-keys.js';
import { type Database, openDatabase } from '#host/postgres/connection.js';
import { loadStates } from '#host/postgres/runs/load.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import type { TestEngine } from '../../support/engine.ts';
import { type RunRows, runRows } from '../../support/run-rows.ts';

/** hapi's own, by way of what takes and answers them. */
type Server = Awaited<ReturnType<typeof createServer>>;
export type Route = HttpServerOptions['routes'][number];

/** A REST server over a database of its own, with a key of all scopes for each of two tenants. */
export interface Rest {
  readonly server: Server;
  readonly db: Database;
  readonly rows: RunRows;
  readonly table: ApiKeyTable;
  readonly keys: ApiKeys;
  /** Of the tenants `t1` and `t2`. */
  readonly key: { readonly t1: string; readonly t2: string };
  /** Moves the time that cached keys are measured by. */
  advance(ms: number): void;
  call(request: Call): Promise<Answer>;
  stop(): Promise<void>;
}

export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly key?: string | null;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: unknown;
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are JSON of every form, and only looked at
  readonly body: any;
  readonly headers: { readonly [name: string]: unknown };
}

export interface RestOptions {
  readonly routes?: (parts: { readonly db: Database; readonly log: Logger }) => readonly Route[];
  readonly log?: Logger;
  readonly limits?: Pick<HttpServerOptions, 'maxBodyBytes' | 'bodyWithinMs'>;
  /** Its database is used, and left alone. */
  readonly engine?: TestEngine;
}

const silent = pino({ level: 'silent' });

export async function startRest({ routes = () => [], log = silent, limits, engine }: RestOptions = {}): Promise<Rest> {
  const database: TestDatabase | null = engine ? null : await createTestDatabase();
  const db = engine?.db ?? openDatabase({ connection: database?.url ?? '', poolSize: 4, log: silent });
  const rows = runRows(db.knex);
  let aheadMs = 0;
  const table = apiKeyTable(db.knex);
  const keys = createApiKeys({ table, ids: randomIds, monotonicMs: () => performance.now() + aheadMs });
  const keyOf = async (id: string) => {
    const { key } = await keys.create({ tenantId: await rows.tenant(id), name: id, scopes: SCOPES });
    return key;
  };
  const key = { t1: await keyOf('t1'), t2: await keyOf('t2') };
  const close = async () => {
    if (engine) return;
    await db.close();
    await database?.drop();
  };
  const address = { host: '127.0.0.1', port: 0 };
  const server = await createServer({
    routes: routes({ db, log }),
    keys,
    log,
    tell: () => undefined,
    checkAnswers: true,
    ...address,
    ...limits,
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    server,
    db,
    rows,
    table,
    keys,
    key,
    advance(ms) {
      aheadMs += ms;
    },
    async call({ method = 'GET', path, key: as = key.t1, headers = {}, body }) {
      const response = await server.inject({
        method,
        url: path,
        headers: {
          ...(as !== null && { authorization: `Bearer ${as}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const isJson = String(response.headers['content-type'] ?? '').includes('json');
      return {
        status: response.statusCode,
        body: isJson ? JSON.parse(response.payload) : response.payload,
        headers: response.headers,
      };
    },
    async stop() {
      await server.stop({ timeout: 1_000 });
      await close();
    },
  };
}

/** Of runs whose rows no engine has made. */
const definition: Definition = {
  id: '00000000-0000-7000-8000-000000000000',
  tenantId: 't1',
  familySlug: 'empty',
  version: 1,
  graph: { steps: [], edges: [] },
  settings: {},
  connectors: [],
  actions: {},
  publishedAt: '2026-01-01T00:00:00.000Z',
};

/** The routes over runs, over rows alone or over an engine that makes them. */
export function routesOfRuns(
  { db, log }: { readonly db: Database; readonly log: Logger },
  { engine, tables = [] }: { readonly engine?: TestEngine; readonly tables?: readonly AnyTable[] } = {},
): readonly Route[] {
  const compiled = compileDefinition(definition, stepTypes(BUILT_IN_STEPS));
  const deps: RunRoutesDeps = {
    knex: db.knex,
    loadState: async (runId, upTo) =>
      (await loadStates(db.hot, [runId], { references: true, ...(upTo !== undefined && { upTo }) }))[0] ?? null,
    prepare: engine?.engine.definitions.prepare ?? (() => ({ ok: true, compiled })),
    definitions: { version: async () => definition },
    pools: { available: () => ({ ok: true }), state: () => [] },
    feed: engine?.engine.coordinator.feed ?? { subscribe: () => () => undefined },
    wake: (runId) => engine?.engine.coordinator.wake([runId]),
    clock: engine?.clock ?? { now: () => new Date().toISOString() },
    ids: randomIds,
    tables,
    log,
  };
  return runRoutes(deps);
}

/** All items of a list, page after page; `between` runs before each further page. */
export async function allPages(
  rest: Rest,
  path: string,
  between: () => Promise<void> = async () => undefined,
): Promise<readonly JsonObject[]> {
  const items: JsonObject[] = [];
  for (let token: string | null = ''; token !== null; ) {
    const more: string = token === '' ? '' : `${path.includes('?') ? '&' : '?'}page_token=${token}`;
    const { status, body } = await rest.call({ path: `${path}${more}` });
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
    items.push(...(body.items as JsonObject[]));
    token = body.next_page_token as string | null;
    if (token !== null) await between();
  }
  return items;
}
