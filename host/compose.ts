/** Who is made of what: the only file that knows the container. */
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import type { SchemaValidator } from '@ductor/core';
import type { Server } from '@hapi/hapi';
import type { Logger } from 'pino';
import { container, instanceCachingFactory } from 'tsyringe';
import type { ServiceMap } from './boot/contribute.ts';
import { type Contributed, registryOf } from './boot/contributed.ts';
import { pluginServices } from './boot/plugin-services.ts';
import { credentials, pools, resolver } from './compose/connectors.ts';
import { drafts, publisher, vocabulary } from './compose/definitions.ts';
import { engine, gauges, observers } from './compose/engine.ts';
import { routes, server } from './compose/http.ts';
import {
  ADDRESSES,
  CLOCK,
  CONFIG,
  CONNECTORS,
  CONTRIBUTED,
  CREDENTIALS,
  DATABASE,
  DEFINITIONS,
  DRAFTS,
  ENGINE,
  FOLLOW_UP,
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
  REGISTRY,
  RESOLVER,
  ROUTES,
  type Token,
  TRIGGERS,
  VALIDATOR,
  VOCABULARY,
} from './compose/tokens.ts';
import { followUp, operations, triggers } from './compose/triggers.ts';
import type { Config } from './config/config.ts';
import type { Connectors } from './connectors.ts';
import type { KeyRing } from './credentials/key-ring.ts';
import { DatabaseClock } from './engine/database-clock.ts';
import type { Engine } from './engine/engine.ts';
import { randomIds } from './engine/random-ids.ts';
import { type ApiKeys, createApiKeys } from './keys/api-keys.ts';
import type { OperationRunner } from './operations/operation-runner.ts';
import type { ConnectorPools } from './pool/connector-pools.ts';
import { apiKeyTable } from './postgres/api-keys.ts';
import type { Database } from './postgres/connection.ts';
import { PostgresDefinitionStore } from './postgres/definition-store.ts';
import { readPolicy } from './postgres/tenants.ts';
import { TenantPolicies } from './tenants/tenant-policies.ts';
import { Addresses } from './trigger/addresses.ts';
import type { TriggerService } from './trigger/trigger-service.ts';

/** What boot has made before the container: values, and the plugins' contributions once they are frozen. */
export interface Given {
  readonly config: Config;
  readonly log: Logger;
  readonly database: Database;
  readonly connectors: Connectors;
  readonly keyRing: KeyRing;
  readonly schemas: SchemaValidator;
  readonly dataId: string;
  readonly confined: boolean;
  readonly checkAnswers: boolean;
}

export interface Composition {
  /** What stands behind plugins' refs; it comes to life with `contributed`. */
  readonly services: ServiceMap;
  readonly keys: ApiKeys;
  /** To be called once: the engine's vocabulary is frozen with it. */
  contributed(contributed: Contributed): Composed;
}

export interface Composed {
  readonly engine: Engine;
  readonly pools: ConnectorPools;
  /** How runs start without the REST API. */
  readonly triggers: TriggerService;
  readonly operations: OperationRunner;
  server(): Promise<Server>;
}

export function compose(given: Given): Composition {
  const scope = container.createChildContainer();
  const get: Get = (name) => scope.resolve(name);
  const one = <T>(name: Token<T>, make: (get: Get) => T) =>
    scope.register<T>(name, { useFactory: instanceCachingFactory(() => make(get)) });

  scope.register(CONFIG, { useValue: given.config });
  scope.register(LOG, { useValue: given.log });
  scope.register(DATABASE, { useValue: given.database });
  scope.register(CONNECTORS, { useValue: given.connectors });
  scope.register(HOST, { useValue: { hostId: randomUUID(), dataId: given.dataId, confined: given.confined } });
  one(CLOCK, () => new DatabaseClock());
  one(OBSERVERS, observers);
  one(REGISTRY, () => registryOf(get(CONTRIBUTED)));
  one(VOCABULARY, vocabulary);
  scope.register(VALIDATOR, { useValue: given.schemas });
  one(DEFINITIONS, () => new PostgresDefinitionStore(get(DATABASE).knex));
  one(DRAFTS, drafts);
  one(PUBLISHER, publisher);
  scope.register(KEY_RING, { useValue: given.keyRing });
  one(RESOLVER, resolver);
  one(CREDENTIALS, credentials);
  one(POOLS, pools);
  one(ENGINE, engine);
  one(ADDRESSES, () => new Addresses({ hot: get(DATABASE).hot, versions: get(DEFINITIONS) }));
  one(TRIGGERS, triggers);
  one(FOLLOW_UP, followUp);
  one(KEYS, () => createApiKeys({ table: apiKeyTable(get(DATABASE).knex), ids: randomIds }));
  one(POLICIES, () => new TenantPolicies((id) => readPolicy(get(DATABASE).knex, id)));
  one(OPERATIONS, operations);
  one(ROUTES, routes);

  return {
    services: pluginServices({
      database: () => get(DATABASE),
      triggers: () => get(TRIGGERS),
      followUp: (seed) => get(FOLLOW_UP)(seed),
      events: () => get(ENGINE).events,
      credentials: () => get(RESOLVER),
      clock: () => get(CLOCK),
      observers: () => get(OBSERVERS),
      gauges: () => gauges(get),
      wake: (runIds) => get(ENGINE).wakeups.push(runIds),
    }),
    keys: get(KEYS),
    contributed(contributed) {
      scope.register(CONTRIBUTED, { useValue: contributed });
      return {
        engine: get(ENGINE),
        pools: get(POOLS),
        triggers: get(TRIGGERS),
        operations: get(OPERATIONS),
        server: () => server(get, given.checkAnswers),
      };
    },
  };
}
