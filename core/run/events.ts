/** What happened in a run, flattened from its transitions for those who watch. */
import type { AttemptId, Instant } from '../json.ts';
import type { Actor, Control, ControlOutcome } from './arrival.ts';
import type { NodeAddress, NodeState, NodeStatus } from './node.ts';
import type { Ending, RunStatus } from './run.ts';
import type { Cause, Change, Transition } from './transition.ts';
import type { WaitRow } from './wait.ts';

interface OfNode {
  readonly node: NodeAddress;
  readonly generation: number;
}

/** One thing that a tick did; `error` names what went wrong. */
export type Happening =
  | { readonly type: 'run'; readonly from: RunStatus; readonly to: RunStatus; readonly error?: ErrorName }
  | (OfNode & {
      readonly type: 'node';
      readonly from: NodeStatus | null;
      readonly to: NodeStatus;
      readonly error?: ErrorName;
    })
  /** What came of it stands on its row, and in the node's own event. `attemptId` is `null` where only its number is known. */
  | (OfNode & {
      readonly type: 'attempt';
      readonly from: 'scheduled' | null;
      readonly to: 'scheduled' | 'ended';
      readonly attemptId: AttemptId | null;
      readonly attempt: number;
    })
  | (OfNode & { readonly type: 'signal'; readonly from: 'received'; readonly to: 'applied' })
  | (OfNode & {
      readonly type: 'wait';
      readonly from: null;
      readonly to: 'open';
      readonly kind: WaitRow['kind'];
      readonly dueAt: Instant | null;
    })
  | (OfNode & { readonly type: 'wait'; readonly from: 'open'; readonly to: 'closed' })
  | {
      readonly type: 'control';
      readonly from: 'accepted';
      readonly to: ControlOutcome['outcome'];
      readonly control: Control['control'];
      readonly requestId: string;
      readonly actor: Actor;
    };

export interface ErrorName {
  readonly code: string;
  readonly message: string;
}

/** Known by (seq, index): the version that its tick made, and its place in that tick. */
export type RunEvent = Happening & {
  readonly seq: number;
  readonly index: number;
  readonly at: Instant;
  readonly cause: Cause;
};

/** The events of one transition, in the order in which they happened; the same transition, the same events. */
export function eventsOf({ version: seq, at, changes }: Transition): readonly RunEvent[] {
  return changes
    .flatMap((change) => happenings(change).map((happening) => ({ happening, cause: change.cause })))
    .map(({ happening, cause }, index) => ({ seq, index, at, ...happening, cause }));
}

function happenings(change: Change): readonly Happening[] {
  switch (change.type) {
    case 'run':
      return [{ type: 'run', from: change.from, to: change.to, ...errorOf(change.ending) }];
    case 'ended':
      return [{ type: 'run', from: change.from, to: change.ending.status, ...errorOf(change.ending) }];
    case 'node':
      return [...before(change), nodeEvent(change), ...after(change)];
    case 'control': {
      const { control, requestId, actor } = change.control;
      return [{ type: 'control', from: 'accepted', to: change.outcome.outcome, control, requestId, actor }];
    }
    case 'context':
    case 'attributes':
    case 'fields':
    case 'reply':
    case 'child':
    case 'fan':
    case 'branch':
      return [];
  }
}

type NodeChange = Extract<Change, { type: 'node' }>;

const ofNode = ({ at: node, generation }: NodeState): OfNode => ({ node, generation });

function nodeEvent({ from, node }: NodeChange): Happening {
  const error = node.status === 'failed' || node.status === 'backoff' ? { error: named(node.error) } : {};
  return { type: 'node', ...ofNode(node), from, to: node.status, ...error };
}

/** What the node's move followed from. */
function before({ from, node, cause }: NodeChange): readonly Happening[] {
  const isArrival = (of: string) => cause.kind === 'arrival' && cause.of === of;
  if (from === 'running' && isArrival('outcome')) {
    const ended = endedAttempt(node);
    return ended ? [{ type: 'attempt', ...ofNode(node), from: 'scheduled', to: 'ended', ...ended }] : [];
  }
  const events: Happening[] = [];
  if (isArrival('signal')) events.push({ type: 'signal', ...ofNode(node), from: 'received', to: 'applied' });
  if ((from === 'waiting' || from === 'backoff') && from !== node.status) {
    events.push({ type: 'wait', ...ofNode(node), from: 'open', to: 'closed' });
  }
  return events;
}

/** The attempt whose outcome moved the node; the next one may be under way already. */
function endedAttempt(node: NodeState): { readonly attemptId: AttemptId | null; readonly attempt: number } | null {
  if ('attempt' in node) return node.attempt && { attemptId: node.attempt.id, attempt: node.attempt.number };
  if (node.status === 'waiting' && node.wait.kind === 'credential') {
    return { attemptId: null, attempt: node.wait.next.number - 1 };
  }
  if (!('work' in node) || node.work === undefined) return null;
  const { id, number } = node.work.attempt;
  return node.status === 'running' ? { attemptId: null, attempt: number - 1 } : { attemptId: id, attempt: number };
}

/** What followed from the node's move. */
function after({ from, node }: NodeChange): readonly Happening[] {
  switch (node.status) {
    case 'running': {
      if (node.isStopping) return [];
      const { id: attemptId, number: attempt } = node.work.attempt;
      return [{ type: 'attempt', ...ofNode(node), from: null, to: 'scheduled', attemptId, attempt }];
    }
    case 'backoff':
      return [{ type: 'wait', ...ofNode(node), from: null, to: 'open', kind: 'retry', dueAt: node.retryAt }];
    case 'waiting': {
      if (from === 'waiting') return [];
      const { kind, wakeAt } = node.wait;
      return [{ type: 'wait', ...ofNode(node), from: null, to: 'open', kind, dueAt: wakeAt ?? node.deadlineAt }];
    }
    default:
      return [];
  }
}

const errorOf = (ending: Ending | null): { readonly error?: ErrorName } =>
  ending?.status === 'failed' ? { error: named(ending.error) } : {};

const named = ({ code, message }: ErrorName): ErrorName => ({ code, message });
