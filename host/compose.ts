/** Who is made of what: the only file that knows the container. */
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import {
  BatchQueue,
  DRAFT_LIMITS,
  type Gauges,
  type Registry,
  type SchemaValidator,
  type Vocabulary,
  vocabularyOf,
} from '@ductor/core';
import type { Server, ServerRoute } from '@hapi/hapi';
import type { Logger } from 'pino';
import { container, type DependencyContainer, type InjectionToken, instanceCachingFactory } from 'tsyringe';
import type { ServiceMap } from './boot/contribute.ts';
import { type Contributed, registryOf } from './boot/contributed.ts';
import { pluginServices } from './boot/plugin-services.ts';
import type { Config } from './config/config.ts';
import type { Connectors } from './connectors.ts';
import { Credentials } from './credentials/credentials.ts';
import type { KeyRing } from './credentials/key-ring.ts';
import { CredentialResolver } from './credentials/resolver.ts';
import { catalogueOf } from './definitions/action-catalogue.ts';
import { DefinitionChecks } from './definitions/definition-checks.ts';
import { DefinitionDrafts } from './definitions/definition-drafts.ts';
import { DefinitionPublisher } from './definitions/definition-publisher.ts';
import { DatabaseClock } from './engine/database-clock.ts';
import { createEngine, type Engine } from './engine/engine.ts';
import { randomIds } from './engine/random-ids.ts';
import { startByEvent } from './events/event-triggers.ts';
import { apiRoutes } from './http/api-routes.ts';
import { runFilter } from './http/run-filter.ts';
import { createServer } from './http/server.ts';
import { type ApiKeys, createApiKeys } from './keys/api-keys.ts';
import { componentLog } from './log.ts';
import { OperationRunner } from './operations/operation-runner.ts';
import { runControlOperation } from './operations/run-control.operation.ts';
import { ConnectorPools } from './pool/connector-pools.ts';
import { apiKeyTable } from './postgres/api-keys.ts';
import type { Database } from './postgres/connection.ts';
import { credentialKinds, findCredential } from './postgres/credentials.ts';
import { PostgresDefinitionStore } from './postgres/definition-store.ts';
import { runUsage } from './postgres/entitlements.ts';
import { liveDeployment } from './postgres/releases.ts';
import { runStanding, runsByKey } from './postgres/runs/by-key.ts';
import { readPolicy } from './postgres/tenants.ts';
import { rowWriter } from './postgres/write-rows.ts';
import { Observers } from './telemetry/observers.ts';
import { TenantPolicies } from './tenants/tenant-policies.ts';
import { Addresses } from './trigger/addresses.ts';
import { Admission } from './trigger/admission.ts';
import { childWorkflows } from './trigger/child-workflows.ts';
import { followUps } from './trigger/follow-up.ts';
import { TriggerService } from './trigger/trigger-service.ts';

const token = <T>(name: string): InjectionToken<T> => Symbol(name) as InjectionToken<T>;

const CONFIG = token<Config>('config');
const LOG = token<Logger>('log');
const DATABASE = token<Database>('database');
const CONTRIBUTED = token<Contributed>('contributed');
const CONNECTORS = token<Connectors>('connectors');
const HOST = token<Identity>('host');
const CLOCK = token<DatabaseClock>('clock');
const OBSERVERS = token<Observers>('observers');
const REGISTRY = token<Registry>('registry');
const VOCABULARY = token<Vocabulary>('vocabulary');
const VALIDATOR = token<SchemaValidator>('validator');
const DEFINITIONS = token<PostgresDefinitionStore>('definitions');
const DRAFTS = token<DefinitionDrafts>('drafts');
const PUBLISHER = token<DefinitionPublisher>('publisher');
const KEY_RING = token<KeyRing>('key ring');
const RESOLVER = token<CredentialResolver>('credential resolver');
const CREDENTIALS = token<Credentials>('credentials');
const POOLS = token<ConnectorPools>('pools');
const ENGINE = token<Engine>('engine');
const ADDRESSES = token<Addresses>('addresses');
const TRIGGERS = token<TriggerService>('triggers');
const FOLLOW_UP = token<ReturnType<typeof followUps>>('followUp');
const KEYS = token<ApiKeys>('keys');
const POLICIES = token<TenantPolicies>('policies');
const OPERATIONS = token<OperationRunner>('operations');
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
  const one = <T>(name: InjectionToken<T>, make: (from: DependencyContainer) => T) =>
    scope.register(name, { useFactory: instanceCachingFactory(make) });

  scope.register(CONFIG, { useValue: given.config });
  scope.register(LOG, { useValue: given.log });
  scope.register(DATABASE, { useValue: given.database });
  scope.register(CONNECTORS, { useValue: given.connectors });
  scope.register(HOST, { useValue: { hostId: randomUUID(), dataId: given.dataId, confined: given.confined } });
  one(CLOCK, () => new DatabaseClock());
  one(OBSERVERS, observers);
  one(REGISTRY, (from) => registryOf(from.resolve(CONTRIBUTED)));
  one(VOCABULARY, vocabulary);
  scope.register(VALIDATOR, { useValue: given.schemas });
  one(DEFINITIONS, (from) => new PostgresDefinitionStore(from.resolve(DATABASE).knex));
  one(DRAFTS, drafts);
  one(PUBLISHER, publisher);
  scope.register(KEY_RING, { useValue: given.keyRing });
  one(RESOLVER, resolver);
  one(CREDENTIALS, credentials);
  one(POOLS, pools);
  one(ENGINE, engine);
  one(ADDRESSES, (from) => new Addresses({ hot: from.resolve(DATABASE).hot, versions: from.resolve(DEFINITIONS) }));
  one(TRIGGERS, triggers);
  one(FOLLOW_UP, followUp);
  one(KEYS, (from) => createApiKeys({ table: apiKeyTable(from.resolve(DATABASE).knex), ids: randomIds }));
  one(POLICIES, (from) => new TenantPolicies((id) => readPolicy(from.resolve(DATABASE).knex, id)));
  one(OPERATIONS, operations);
  one(ROUTES, routes);

  return {
    services: pluginServices({
      database: () => scope.resolve(DATABASE),
      triggers: () => scope.resolve(TRIGGERS),
      followUp: (seed) => scope.resolve(FOLLOW_UP)(seed),
      events: () => scope.resolve(ENGINE).events,
      credentials: () => scope.resolve(RESOLVER),
      clock: () => scope.resolve(CLOCK),
      observers: () => scope.resolve(OBSERVERS),
      gauges: () => gauges(scope),
      wake: (runIds) => scope.resolve(ENGINE).wakeups.push(runIds),
    }),
    keys: scope.resolve(KEYS),
    contributed(contributed) {
      scope.register(CONTRIBUTED, { useValue: contributed });
      return {
        engine: scope.resolve(ENGINE),
        pools: scope.resolve(POOLS),
        triggers: scope.resolve(TRIGGERS),
        operations: scope.resolve(OPERATIONS),
        server: () => server(scope, given),
      };
    },
  };
}

function observers(from: DependencyContainer): Observers {
  const log = componentLog(from.resolve(LOG), 'telemetry');
  return new Observers((what, error) => log.error({ err: error }, `${what} failed`));
}

function gauges(from: DependencyContainer): Gauges {
  const engine = from.resolve(ENGINE);
  return { queues: engine.queues(), pools: from.resolve(POOLS).state(), sweepLagMs: engine.sweepLagMs() };
}

function vocabulary(from: DependencyContainer): Vocabulary {
  const { fields, disabledStepTypes, disabledFields } = from.resolve(CONTRIBUTED);
  const limits = { ...DRAFT_LIMITS, steps: from.resolve(CONFIG).limits.stepsPerDefinition };
  return vocabularyOf({ types: from.resolve(REGISTRY).steps, fields, disabledStepTypes, disabledFields, limits });
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
      credentials: async (tenantId) => {
        const kinds = await credentialKinds(from.resolve(DATABASE).knex, tenantId);
        return new Map(kinds.map(({ name, connector, auth }) => [name, { connector, auth }]));
      },
    },
  });
  return new DefinitionPublisher({
    store: from.resolve(DEFINITIONS),
    drafts: from.resolve(DRAFTS),
    checks,
    entitlements: async (tenantId) => (await from.resolve(POLICIES).of(tenantId)).entitlements,
    hooks,
    writeRows: rowWriter(tables),
    clock: from.resolve(CLOCK),
    ids: randomIds,
  });
}

function resolver(from: DependencyContainer): CredentialResolver {
  const { knex } = from.resolve(DATABASE);
  return new CredentialResolver({
    find: (tenantId, name) => findCredential(knex, tenantId, { name }),
    keys: from.resolve(KEY_RING),
  });
}

function credentials(from: DependencyContainer): Credentials {
  const { enabled } = from.resolve(CONNECTORS);
  return new Credentials({
    knex: from.resolve(DATABASE).knex,
    keys: from.resolve(KEY_RING),
    resolver: from.resolve(RESOLVER),
    connectors: () => Promise.resolve(enabled),
    schemas: from.resolve(VALIDATOR),
    wake: (runIds) => from.resolve(ENGINE).wakeups.push(runIds),
    ids: randomIds,
  });
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

function pools(from: DependencyContainer): ConnectorPools {
  const { mode, connectors, limits } = from.resolve(CONFIG);
  return new ConnectorPools({
    catalogue: from.resolve(CONNECTORS),
    credentials: from.resolve(RESOLVER).resolve,
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
  const contributed = from.resolve(CONTRIBUTED);
  const { tables, plugins } = contributed;
  const { hostId, dataId } = from.resolve(HOST);
  return createEngine({
    hot: from.resolve(DATABASE).hot,
    clock: from.resolve(CLOCK),
    registry: from.resolve(REGISTRY),
    tables,
    disabled: contributed,
    definitions: from.resolve(DEFINITIONS),
    missingCredentials: from.resolve(RESOLVER).missing,
    children: childWorkflows({
      addresses: from.resolve(ADDRESSES),
      definitions: from.resolve(DEFINITIONS),
      validator: from.resolve(VALIDATOR),
      maxDepth: from.resolve(CONFIG).limits.nestingDepth,
    }),
    pool: from.resolve(POOLS),
    startByEvent: (...run) => startByEvent(from.resolve(TRIGGERS), triggerFields(from))(...run),
    lease: { hostId, dataId, name: hostname(), plugins: plugins.map(({ id, version }) => ({ id, version })) },
    log: componentLog(from.resolve(LOG), 'engine'),
    tell: from.resolve(OBSERVERS).tell,
    cacheBytes: CACHE_BYTES,
    drainMs: DRAIN_MS,
  });
}

function followUp(from: DependencyContainer) {
  const { store, starter, definitions } = from.resolve(ENGINE);
  const versions = from.resolve(DEFINITIONS);
  return followUps({
    store,
    starter,
    prepare: definitions.prepare,
    define: (workflow, of) => versions.define(workflow, of),
  });
}

function triggers(from: DependencyContainer): TriggerService {
  const { coordinator, starter } = from.resolve(ENGINE);
  const { hot } = from.resolve(DATABASE);
  const keys = new BatchQueue((asked: Parameters<typeof runsByKey>[1]) => runsByKey(hot, asked));
  return new TriggerService({
    admission: new Admission({
      policies: from.resolve(POLICIES),
      clock: from.resolve(CLOCK),
      liveDeployment: (tenantId) => liveDeployment(hot, tenantId),
      usage: (tenantId, about) => runUsage(hot, tenantId, about),
    }),
    coordinator,
    starter,
    clock: from.resolve(CLOCK),
    standing: (runId) => runStanding(hot, runId),
    byKey: (tenantId, key) => keys.add({ tenantId, ...key }),
    addresses: from.resolve(ADDRESSES),
    definitions: from.resolve(DEFINITIONS),
    validator: from.resolve(VALIDATOR),
    tell: from.resolve(OBSERVERS).tell,
    fields: triggerFields(from),
  });
}

const triggerFields = (from: DependencyContainer) =>
  from.resolve(CONTRIBUTED).fields.filter((field) => field.of === 'trigger');

function operations(from: DependencyContainer): OperationRunner {
  const { wakeups } = from.resolve(ENGINE);
  const log = componentLog(from.resolve(LOG), 'operations');
  const { ofKept: filterOf } = runFilter(from.resolve(CONTRIBUTED).tables);
  return new OperationRunner({
    knex: from.resolve(DATABASE).knex,
    kinds: [runControlOperation({ filterOf, ids: randomIds, wake: (runIds) => wakeups.push(runIds) })],
    failed: (operationId, error) =>
      log.error({ err: error, operation_id: operationId }, 'a page of an operation failed'),
  });
}

function routes(from: DependencyContainer): readonly ServerRoute[] {
  const { coordinator, definitions: prepared, wakeups, events } = from.resolve(ENGINE);
  return apiRoutes({
    database: from.resolve(DATABASE),
    contributed: from.resolve(CONTRIBUTED),
    store: from.resolve(DEFINITIONS),
    drafts: from.resolve(DRAFTS),
    publisher: from.resolve(PUBLISHER),
    apiKeys: from.resolve(KEYS),
    policies: from.resolve(POLICIES),
    vocabulary: from.resolve(VOCABULARY),
    triggers: from.resolve(TRIGGERS),
    operations: from.resolve(OPERATIONS),
    pools: from.resolve(POOLS),
    credentials: from.resolve(CREDENTIALS),
    keyRing: from.resolve(KEY_RING),
    prepare: prepared.prepare,
    feed: coordinator.feed,
    events,
    schemas: from.resolve(VALIDATOR),
    wake: (runIds) => wakeups.push(runIds),
    clock: from.resolve(CLOCK),
    confined: from.resolve(HOST).confined,
    log: componentLog(from.resolve(LOG), 'http'),
  });
}

function server(from: DependencyContainer, { checkAnswers }: Given): Promise<Server> {
  const { server: address, limits } = from.resolve(CONFIG);
  return createServer({
    routes: from.resolve(ROUTES),
    disabledRoutes: from.resolve(CONTRIBUTED).disabledRoutes,
    keys: from.resolve(KEYS),
    log: componentLog(from.resolve(LOG), 'http'),
    tell: from.resolve(OBSERVERS).tell,
    host: address.host,
    port: address.port,
    maxBodyBytes: limits.requestBodyBytes,
    checkAnswers,
  });
}
