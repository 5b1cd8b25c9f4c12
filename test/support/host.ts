import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { loadConfig } from '#host/config/load-config.js';
import { randomIds } from '#host/engine/random-ids.js';
import { createApiKeys } from '#host/keys/api-keys.js';
import { SCOPES } from '#host/keys/scopes.js';
import { createLog } from '#host/log.js';
import { startHost } from '#host/main.js';
import { apiKeyTable } from '#host/postgres/api-keys.js';
import { openDatabase } from '#host/postgres/connection.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { freePort } from './host-process.js';

/** A whole host in this process, on a database of the test's own. */
export interface TestHost {
  readonly url: string;
  readonly key: string;
  readonly dataDir: string;
  readonly database: TestDatabase;
  /** Calls the REST API with an all-scopes key of tenant `default`. */
  call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    key?: string,
  ): Promise<{ status: number; body: T }>;
  /** An all-scopes key of a tenant, which is made if it is not there. */
  tenantKey(tenantId: string): Promise<string>;
  /** `keep`: the database stays, for a host that comes after this one. */
  stop(options?: { keep?: boolean }): Promise<void>;
}

const KEY = 'tests-use-a-key-of-more-than-thirty-two-characters';

export async function startTestHost({
  yaml = '',
  database,
  dataDir: shared,
  env: more = {},
  log,
}: {
  readonly yaml?: string;
  readonly database?: TestDatabase;
  readonly dataDir?: string;
  readonly env?: { readonly [name: string]: string };
  readonly log?: Logger;
} = {}): Promise<TestHost> {
  const own = database ?? (await createTestDatabase());
  const dataDir = shared ?? (await mkdtemp(join(tmpdir(), 'ductor-host-')));
  await writeFile(join(dataDir, 'ductor.yaml'), `version: 1\nmode: development\n${yaml}`);
  const port = String(await freePort());
  const env = {
    DATABASE_URL: own.url,
    DUCTOR_DATA_DIR: dataDir,
    PORT: port,
    DUCTOR_BOOTSTRAP_API_KEY: KEY,
    LOG_LEVEL: process.env.TEST_LOG ?? 'silent',
    ...more,
  };
  const config = await loadConfig({ argv: {}, env, cwd: dataDir });
  const host = await startHost({ config, log: log ?? createLog({ level: config.log.level }), checkAnswers: true });
  return {
    url: host.url,
    key: KEY,
    dataDir,
    database: own,
    async tenantKey(tenantId) {
      const db = openDatabase({ connection: own.url, poolSize: 1, log: createLog({ level: 'silent' }) });
      try {
        await db.knex('eec_tenant').insert({ id: tenantId }).onConflict().ignore();
        const keys = createApiKeys({ table: apiKeyTable(db.knex), ids: randomIds });
        return (await keys.create({ tenantId, name: tenantId, scopes: SCOPES })).key;
      } finally {
        await db.close();
      }
    },
    async call<T>(method: string, path: string, body?: unknown, key = KEY) {
      const response = await fetch(host.url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: JSON.parse(await response.text()) as T };
    },
    async stop({ keep = false } = {}) {
      await host.stop();
      if (!keep) await own.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Publishes a graph as `slug`. */
export async function publishGraph(
  host: TestHost,
  slug: string,
  definition: { readonly graph: unknown; readonly settings?: unknown },
): Promise<void> {
  const created = await host.call<{ id: string }>('POST', '/api/workflow-definitions', {
    family_slug: slug,
    title: slug,
    ...definition,
  });
  if (created.status !== 200) throw new Error(JSON.stringify(created.body));
  const published = await host.call('POST', `/api/workflow-definitions/${created.body.id}/publish`);
  if (published.status !== 200) throw new Error(JSON.stringify(published.body));
}
