import type { Instant } from '../json.ts';
import { type NodeAddress, nodeKey, type OpenNode, type WaitingNode } from '../run/node.ts';
import { isFinal, type RunState, type RunStatus } from '../run/run.ts';
import { earlier } from '../run/time.ts';
import type { WaitRow } from '../run/wait.ts';
import type { Draft } from './draft.ts';

/** The rows of eec_workflow_wait that stand for an open node: what wakes it, or what events are matched against. */
export function waitRows(node: OpenNode): readonly WaitRow[] {
  const key = nodeKey(node.at);
  if (node.status === 'backoff') return [{ node: key, name: 'retry', kind: 'retry', dueAt: node.retryAt }];
  if (node.status !== 'waiting') return [];
  const { wait } = node;
  const dueAt = dueOf(node);
  if (wait.kind !== 'event') {
    return [
      { node: key, name: '', kind: wait.kind, dueAt, ...(wait.kind === 'credential' && { credential: wait.name }) },
    ];
  }
  const rows = wait.subscriptions.map(
    (subscription, place): WaitRow => ({
      node: key,
      name: subscription.name,
      kind: 'event',
      dueAt: null,
      subscription: { ...subscription, place },
    }),
  );
  return dueAt === null ? rows : [...rows, { node: key, name: '', kind: 'event', dueAt }];
}

/** A node that waits for its branches is looked at at another instant; `null`: only when one of them is over. */
export function rewake(draft: Draft, node: WaitingNode, wakeAt: Instant | null): void {
  const { wakeAt: before, ...wait } = node.wait;
  if (wait.kind !== 'children' || (before ?? null) === wakeAt) return;
  // It is to be looked at anyhow.
  if (before !== undefined && wakeAt === draft.now && before <= draft.now) return;
  draft.closeWaits(node.at);
  const next: WaitingNode = { ...node, wait: { ...wait, ...(wakeAt !== null && { wakeAt }) } };
  draft.set(next, { kind: 'woken' });
  draft.openWaits(next);
}

/** A paused run has no instants to be looked at: what falls due meanwhile acts when it is resumed. */
export const heldRows = (rows: readonly WaitRow[], run: RunStatus): readonly WaitRow[] =>
  run === 'paused' ? rows.map((row) => ({ ...row, dueAt: null })) : rows;

/** When a parked node is looked at though nothing has come: its wake, or its deadline. */
function dueOf({ wait, deadlineAt, parkedAt }: WaitingNode): Instant | null {
  if (wait.kind === 'facts') return parkedAt;
  if (wait.kind === 'operator' || wait.kind === 'credential') return null;
  const wakeAt = wait.wakeAt ?? null;
  return wakeAt !== null && deadlineAt !== null ? earlier(wakeAt, deadlineAt) : (wakeAt ?? deadlineAt);
}

type Waiter = Pick<RunState, 'header' | 'status' | 'startedAt' | 'deadlineAt'>;

/** The rows of the run itself: its start, then its deadline. */
export function runRows({ header, status, startedAt, deadlineAt }: Waiter): readonly WaitRow[] {
  if (isFinal(status)) return [];
  if (startedAt === null)
    return [{ node: '', name: 'start', kind: 'start', dueAt: header.startAt ?? header.createdAt }];
  return deadlineAt === null ? [] : [{ node: '', name: 'run_timeout', kind: 'run_timeout', dueAt: deadlineAt }];
}

/** Brings the rows of the run, and of nodes that this tick has left alone, to where it has left the run. */
export function settleWaits(draft: Draft): void {
  const { state } = draft.given;
  const { header, status, deadlineAt, begunAt: startedAt } = draft;
  const before = state.version === 0 ? [] : runRows(state);
  const after = runRows({ header, status, startedAt, deadlineAt });
  const isSame = before[0]?.name === after[0]?.name && before[0]?.dueAt === after[0]?.dueAt;
  if (!isSame && before.length > 0) draft.waitsClosed.set('', before.length);
  if (!isSame) draft.waitsOpened.set('', after);
  for (const [node, rows] of draft.waitsOpened) draft.waitsOpened.set(node, heldRows(rows, status));
  if (draft.isPaused === (state.status === 'paused')) return;
  const rows = [
    ...(isSame ? after : []),
    ...[...state.open.values()].filter(({ at }) => hasItsRows(draft, at)).flatMap(waitRows),
  ];
  draft.waitsMoved.push(
    ...heldRows(
      rows.filter(({ dueAt }) => dueAt !== null),
      status,
    ),
  );
}

const hasItsRows = (draft: Draft, at: NodeAddress): boolean => {
  const key = nodeKey(at);
  return !draft.waitsClosed.has(key) && !draft.waitsOpened.has(key);
};
