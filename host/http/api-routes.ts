/** The table of contents of the REST API. */
import type { Clock, DefinitionId, Prepared, RunFeed, RunId, SchemaValidator, Vocabulary } from '@ductor/core';
import type { ServerRoute } from '@hapi/hapi';
import type { Logger } from 'pino';
import type { Contributed } from '../boot/contributed.ts';
import type { Credentials } from '../credentials/credentials.ts';
import type { KeyRing } from '../credentials/key-ring.ts';
import type { DefinitionDrafts } from '../definitions/definition-drafts.ts';
import type { DefinitionPublisher } from '../definitions/definition-publisher.ts';
import { randomIds } from '../engine/random-ids.ts';
import type { Events } from '../events/events.ts';
import type { ApiKeys } from '../keys/api-keys.ts';
import type { OperationRunner } from '../operations/operation-runner.ts';
import type { ConnectorPools } from '../pool/connector-pools.ts';
import type { Database } from '../postgres/connection.ts';
import type { PostgresDefinitionStore } from '../postgres/definition-store.ts';
import { loadStates } from '../postgres/runs/load.ts';
import type { TenantPolicies } from '../tenants/tenant-policies.ts';
import type { TriggerService } from '../trigger/trigger-service.ts';
import { apiKeyRoutes } from './api-keys.routes.ts';
import { auditLogRoutes } from './audit-log.routes.ts';
import { credentialRoutes } from './credentials.routes.ts';
import { definitionRoutes } from './definitions.routes.ts';
import { eventRoutes } from './events.routes.ts';
import { healthRoutes } from './health.routes.ts';
import { healthChecks } from './health-checks.ts';
import { operationRoutes } from './operations.routes.ts';
import { payloadRoutes } from './payloads.routes.ts';
import { pluginRoute } from './plugin-routes.ts';
import { releaseRoutes } from './releases.routes.ts';
import { runBatchRoutes } from './run-batch.routes.ts';
import { runFilter } from './run-filter.ts';
import type { RunRoutesDeps } from './run-reads.ts';
import { treeRoutes } from './run-tree.routes.ts';
import { runRoutes } from './runs.routes.ts';
import { schemaRoutes } from './schemas.routes.ts';
import { signalRoutes } from './signals.routes.ts';
import { statsRoutes } from './stats.routes.ts';
import { tenantRoutes } from './tenants.routes.ts';
import { triggerRoutes } from './trigger.routes.ts';
import { triggerBatchRoutes } from './trigger-batch.routes.ts';

/** All that stands behind the API. */
export interface ApiParts {
  readonly database: Database;
  readonly contributed: Contributed;
  readonly store: PostgresDefinitionStore;
  readonly drafts: DefinitionDrafts;
  readonly publisher: DefinitionPublisher;
  readonly apiKeys: ApiKeys;
  readonly policies: TenantPolicies;
  readonly vocabulary: Vocabulary;
  readonly triggers: TriggerService;
  readonly operations: Pick<OperationRunner, 'wake'>;
  readonly pools: ConnectorPools;
  readonly credentials: Credentials;
  readonly keyRing: KeyRing;
  readonly prepare: (id: DefinitionId) => Prepared | Promise<Prepared>;
  readonly feed: RunFeed;
  readonly events: Events;
  readonly schemas: SchemaValidator;
  readonly wake: (runIds: readonly RunId[]) => void;
  readonly clock: Clock;
  /** Whether permission flags hold in threads here. */
  readonly confined: boolean;
  readonly log: Logger;
}

export function apiRoutes(parts: ApiParts): readonly ServerRoute[] {
  const { contributed, store, drafts, publisher, triggers, pools, prepare, feed, clock, confined, log } = parts;
  const { knex, hot } = parts.database;
  const runs: RunRoutesDeps = {
    knex,
    loadState: async (runId, upTo) =>
      (await loadStates(hot, [runId], { references: true, ...(upTo !== undefined && { upTo }) }))[0] ?? null,
    prepare,
    definitions: store,
    pools,
    feed,
    wake: (runId) => parts.wake([runId]),
    clock,
    ids: randomIds,
    tables: contributed.tables,
    log,
  };
  const triggerWords = contributed.fields.filter((field) => field.of === 'trigger' && !field.isInternal);
  const checks = healthChecks({ hot, pools, plugins: contributed.plugins, confined, knex, keys: parts.keyRing });
  return [
    ...healthRoutes({ checks, log }),
    ...schemaRoutes(),
    ...definitionRoutes({ store, drafts, publisher, vocabulary: parts.vocabulary }),
    ...triggerRoutes(triggers, triggerWords),
    ...triggerBatchRoutes({ triggers, fields: triggerWords, log }),
    ...runRoutes(runs),
    ...signalRoutes({ ...runs, schemas: parts.schemas }),
    ...eventRoutes({ knex, events: parts.events }),
    ...treeRoutes({ knex }),
    ...runBatchRoutes({
      knex,
      filter: runFilter(contributed.tables),
      ids: randomIds,
      wake: () => parts.operations.wake(),
    }),
    ...operationRoutes({ knex }),
    ...statsRoutes({ knex }),
    ...credentialRoutes({ knex, pools, credentials: parts.credentials, keys: parts.keyRing }),
    ...payloadRoutes({ knex }),
    ...tenantRoutes({ knex, policies: parts.policies }),
    ...apiKeyRoutes({ knex, keys: parts.apiKeys }),
    ...releaseRoutes({ knex }),
    ...auditLogRoutes({ knex }),
    ...contributed.routes.map(({ plugin, route }) => pluginRoute(plugin, route)),
  ];
}
