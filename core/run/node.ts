import type { Outcome } from '../definition/graph.ts';
import type { AttemptFailure, Failure } from '../errors.ts';
import type { AttemptId, Instant, Json, Ref } from '../json.ts';
import type { Actor } from './arrival.ts';
import type { AttemptKey, AttemptOutcome, Task } from './attempt.ts';
import type { Wait } from './wait.ts';

/** Where a node stands: its step, and the indexes of the branches around it, outermost first. */
export interface NodeAddress {
  readonly ref: Ref;
  readonly branch: readonly number[];
}

/** The key of a node among those of its run: `ref`, or `0.3/ref` in a branch. */
export type NodeKey = string;
export const nodeKey = ({ ref, branch }: NodeAddress): NodeKey =>
  branch.length === 0 ? ref : `${branch.join('.')}/${ref}`;

export function nodeAddress(key: NodeKey): NodeAddress {
  const slash = key.lastIndexOf('/');
  const ref = key.slice(slash + 1);
  return { ref, branch: slash === -1 ? [] : key.slice(0, slash).split('.').map(Number) };
}

/** A result of another generation is superseded; resetNode, redrive and reset bump it. */
interface NodeBase {
  readonly at: NodeAddress;
  readonly generation: number;
}

/** What the engine keeps of a node's task between its attempts. */
export interface Work {
  readonly task: Task;
  /** The attempt in flight, or the last one. */
  readonly attempt: AttemptKey;
  readonly firstScheduledAt: Instant;
  /** Attempts that were lost; they do not count toward `maxAttempts`. */
  readonly losses: number;
  /** Attempts that a host gave back untouched when it was stopped; they count for nothing. */
  readonly returned?: number;
  /** What the last of its attempts came to that may have done its work without a word. */
  readonly unknown?: AttemptOutcome;
}

/** An attempt that is not opened yet. */
export type NextAttempt = Omit<Work, 'attempt'> & { readonly number: number };

/** `memo` is what the step type remembers; `deadlineAt` is the step's own deadline, which ends it with TIMEOUT. */
interface Started extends NodeBase {
  readonly startedAt: Instant;
  readonly deadlineAt: Instant | null;
  readonly memo: Json;
}

/** Reached, but not started: `resolved` and `taken` count its incoming edges. */
export type PendingNode = NodeBase & { readonly status: 'pending'; readonly resolved: number; readonly taken: number };
/** `isStopping`: nothing more is wanted of it, and its attempt was told so. */
export type RunningNode = Started & { readonly status: 'running'; readonly work: Work; readonly isStopping?: true };
export type BackoffNode = Started & {
  readonly status: 'backoff';
  readonly work: Work;
  readonly retryAt: Instant;
  readonly error: AttemptFailure;
};
/** `work` stands here only where an operator has to say what came of its last attempt. */
export type WaitingNode = Started & {
  readonly status: 'waiting';
  readonly parkedAt: Instant;
  readonly wait: Wait;
  readonly work?: Work;
};
export type ActiveNode = PendingNode | RunningNode | BackoffNode | WaitingNode;
export type PausedNode = NodeBase & { readonly status: 'paused'; readonly by: Actor; readonly was: ActiveNode };

/** A node that still wants something. A step not reached yet has no node. */
export type OpenNode = ActiveNode | PausedNode;

interface EndedBase extends NodeBase {
  readonly startedAt: Instant | null;
  readonly endedAt: Instant;
  /** Its last attempt, if it had any. */
  readonly attempt: { readonly id: AttemptId; readonly number: number } | null;
  /** Indexes of the outgoing edges that were taken, in the order of the step's edges. */
  readonly taken: readonly number[];
  /** Folded while the run was paused or ending: its edges are taken later, or never. */
  readonly unrouted?: true;
  /** It came to its end though it had been told to stop: nobody takes its edges. */
  readonly wasStopping?: true;
}
export type CompletedNode = EndedBase & {
  readonly status: 'completed';
  readonly outcome: Exclude<Outcome, 'ERROR' | 'TIMEOUT'>;
  readonly case?: string;
  readonly output: Json;
  /** Where the output is kept: it is written once, by its attempt or by its transition. */
  readonly outputIn: 'attempt' | 'transition';
  /** While it is `unrouted`: the failure code that it becomes where no edge takes its outcome. */
  readonly otherwise?: string;
};
export type FailedNode = EndedBase & {
  readonly status: 'failed';
  readonly outcome: 'ERROR' | 'TIMEOUT';
  readonly error: Failure;
};
export type EndedNode = CompletedNode | FailedNode | (EndedBase & { readonly status: 'skipped' | 'cancelled' });

export type NodeState = OpenNode | EndedNode;
export type NodeStatus = NodeState['status'];

export const isEnded = (node: NodeState): node is EndedNode =>
  node.status === 'completed' || node.status === 'failed' || node.status === 'skipped' || node.status === 'cancelled';
