/** The table of contents of the REST API. */
import type { Clock, DefinitionId, Prepared, RunFeed, RunId } from '@ductor/core';
import type { ServerRoute } from '@hapi/hapi';
import type { Logger } from 'pino';
import type { Contributed } from '../boot/contributed.ts';
import type { DefinitionDrafts } from '../definitions/definition-drafts.ts';
import type { DefinitionPublisher } from '../definitions/definition-publisher.ts';
import { randomIds } from '../engine/random-ids.ts';
import type { ConnectorPools } from '../pool/connector-pools.ts';
import type { Database } from '../postgres/connection.ts';
import type { PostgresDefinitionStore } from '../postgres/definition-store.ts';
import { loadStates } from '../postgres/runs/load.ts';
import type { TriggerService } from '../trigger/trigger-service.ts';
import { definitionRoutes } from './definitions.routes.ts';
import { healthRoutes } from './health.routes.ts';
import { healthChecks } from './health-checks.ts';
import { payloadRoutes } from './payloads.routes.ts';
import { pluginRoute } from './plugin-routes.ts';
import type { RunRoutesDeps } from './run-reads.ts';
import { runRoutes } from './runs.routes.ts';
import { schemaRoutes } from './schemas.routes.ts';
import { triggerRoutes } from './trigger.routes.ts';

/** All that stands behind the API. */
export interface ApiParts {
  readonly database: Database;
  readonly contributed: Contributed;
  readonly store: PostgresDefinitionStore;
  readonly drafts: DefinitionDrafts;
  readonly publisher: DefinitionPublisher;
  readonly triggers: TriggerService;
  readonly pools: ConnectorPools;
  readonly prepare: (id: DefinitionId) => Prepared | Promise<Prepared>;
  readonly feed: RunFeed;
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
  const checks = healthChecks({ hot, pools, plugins: contributed.plugins, confined });
  return [
    ...healthRoutes({ checks, log }),
    ...schemaRoutes(),
    ...definitionRoutes({ store, drafts, publisher }),
    ...triggerRoutes(
      triggers,
      contributed.fields.filter((field) => field.of === 'trigger'),
    ),
    ...runRoutes(runs),
    ...payloadRoutes({ knex }),
    ...contributed.routes.map(({ plugin, route }) => pluginRoute(plugin, route)),
  ];
}
