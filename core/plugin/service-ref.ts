import type { Graph } from '../definition/graph.ts';
import type { ChainId, Json, JsonObject, RunId, TenantId } from '../json.ts';
import type { Clock } from '../ports/clock.ts';
import type { Gauges, Observer } from '../ports/observer.ts';
import type { Actor, Message } from '../run/arrival.ts';
import type { NodeAddress } from '../run/node.ts';
import type { Priority } from '../run/run.ts';
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

/** The one way to start a run outside of ticks; passes every `start` hook. */
export interface Trigger {
  start(seed: {
    readonly tenantId: TenantId;
    readonly workflow: { readonly slug: string; readonly version: number | 'latest' };
    readonly input: Json;
    readonly idempotencyKey: string;
    /** Default: `normal`. */
    readonly priority?: Priority;
    readonly fields?: JsonObject;
  }): Promise<{ readonly runId: RunId; readonly existed: boolean }>;
  /**
   * A run that sees to what another one has left, as its child: of a graph that was never published, on what that run's
   * version was published with. The same key for the same run again: the same run.
   */
  followUp(seed: {
    readonly tenantId: TenantId;
    readonly runId: RunId;
    readonly kind: string;
    readonly graph: Graph;
    readonly input: Json;
    readonly idempotencyKey: string;
  }): Promise<{ readonly runId: RunId; readonly existed: boolean }>;
  /** Which names of `fields` callers may give: the plugins' words of a trigger. */
  words(): readonly string[];
}

export interface EventPublisher {
  /** Kept before anybody is told. One name has an `eventId` once: the same again does nothing, and `matched` is 0. */
  publish(
    tenantId: TenantId,
    event: {
      readonly eventName: string;
      readonly correlationKey: string;
      /** `null`: it is given one. */
      readonly eventId: string | null;
      readonly payload: Json;
    },
  ): Promise<{ readonly eventId: string; readonly matched: number }>;
}

/** Secrets, for a plugin that speaks to another system itself: to be used at once, and never kept, logged or shown. */
export interface CredentialReader {
  /**
   * `null`: the tenant has none of that name. Changes made on other hosts are seen within two seconds. Throws `DuctorError`
   * (`failed_precondition`) for one that no key of this host opens.
   */
  read(
    tenantId: TenantId,
    name: string,
  ): Promise<{ readonly values: JsonObject; readonly secretFields: readonly string[] } | null>;
}

/** Changes that somebody has made over the API, in the audit log. */
export interface Audit {
  /** One statement, in which `:name` stands for a value, and its entry: both or neither, and no entry for no row. */
  change<Row>(
    statement: {
      readonly text: string;
      readonly values: { readonly [name: string]: string | number | boolean | null };
    },
    entry: {
      readonly tenantId: TenantId;
      readonly actor: Actor;
      /** What was changed and how: `webhook.create`. */
      readonly action: string;
      /** The id of what was changed. */
      readonly target: string;
      /** No secrets. */
      readonly details?: JsonObject;
    },
  ): Promise<readonly Row[]>;
}

/** What a list was asked for by `page_size`, `page_token` and `order`. */
export interface PageRequest {
  readonly size: number;
  readonly order: 'asc' | 'desc';
  /** The key of the last item of the page before, as `page` was told it. */
  readonly after: Json | null;
  /** Everything else that was asked: a token is good only for the question it came from. */
  readonly question: Json;
}

/** Lists page as all of the API's do. */
export interface Lists {
  /** `request`: hapi's, its query validated. Throws `DuctorError` for a token of another list. */
  asked(
    request: { readonly path: string; readonly query: { readonly [name: string]: unknown } },
    order: 'asc' | 'desc',
  ): PageRequest;
  /** One page from up to `size + 1` rows. */
  page<Row, Item>(
    asked: PageRequest,
    rows: readonly Row[],
    view: { readonly keyOf: (row: Row) => Json; readonly show: (row: Row) => Item },
  ): { readonly items: readonly Item[]; readonly next_page_token: string | null };
}

/** The database's clock, as this host knows it. */
export interface DatabaseTime extends Clock {
  /** What statements add to `clock_timestamp()`, as an interval: nothing, unless a test has moved time on. */
  offset(): string;
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
  clock: serviceRef<DatabaseTime>('clock'),
  telemetry: serviceRef<Telemetry>('telemetry'),
  events: serviceRef<EventPublisher>('events'),
  credentials: serviceRef<CredentialReader>('credentials'),
  audit: serviceRef<Audit>('audit'),
  lists: serviceRef<Lists>('lists'),
} as const;
