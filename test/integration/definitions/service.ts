import type { Hooks, Write } from '@ductor/core';
import { catalogueOf } from '#host/definitions/action-catalogue.js';
import { DefinitionChecks } from '#host/definitions/definition-checks.js';
import { DefinitionDrafts } from '#host/definitions/definition-drafts.js';
import { DefinitionPublisher, type WriteRows } from '#host/definitions/definition-publisher.js';
import { randomIds } from '#host/engine/random-ids.js';
import { definitionRoutes } from '#host/http/definitions.routes.js';
import { createSchemaValidator } from '#host/json-schema/schema-validator.js';
import type { Database } from '#host/postgres/connection.js';
import { PostgresDefinitionStore } from '#host/postgres/definition-store.js';
import { readPolicy } from '#host/postgres/tenants.js';
import { enabled, vocabulary } from '../../unit/definition/helpers.ts';
import { type Answer, type Rest, startRest } from '../http/rest.ts';

/** Everything about definitions over a real database; plugins' rows are collected instead of written. */
export interface Definitions {
  readonly rest: Rest;
  readonly store: PostgresDefinitionStore;
  readonly written: Write[];
  /** Of tenant t1, below `/api/workflow-definitions`. */
  post(path: string, body?: unknown): Promise<Answer>;
  patch(id: string, body: unknown): Promise<Answer>;
  get(path: string): Promise<Answer>;
  /** A new family with a step that can be published. */
  create(slug: string, more?: object): Promise<Answer['body']>;
  stop(): Promise<void>;
}

export const onePureStep = { steps: [{ ref: 'a', type: 'TRANSFORM', value: 1 }] };

export async function startDefinitions({
  hooks = [],
  writeRows,
}: {
  readonly hooks?: readonly Hooks[];
  readonly writeRows?: WriteRows;
} = {}): Promise<Definitions> {
  const written: Write[] = [];
  const parts = ({ db }: { readonly db: Database }) => {
    const store = new PostgresDefinitionStore(db.knex);
    const clock = { now: () => new Date().toISOString() };
    const drafts = new DefinitionDrafts({ store, vocabulary, clock, ids: randomIds });
    const checks = new DefinitionChecks({
      vocabulary,
      schemas: createSchemaValidator(),
      resources: {
        actions: async () => catalogueOf([enabled('acme.billing', '1.4.2')]),
        credentials: async (tenantId) =>
          new Map([[`${tenantId}-credential`, { connector: 'acme.billing', auth: 'token' }]]),
      },
    });
    const publisher = new DefinitionPublisher({
      store,
      drafts,
      checks,
      entitlements: async (tenantId) => (await readPolicy(db.knex, tenantId)).entitlements,
      hooks,
      writeRows: writeRows ?? (async (_transaction, _tenantId, rows) => void written.push(...rows)),
      clock,
      ids: randomIds,
    });
    return { store, drafts, publisher, vocabulary };
  };
  const rest = await startRest({ routes: (deps) => definitionRoutes(parts(deps)) });
  const base = '/api/workflow-definitions';
  const post = (path: string, body?: unknown) => rest.call({ method: 'POST', path: `${base}${path}`, body });
  return {
    rest,
    store: new PostgresDefinitionStore(rest.db.knex),
    written,
    post,
    patch: (id, body) => rest.call({ method: 'PATCH', path: `${base}/${id}/draft`, body }),
    get: (path) => rest.call({ path: `${base}${path}` }),
    async create(slug, more = {}) {
      const { status, body } = await post('', { family_slug: slug, graph: onePureStep, ...more });
      if (status !== 200) throw new Error(`not created: ${JSON.stringify(body)}`);
      return body;
    },
    stop: () => rest.stop(),
  };
}
