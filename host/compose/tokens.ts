/** The parts of a host, by name. */
import type { Registry, SchemaValidator, Vocabulary } from '@ductor/core';
import type { ServerRoute } from '@hapi/hapi';
import type { Logger } from 'pino';
import type { Contributed } from '../boot/contributed.ts';
import type { Config } from '../config/config.ts';
import type { Connectors } from '../connectors.ts';
import type { Credentials } from '../credentials/credentials.ts';
import type { KeyRing } from '../credentials/key-ring.ts';
import type { CredentialResolver } from '../credentials/resolver.ts';
import type { DefinitionDrafts } from '../definitions/definition-drafts.ts';
import type { DefinitionPublisher } from '../definitions/definition-publisher.ts';
import type { DatabaseClock } from '../engine/database-clock.ts';
import type { Engine } from '../engine/engine.ts';
import type { ApiKeys } from '../keys/api-keys.ts';
import type { OperationRunner } from '../operations/operation-runner.ts';
import type { ConnectorPools } from '../pool/connector-pools.ts';
import type { Database } from '../postgres/connection.ts';
import type { PostgresDefinitionStore } from '../postgres/definition-store.ts';
import type { Observers } from '../telemetry/observers.ts';
import type { TenantPolicies } from '../tenants/tenant-policies.ts';
import type { Addresses } from '../trigger/addresses.ts';
import type { followUps } from '../trigger/follow-up.ts';
import type { TriggerService } from '../trigger/trigger-service.ts';

/** Names what a part is found by. */
export type Token<T> = symbol & { readonly __part?: T };

/** Answers with a part, made when it is first asked for. */
export type Get = <T>(token: Token<T>) => T;

const token = <T>(name: string): Token<T> => Symbol(name) as Token<T>;

/** Who this host is. */
export interface Identity {
  readonly hostId: string;
  readonly dataId: string;
  /** Whether permission flags hold in threads here. */
  readonly confined: boolean;
}

export const CONFIG = token<Config>('config');
export const LOG = token<Logger>('log');
export const DATABASE = token<Database>('database');
export const CONTRIBUTED = token<Contributed>('contributed');
export const CONNECTORS = token<Connectors>('connectors');
export const HOST = token<Identity>('host');
export const CLOCK = token<DatabaseClock>('clock');
export const OBSERVERS = token<Observers>('observers');
export const REGISTRY = token<Registry>('registry');
export const VOCABULARY = token<Vocabulary>('vocabulary');
export const VALIDATOR = token<SchemaValidator>('validator');
export const DEFINITIONS = token<PostgresDefinitionStore>('definitions');
export const DRAFTS = token<DefinitionDrafts>('drafts');
export const PUBLISHER = token<DefinitionPublisher>('publisher');
export const KEY_RING = token<KeyRing>('key ring');
export const RESOLVER = token<CredentialResolver>('credential resolver');
export const CREDENTIALS = token<Credentials>('credentials');
export const POOLS = token<ConnectorPools>('pools');
export const ENGINE = token<Engine>('engine');
export const ADDRESSES = token<Addresses>('addresses');
export const TRIGGERS = token<TriggerService>('triggers');
export const FOLLOW_UP = token<ReturnType<typeof followUps>>('followUp');
export const KEYS = token<ApiKeys>('keys');
export const POLICIES = token<TenantPolicies>('policies');
export const OPERATIONS = token<OperationRunner>('operations');
export const ROUTES = token<readonly ServerRoute[]>('routes');
