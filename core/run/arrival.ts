import type { Failure } from '../errors.ts';
import type { AttemptId, Instant, Json, Ref, RowId, RunId } from '../json.ts';
import type { AttemptKey, AttemptOutcome } from './attempt.ts';
import type { RunControl } from './control.ts';
import type { NodeAddress, NodeKey } from './node.ts';

/** Who asked: `key:ops`, `engine`. */
export type Actor = string;

/** What an operator says of an attempt whose outcome nobody knows. */
export type Resolution =
  | { readonly as: 'completed'; readonly output: Json }
  | { readonly as: 'failed'; readonly message: string }
  | { readonly as: 'retry' };

/** An operator's intent. The tick decides; one is applied a tick. */
export type Control = {
  readonly id: RowId;
  readonly requestId: string;
  readonly actor: Actor;
  readonly reason: string | null;
  readonly receivedAt: Instant;
} & (
  | { readonly control: RunControl }
  | { readonly control: 'resolveAttempt'; readonly attemptId: AttemptId; readonly resolution: Resolution }
);

export type ControlOutcome =
  | { readonly outcome: 'applied' | 'no_effect' }
  | { readonly outcome: 'refused'; readonly why: string };

/** A child is whatever a step started and hears of again: a node of this graph, a branch, or a run. */
export type ChildKey =
  | { readonly kind: 'node'; readonly ref: Ref }
  | { readonly kind: 'branch'; readonly index: number }
  | { readonly kind: 'run'; readonly runId: RunId };

export type ChildEnd =
  | { readonly status: 'completed'; readonly output: Json }
  | { readonly status: 'failed'; readonly error: Failure }
  | { readonly status: 'cancelled' | 'terminated' }
  | { readonly status: 'merged'; readonly into: RunId }
  /** Its parent wanted to know no more than that. */
  | { readonly status: 'started' }
  /** It could not be started. */
  | { readonly status: 'refused'; readonly error: Failure }
  /** Not over: it has passed the checkpoint that its parent waits for. */
  | { readonly status: 'checkpoint'; readonly name: string; readonly output: Json };

export interface Signal {
  readonly verb: 'approve' | 'reject' | 'resolve';
  readonly requestId: string;
  readonly actor: Actor;
  readonly approverId?: string;
  readonly comment?: string;
  readonly payload: Json;
}

/** An event, and the subscription that took it. */
export interface MatchedEvent {
  readonly subscription: string;
  readonly eventId: string;
  readonly payload: Json;
}

/** A plugin's word to one of its nodes, also across runs. */
export interface Message {
  readonly topic: string;
  readonly body: Json;
}

/** One thing that happened to one node; ordered by the database, consumed by the commit. */
export type Arrival =
  | {
      readonly kind: 'outcome';
      readonly at: NodeAddress;
      readonly attempt: AttemptKey;
      readonly outcome: AttemptOutcome;
      /** Where and when it ran, as its worker says; `null` where no worker lived to say it. */
      readonly report: AttemptReport | null;
      /** Already on its row, by an earlier statement; otherwise this tick's commit writes it. */
      readonly recorded: boolean;
    }
  | { readonly kind: 'message'; readonly id: RowId; readonly at: NodeAddress; readonly message: Message }
  | { readonly kind: 'signal'; readonly id: RowId; readonly at: NodeAddress; readonly signal: Signal }
  | { readonly kind: 'child'; readonly id: RowId; readonly runId: RunId; readonly end: ChildEnd }
  | { readonly kind: 'event'; readonly id: RowId; readonly at: NodeAddress; readonly event: MatchedEvent }
  /** An attempt that was closed has completed all the same; `id` is of the row that says so. */
  | {
      readonly kind: 'late';
      readonly id: RowId;
      readonly at: NodeAddress;
      readonly generation: number;
      readonly attemptId: AttemptId;
      readonly output: Json;
    }
  /** A wait row whose instant has come, by the database's clock; `node` is empty for the run's own. */
  | { readonly kind: 'due'; readonly node: NodeKey; readonly name: string };

export interface AttemptReport {
  readonly startedAt: Instant | null;
  readonly endedAt: Instant;
  readonly tier: 'thread' | 'process' | 'engine';
}
