import type { ChainId, Json, JsonObject, RunId, TenantId } from '../json.ts';
import type { Clock } from '../ports/clock.ts';
import type { Gauges, Observer } from '../ports/observer.ts';
import type { Message } from '../run/arrival.ts';
import type { NodeAddress } from '../run/node.ts';
import type { Evaluate, Expression } from '../schema.ts';

/** A name with a type. The host knows what stands behind it; the plugin receives it by that type. */
export interface ServiceRef<T> {
  readonly id: string;
  readonly __service?: T;
}
export const serviceRef = <T>(id: string): ServiceRef<T> => ({ id });

export type ServiceRefs = { readonly [name: string]: ServiceRef<unknown> };
export type Resolved<R extends ServiceRefs> = {
  readonly [K in keyof R]: R[K] extends ServiceRef<infer T> ? T : never;
};

export interface Database {
  /** `$1`, `$2`, … stand for `values`. */
  query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/** The one way to start a run; passes every `start` hook. */
export interface Trigger {
  start(seed: {
    readonly tenantId: TenantId;
    readonly workflow: { readonly slug: string; readonly version: number | 'latest' };
    readonly input: Json;
    readonly idempotencyKey: string;
    readonly fields?: JsonObject;
  }): Promise<{ readonly runId: RunId; readonly existed: boolean }>;
}

export interface Inbox {
  tell(chainId: ChainId, at: NodeAddress, message: Message): Promise<void>;
}

export interface Expressions {
  compile<A extends string, V>(source: string, ...awaits: readonly A[]): Expression<A, V>;
  readonly evaluate: Evaluate;
}

/** What this host does and how much waits in it: for counters and spans. */
export interface Telemetry {
  /** For as long as the host lives. */
  observe(observer: Observer): void;
  gauges(): Gauges;
}

/** What every host provides. A plugin's `api.ts` may export more. */
export const refs = {
  database: serviceRef<Database>('database'),
  trigger: serviceRef<Trigger>('trigger'),
  inbox: serviceRef<Inbox>('inbox'),
  expressions: serviceRef<Expressions>('expressions'),
  clock: serviceRef<Clock>('clock'),
  telemetry: serviceRef<Telemetry>('telemetry'),
} as const;
