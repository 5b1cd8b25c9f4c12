/** Who is made of what: the only file that knows the container. */
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { DRAFT_LIMITS, type Registry, type SchemaValidator, type Vocabulary, vocabularyOf } from '@ductor/core';
import type { Server, ServerRoute } from '@hapi/hapi';
import type { Logger } from 'pino';
import { container, type DependencyContainer, type InjectionToken, instanceCachingFactory } from 'tsyringe';
import type { ServiceMap } from './boot/contribute.ts';
import { type Contributed, registryOf } from './boot/contributed.ts';
import { pluginServices } from './boot/plugin-services.ts';
import type { Config } from './config/config.ts';
import type { Connectors } from './connectors.ts';
import { catalogueOf } from './definitions/action-catalogue.ts';
import { DefinitionChecks } from './definitions/definition-checks.ts';
import { DefinitionDrafts } from './definitions/definition-drafts.ts';
import { DefinitionPublisher } from './definitions/definition-publisher.ts';
import { DatabaseClock } from './engine/database-clock.ts';
import { createEngine, type Engine } from './engine/engine.ts';
import { randomIds } from './engine/random-ids.ts';
import { apiRoutes } from './http/api-routes.ts';
import { createServer } from './http/server.ts';
import { type ApiKeys, createApiKeys } from './keys/api-keys.ts';
import { componentLog } from './log.ts';
import { ConnectorPools } from './pool/connector-pools.ts';
import { apiKeyTable } from './postgres/api-keys.ts';
import type { Database } from './postgres/connection.ts';
import { PostgresDefinitionStore } from './postgres/definition-store.ts';
import { runByKey, runStanding } from './postgres/runs/by-key.ts';
import { rowWriter } from './postgres/write-rows.ts';
import { Addresses } from './trigger/addresses.ts';
import { TriggerService } from './trigger/trigger-service.ts';

const token = <T>(name: string): InjectionToken<T> => Symbol(name) as InjectionToken<T>;

const CONFIG = token<Config>('config');
const LOG = token<Logger>('log');
const DATABASE = token<Database>('database');
const CONTRIBUTED = token<Contributed>('contributed');
const CONNECTORS = token<Connectors>('connectors');
const HOST = token<Identity>('host');
const CLOCK = token<DatabaseClock>('clock');
const REGISTRY = token<Registry>('registry');
const VOCABULARY = token<Vocabulary>('vocabulary');
const VALIDATOR = token<SchemaValidator>('validator');
const DEFINITIONS = token<PostgresDefinitionStore>('definitions');
const DRAFTS = token<DefinitionDrafts>('drafts');
const PUBLISHER = token<DefinitionPublisher>('publisher');
const POOLS = token<ConnectorPools>('pools');
const ENGINE = token<Engine>('engine');
const TRIGGERS = token<TriggerService>('triggers');
const KEYS = token<ApiKeys>('keys');
const ROUTES = token<readonly ServerRoute[]>('routes');

/** Who this host is. */
export interface Identity {
  readonly hostId: string;
  readonly dataId: string;
  /** Whether permission flags hold in threads here. */
  readonly confined: boolean;
}

/** What boot has made before the container: values, and the plugins' contributions once they are frozen. */
export interface Given {
  readonly config: Config;
  readonly log: Logger;
  readonly database: Database;
  readonly connectors: Connectors;
  readonly schemas: SchemaValidator;
  readonly dataId: string;
  readonly confined: boolean;
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
  server(): Promise<Server>;
}

export function compose(given: Given): Composition {
  const scope = container.createChildContainer();
  const one = <T>(name: InjectionToken<T>, make: (from: DependencyContainer) => T) =>
    scope.register(name, { useFactory: instanceCachingFactory(make) });

  scope.register(CONFIG, { useValue: given.config });
  scope.register(LOG, { useValue: given.log });
  scope.register(DATABASE, { useValue: given.database });
  scope.register(CONNECTORS, { useValue: given.connectors });
  scope.register(HOST, { useValue: { hostId: randomUUID(), dataId: given.dataId, confined: given.confined } });
  one(CLOCK, () => new DatabaseClock());
  one(REGISTRY, (from) => registryOf(from.resolve(CONTRIBUTED)));
  one(VOCABULARY, vocabulary);
  scope.register(VALIDATOR, { useValue: given.schemas });
  one(DEFINITIONS, (from) => new PostgresDefinitionStore(from.resolve(DATABASE).knex));
  one(DRAFTS, drafts);
  one(PUBLISHER, publisher);
  one(POOLS, pools);
  one(ENGINE, engine);
  one(TRIGGERS, triggers);
  one(KEYS, (from) => createApiKeys({ table: apiKeyTable(from.resolve(DATABASE).knex), ids: randomIds }));
  one(ROUTES, routes);

  return {
    services: pluginServices({
      database: () => scope.resolve(DATABASE),
      triggers: () => scope.resolve(TRIGGERS),
      clock: () => scope.resolve(CLOCK),
      wake: (runIds) => scope.resolve(ENGINE).wakeups.push(runIds),
    }),
    keys: scope.resolve(KEYS),
    contributed(contributed) {
      scope.register(CONTRIBUTED, { useValue: contributed });
      return {
        engine: scope.resolve(ENGINE),
        pools: scope.resolve(POOLS),
        triggers: scope.resolve(TRIGGERS),
        server: () => server(scope),
      };
    },
  };
}

function vocabulary(from: DependencyContainer): Vocabulary {
  const { fields, disabledStepTypes } = from.resolve(CONTRIBUTED);
  const limits = { ...DRAFT_LIMITS, steps: from.resolve(CONFIG).limits.stepsPerDefinition };
  return vocabularyOf({ types: from.resolve(REGISTRY).steps, fields, disabledStepTypes, limits });
}

function drafts(from: DependencyContainer): DefinitionDrafts {
  return new DefinitionDrafts({
    store: from.resolve(DEFINITIONS),
    vocabulary: from.resolve(VOCABULARY),
    clock: from.resolve(CLOCK),
    ids: randomIds,
  });
}

function publisher(from: DependencyContainer): DefinitionPublisher {
  const { hooks, tables } = from.resolve(CONTRIBUTED);
  const actions = catalogueOf(from.resolve(CONNECTORS).enabled);
  const checks = new DefinitionChecks({
    vocabulary: from.resolve(VOCABULARY),
    schemas: from.resolve(VALIDATOR),
    resources: {
      actions: () => Promise.resolve(actions),
      credentialNames: () => Promise.resolve(new Set<string>()),
    },
  });
  return new DefinitionPublisher({
    store: from.resolve(DEFINITIONS),
    drafts: from.resolve(DRAFTS),
    checks,
    hooks,
    writeRows: rowWriter(tables),
    clock: from.resolve(CLOCK),
    ids: randomIds,
  });
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

function pools(from: DependencyContainer): ConnectorPools {
  const { mode, connectors, limits } = from.resolve(CONFIG);
  return new ConnectorPools({
    catalogue: from.resolve(CONNECTORS),
    credentials: () => Promise.resolve(null),
    limits: { maxOutputBytes: limits.stepOutputBytes },
    schemas: from.resolve(VALIDATOR),
    privateNetworks: [...connectors.privateNetworks, ...(mode === 'development' ? LOOPBACK : [])],
    log: componentLog(from.resolve(LOG), 'pool'),
    confined: from.resolve(HOST).confined,
  });
}

/** Memory for the states of runs, and time that a stop gives to attempts in flight. */
const CACHE_BYTES = 64 * 1024 * 1024;
const DRAIN_MS = 10_000;

function engine(from: DependencyContainer): Engine {
  const { tables, plugins, disabledStepTypes } = from.resolve(CONTRIBUTED);
  const { hostId, dataId } = from.resolve(HOST);
  return createEngine({
    hot: from.resolve(DATABASE).hot,
    clock: from.resolve(CLOCK),
    registry: from.resolve(REGISTRY),
    tables,
    disabledStepTypes,
    definitions: from.resolve(DEFINITIONS),
    pool: from.resolve(POOLS),
    lease: { hostId, dataId, name: hostname(), plugins: plugins.map(({ id, version }) => ({ id, version })) },
    log: componentLog(from.resolve(LOG), 'engine'),
    cacheBytes: CACHE_BYTES,
    drainMs: DRAIN_MS,
  });
}

function triggers(from: DependencyContainer): TriggerService {
  const { coordinator, starter } = from.resolve(ENGINE);
  const { hot } = from.resolve(DATABASE);
  return new TriggerService({
    coordinator,
    starter,
    clock: from.resolve(CLOCK),
    standing: (runId) => runStanding(hot, runId),
    byKey: (tenantId, key) => runByKey(hot, tenantId, key),
    addresses: new Addresses({ hot, versions: from.resolve(DEFINITIONS) }),
    definitions: from.resolve(DEFINITIONS),
    validator: from.resolve(VALIDATOR),
    fields: from.resolve(CONTRIBUTED).fields.filter((field) => field.of === 'trigger'),
  });
}

function routes(from: DependencyContainer): readonly ServerRoute[] {
  const { coordinator, definitions: prepared, wakeups } = from.resolve(ENGINE);
  return apiRoutes({
    database: from.resolve(DATABASE),
    contributed: from.resolve(CONTRIBUTED),
    store: from.resolve(DEFINITIONS),
    drafts: from.resolve(DRAFTS),
    publisher: from.resolve(PUBLISHER),
    triggers: from.resolve(TRIGGERS),
    pools: from.resolve(POOLS),
    prepare: prepared.prepare,
    feed: coordinator.feed,
    wake: (runIds) => wakeups.push(runIds),
    clock: from.resolve(CLOCK),
    confined: from.resolve(HOST).confined,
    log: componentLog(from.resolve(LOG), 'http'),
  });
}

function server(from: DependencyContainer): Promise<Server> {
  const { server: address, limits } = from.resolve(CONFIG);
  return createServer({
    routes: from.resolve(ROUTES),
    keys: from.resolve(KEYS),
    log: componentLog(from.resolve(LOG), 'http'),
    host: address.host,
    port: address.port,
    maxBodyBytes: limits.requestBodyBytes,
  });
}
