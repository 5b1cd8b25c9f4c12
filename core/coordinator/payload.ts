import type { Failure } from '../errors.ts';
import type { AttemptId, ChainId, Instant, Json, JsonObject, Ref, RowId, RunId, TenantId, TickId } from '../json.ts';
import type { AttemptReport, ChildEnd, ControlOutcome, Message } from '../run/arrival.ts';
import type { AttemptKey, AttemptOutcome, NewAttempt } from '../run/attempt.ts';
import type { RunControl } from '../run/control.ts';
import type { NodeAddress, NodeKey } from '../run/node.ts';
import type { Ending, Reply, RunHeader, RunStatus } from '../run/run.ts';
import type { Transition } from '../run/transition.ts';
import type { WaitRow } from '../run/wait.ts';
import type { RunSeed, Write } from '../steps/command.ts';

/** A run row that does not exist yet; inserted by the statement that commits its first tick. */
export interface RunStart {
  readonly header: RunHeader;
  readonly fields: JsonObject;
  readonly attributes: JsonObject;
  readonly rows: readonly Write[];
  /** It waits for its own wakeup: what asks for it is committed first. */
  readonly isHeldBack: boolean;
  /** What only the door knows, and only reads show. */
  readonly subjectType: string | null;
  readonly subjectId: string | null;
  readonly externalDeploymentId: string | null;
  readonly idempotency: Idempotency | null;
}

export interface Idempotency {
  readonly key: string;
  /** What the call addressed: a version's id, or a family's. */
  readonly scope: string;
  /** Of the canonical request: the same key with another hash is refused. */
  readonly requestHash: string;
}

/** An attempt that this tick closes. */
export interface FoldedAttempt {
  readonly attempt: AttemptKey;
  /** `null`: the row has its outcome already. */
  readonly outcome: AttemptOutcome | null;
  readonly report: AttemptReport | null;
  /** It moved nothing: another generation or attempt is current. */
  readonly superseded: boolean;
  /** It completed though it was told to stop. */
  readonly finishedAnyway: boolean;
  readonly outcomeUnknown: boolean;
}

/** What goes into another run's inbox. */
export type Letter = { readonly chainId: ChainId } & (
  | { readonly kind: 'message'; readonly at: NodeAddress; readonly message: Message }
  | { readonly kind: 'child'; readonly at: NodeAddress; readonly runId: RunId; readonly end: ChildEnd }
  | { readonly kind: 'control'; readonly control: RunControl; readonly requestId: string; readonly reason: string }
);

/** A run that is asked for. `at`: the node that hears of it. */
export interface Spawned {
  readonly runId: RunId;
  readonly at: NodeAddress | null;
  readonly seed: RunSeed;
}

/** An event as a run publishes it. */
export interface NewEvent {
  readonly id: RowId;
  readonly eventName: string;
  readonly correlationKey: string;
  readonly payload: Json;
}

/** All branches of one owner at once: a row each, in order. */
export interface OpenedBranches {
  /** The owner's. */
  readonly node: NodeKey;
  readonly generation: number;
  readonly of: readonly JsonObject[];
}

/** A branch that is over. */
export interface EndedBranch {
  readonly node: NodeKey;
  readonly generation: number;
  readonly index: number;
  readonly end: Extract<ChildEnd, { status: 'completed' | 'failed' }> | { readonly status: 'cancelled' };
  /** The attempt whose output it is. */
  readonly attempt: AttemptId | null;
  /** The run that it was, where it was one. */
  readonly runId: RunId | null;
}

/** Everything one tick wants written: the transition is what changed, the rest are the rows that follow. */
export interface TickPayload {
  readonly runId: RunId;
  readonly chainId: ChainId;
  readonly tenantId: TenantId;
  readonly expectedVersion: number;
  readonly start: RunStart | null;
  readonly transition: Transition;
  readonly attempts: { readonly opened: readonly NewAttempt[]; readonly folded: readonly FoldedAttempt[] };
  readonly branches: { readonly opened: readonly OpenedBranches[]; readonly ended: readonly EndedBranch[] };
  readonly waits: {
    readonly opened: readonly WaitRow[];
    /** Rows that have another `dueAt` from now on. */
    readonly moved: readonly Pick<WaitRow, 'node' | 'name' | 'dueAt'>[];
    /** All rows of these nodes: how many there are, and how many arrivals they must have seen. */
    readonly closed: readonly { readonly node: NodeKey; readonly rows: number; readonly arrivals: number }[];
  };
  readonly consumed: readonly { readonly id: RowId; readonly outcome: ControlOutcome | null }[];
  /** For nodes of other runs. */
  readonly outbox: readonly Letter[];
  /** Runs to be started by the same commit. */
  readonly spawned: readonly Spawned[];
  readonly published: readonly NewEvent[];
  readonly rows: readonly Write[];
  /** Attempts to be told to stop once this is committed. */
  readonly aborted: readonly AttemptId[];
  readonly after: RunSummary;
}

/** The run as it will be, for its row. `null`: as it was. */
export interface RunSummary {
  readonly status: RunStatus;
  readonly ending: Ending | null;
  readonly startedAt: Instant | null;
  readonly currentStep: Ref | null;
  /** Open nodes only. */
  readonly nodes: JsonObject;
  readonly context: JsonObject | null;
  readonly attributes: JsonObject | null;
  readonly fields: JsonObject | null;
  readonly replies: readonly Reply[] | null;
}

/** What a tick needs of other runs, found out between its computing and its commit. */
export interface Company {
  /** First ticks of the runs that it starts; each is inserted only if this tick is committed. */
  readonly starts: readonly TickPayload[];
  /** Why the others were not started. */
  readonly letters: readonly Letter[];
}

/** `tickId` is random and outside the payload: it tells two ticks of one version apart after a lost COMMIT. */
export interface Commit {
  readonly tickId: TickId;
  readonly payload: TickPayload;
  readonly company: Company;
}

export const ALONE: Company = { starts: [], letters: [] };

/** What became of one tick; the others of its batch are not concerned. */
export type CommitResult =
  /** `bytes`: of what was written, as a measure of what its state takes in memory. */
  | { readonly result: 'committed'; readonly version: number; readonly bytes: number }
  /** Something it read has moved, or was being moved: compute again. */
  | { readonly result: 'conflict' }
  /** Its idempotency key belongs to another run. */
  | { readonly result: 'existed'; readonly runId: RunId; readonly requestHash: string }
  /** Its data cannot be stored: the node fails with `internal`. */
  | { readonly result: 'refused'; readonly failure: Failure }
  /** The connection went away during COMMIT: read the transition back, compare `tickId`. */
  | { readonly result: 'unknown' };
