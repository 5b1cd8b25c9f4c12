/** What nobody wants any more: what waits is given up, what is under way is told to stop. */
import type { AttemptOutcome } from '../run/attempt.ts';
import { isEnded, type NodeAddress, type NodeState, nodeKey, type OpenNode } from '../run/node.ts';
import type { Cause } from '../run/transition.ts';
import { nodesInBranches } from './branches.ts';
import { perform } from './commands.ts';
import type { Draft } from './draft.ts';
import { tellSettled } from './settled.ts';

/**
 * Gives up the node that is open there, and tells what it may have done without a word. `false`: it is under way, and comes
 * to an end of its own.
 */
export function giveUp(draft: Draft, node: OpenNode, cause: Cause): boolean {
  if (node.status === 'running' && !draft.withdraw(node.work.attempt.id)) return false;
  const { at, generation } = node;
  const outcome = unknownOf(node);
  if (outcome) tellSettled(draft, { at, generation, outcome, isUnknown: true }, cause);
  cancel(draft, at, cause);
  return true;
}

function unknownOf(node: OpenNode): AttemptOutcome | undefined {
  switch (node.status) {
    case 'pending':
      return undefined;
    case 'paused':
      return unknownOf(node.was);
    case 'running':
    case 'backoff':
      return node.work.unknown;
    case 'waiting':
      if (node.wait.kind === 'credential') return node.wait.next.unknown;
      return node.wait.kind === 'operator' ? node.wait.unknown : undefined;
  }
}

/** Whoever calls this tells of its outcome. */
export function cancel(draft: Draft, at: NodeAddress, cause: Cause): void {
  const node = draft.node(nodeKey(at));
  if (!node || isEnded(node)) return;
  draft.closeWaits(at);
  const attempt = 'work' in node && node.work ? { id: node.work.attempt.id, number: node.work.attempt.number } : null;
  const startedAt = 'startedAt' in node ? node.startedAt : null;
  draft.set(
    { at, generation: node.generation, startedAt, endedAt: draft.now, attempt, status: 'cancelled', taken: [] },
    cause,
  );
  tellCancelled(draft, node, cause);
  // A run that ends sees to each of its nodes itself, and may let those that run come to their end.
  if (cause.kind === 'ending') stopRuns(draft, { parent: node, cause });
  else stopChildren(draft, node, cause);
}

/** What the engine parks itself is no business of the step type. */
function tellCancelled(draft: Draft, node: OpenNode, cause: Cause): void {
  if (node.status === 'paused') return tellCancelled(draft, node.was, cause);
  if (node.status !== 'waiting' || node.wait.kind === 'operator' || node.wait.kind === 'credential') return;
  const { at, generation, memo } = node;
  const { type } = draft.step(at.ref);
  if (!type.cancelled) return;
  const executionKey = draft.executionKey(at, generation);
  const commands = type.cancelled({ at, memo, run: draft.view(), now: draft.now, executionKey });
  perform(draft, commands, { cause, by: node });
}

type Parent = Pick<NodeState, 'at' | 'generation'>;

/** What a step has started ends with it, unless it completed: then a child run goes on. */
export function stopChildren(draft: Draft, parent: Parent, cause: Cause): void {
  stopRegion(draft, parent, cause);
  stopRuns(draft, { parent, cause });
}

export function stopRegion(draft: Draft, { at }: Parent, cause: Cause): void {
  const { region } = draft.step(at.ref);
  if (!region) return;
  const nodes =
    region.exit === null ? region.nearest.map((ref) => ({ ref, branch: at.branch })) : [...nodesInBranches(draft, at)];
  for (const node of nodes) stopNode(draft, node, cause);
}

/** A loser: what it waits for is given up, what runs is told to stop and then moves nothing more. */
export function stopNode(draft: Draft, at: NodeAddress, cause: Cause): void {
  const node = draft.node(nodeKey(at));
  if (!node || isEnded(node)) return;
  if (draft.step(at.ref).type.waitsOut && draft.children.of(node).length > 0) {
    return stopRuns(draft, { parent: node, cause });
  }
  if (giveUp(draft, node, cause) || node.status !== 'running' || node.isStopping) return;
  draft.set({ ...node, isStopping: true }, cause);
  draft.aborted.push(node.work.attempt.id);
}

/**
 * Tells runs that it has started what their `parent_close` says. `null`: all of the run's. `as`: that instead, also after
 * they were told something else.
 */
export function stopRuns(
  draft: Draft,
  { parent, cause, as }: { readonly parent: Parent | null; readonly cause: Cause; readonly as?: 'terminate' },
): void {
  for (const [runId, child] of parent === null ? [...draft.children.entries()] : draft.children.of(parent)) {
    const { parentClose, isStopping } = child;
    if ((isStopping && !as) || parentClose === 'abandon') continue;
    draft.setChild(runId, { ...child, isStopping: true }, cause);
    const { id } = draft.header;
    const control = as ?? parentClose;
    const reason = `Its parent ${id} no longer waits for it.`;
    const chainId: string = runId;
    draft.outbox.push({ kind: 'control', chainId, control, requestId: `parent/${id}/${control}`, reason });
  }
}
