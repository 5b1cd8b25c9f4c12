import type { Instant, Json } from '../json.ts';
import type { Expression } from '../schema.ts';
import type { AttemptOutcome } from './attempt.ts';
import type { NextAttempt } from './node.ts';
import type { Reason } from './reason.ts';

/** One index entry that published events are matched against. `lookbackMs`: look back once after the commit. */
export type Subscription = {
  readonly name: string;
  readonly eventName: string;
  readonly correlationKey: string;
  readonly match: Expression<'event', boolean> | null;
  /** How many events it takes. Default: 1. */
  readonly count?: number;
  readonly lookbackMs?: number;
};

/** One of several of its node. */
export type PlacedSubscription = Subscription & { readonly place: number };

/** Rows that the node must see at its next arrival: loaded before the tick, handed over as facts. */
export type Need = { readonly table: string; readonly key: Json };

/** What a parked node waits for. Its rows in eec_workflow_wait, its next wake and mostly its reason follow from it. */
export type Wait = { readonly wakeAt?: Instant; readonly needs?: readonly Need[] } & (
  | { readonly kind: 'timer'; readonly wakeAt: Instant }
  | { readonly kind: 'signal'; readonly name?: string }
  | { readonly kind: 'event'; readonly subscriptions: readonly Subscription[] }
  /** Of branches at most `maxInFlight` run at a time, and of a `batch` each `size` may start `intervalMs` after the last. */
  | {
      readonly kind: 'children';
      readonly maxInFlight?: number;
      readonly batch?: { readonly size: number; readonly intervalMs: number };
    }
  /** Only for its needs: the next tick brings them. */
  | { readonly kind: 'facts' }
  /** For its own plugin's word; it explains itself, since core cannot. */
  | { readonly kind: 'message'; readonly reason: Reason }
  /** The engine's own: its next attempt needs a credential that does not exist. */
  | { readonly kind: 'credential'; readonly name: string; readonly next: NextAttempt }
  /** The engine's own: nobody knows what came of the last attempt. */
  | { readonly kind: 'operator'; readonly unknown: AttemptOutcome }
);

/** A row of eec_workflow_wait as the commit inserts it; `node` is empty for a wait of the run itself. */
export interface WaitRow {
  readonly node: string;
  /** Tells the rows of one node apart: a subscription's name, else what is waited for. */
  readonly name: string;
  readonly kind: Wait['kind'] | 'retry' | 'start' | 'run_timeout';
  readonly dueAt: Instant | null;
  /** `place`: an event is for the first of a node's subscriptions that has room for it. */
  readonly subscription?: PlacedSubscription;
  /** The name that is waited for. */
  readonly credential?: string;
}
