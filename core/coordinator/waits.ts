import type { Instant } from '../json.ts';
import { nodeKey, type OpenNode, type WaitingNode } from '../run/node.ts';
import { earlier } from '../run/time.ts';
import type { WaitRow } from '../run/wait.ts';

/** The rows of eec_workflow_wait that stand for an open node: what wakes it, or what events are matched against. */
export function waitRows(node: OpenNode): readonly WaitRow[] {
  const key = nodeKey(node.at);
  if (node.status === 'backoff') return [{ node: key, name: 'retry', kind: 'retry', dueAt: node.retryAt }];
  if (node.status !== 'waiting') return [];
  const { wait } = node;
  const dueAt = dueOf(node);
  if (wait.kind !== 'event') return [{ node: key, name: '', kind: wait.kind, dueAt }];
  const rows = wait.subscriptions.map(
    (subscription): WaitRow => ({ node: key, name: subscription.name, kind: 'event', dueAt: null, subscription }),
  );
  return dueAt === null ? rows : [...rows, { node: key, name: '', kind: 'event', dueAt }];
}

/** When a parked node is looked at though nothing has come: its wake, or its deadline. */
function dueOf({ wait, deadlineAt, parkedAt }: WaitingNode): Instant | null {
  if (wait.kind === 'facts') return parkedAt;
  if (wait.kind === 'operator') return null;
  const wakeAt = wait.wakeAt ?? null;
  return wakeAt !== null && deadlineAt !== null ? earlier(wakeAt, deadlineAt) : (wakeAt ?? deadlineAt);
}
