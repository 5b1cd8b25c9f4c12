import { resolvePlan } from '../../definition/config.ts';
import { evaluateTemplate } from '../../expression/index.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { CompletedNode, NodeState, OpenNode, RunningNode } from '../../run/node.ts';
import { type Ending, isFinal, type OpenStatus } from '../../run/run.ts';
import type { Cause } from '../../run/transition.ts';
import { closeBranches, hasBranched, leads, outputOf } from '../branches.ts';
import { perform } from '../commands.ts';
import type { Draft } from '../draft.ts';
import { attempted } from '../failures.ts';
import { tellSettled } from '../settled.ts';
import { cancel, giveUp, stopRuns } from '../stops.ts';
import { variablesAt } from '../variables.ts';
import { settleWaits } from '../waits.ts';

/** Says where the run stands after all this, and ends it where nothing is left to do. */
export function settlePhase(draft: Draft): void {
  if (!isFinal(draft.status)) settle(draft);
  settleWaits(draft);
}

function settle(draft: Draft): void {
  const { state } = draft.given;
  if (draft.ending !== null) {
    stopTheRest(draft);
    closeBranches(draft, 'given up');
  }
  const isFlying = (node: OpenNode) => node.status === 'running' || hasRun(draft, node);
  if (draft.ending !== null && !draft.hasOpen(isFlying)) return finish(draft, draft.ending);
  const to = statusOf(draft);
  if ((to === 'running' || to === 'waiting') && !draft.hasOpen()) return finish(draft, endingOf(draft));
  draft.status = to;
  if (to === state.status && draft.ending === state.ending && draft.deadlineAt === state.deadlineAt) return;
  const { ending, deadlineAt } = draft;
  draft.changes.push({ type: 'run', from: state.status, to, ending, deadlineAt, cause: causeOf(draft, to) });
}

/** What is parked or not begun is given up at once; what is in flight finishes, is told to stop, or is over. */
function stopTheRest(draft: Draft): void {
  const cause = { kind: 'ending' } as const;
  if (draft.inFlight === 'closes') stopRuns(draft, { parent: null, cause, as: 'terminate' });
  for (const node of [...draft.openNodes()]) {
    if (node.status === 'waiting' && hasRun(draft, node)) {
      if (draft.inFlight === 'stops') stopRuns(draft, { parent: node, cause });
      if (draft.inFlight === 'closes') giveUp(draft, node, cause);
    } else if (!giveUp(draft, node, cause) && node.status === 'running' && draft.inFlight !== 'finishes') {
      draft.aborted.push(node.work.attempt.id);
      if (draft.inFlight === 'closes') closeAttempt(draft, node, cause);
    }
  }
}

/** Whether it waits for a run that ends with it. */
function hasRun(draft: Draft, node: OpenNode): boolean {
  return draft.children.of(node).some(([, { parentClose }]) => parentClose !== 'abandon');
}

/** Nobody waits for its worker's word: what it says later stays on its row. */
function closeAttempt(draft: Draft, node: RunningNode, cause: Cause): void {
  const outcome = { status: 'stopped' } as const;
  const marks = { superseded: false, finishedAnyway: false, outcomeUnknown: true };
  draft.folded.push({ attempt: node.work.attempt, outcome, report: null, ...marks });
  const { at, generation } = node;
  tellSettled(draft, { at, generation, outcome, isUnknown: true }, cause);
  cancel(draft, node.at, cause);
}

function statusOf(draft: Draft): OpenStatus {
  const { status } = draft;
  if (status === 'paused' || status === 'cancelling' || status === 'pending') return status;
  const isMoving = ({ status: each }: OpenNode) => each === 'running' || each === 'backoff';
  return draft.ending !== null || draft.hasOpen(isMoving) ? 'running' : 'waiting';
}

function causeOf(draft: Draft, to: OpenStatus): Cause {
  const { state, inputs } = draft.given;
  if (inputs.control !== null) return { kind: 'control', requestId: inputs.control.requestId };
  if (state.startedAt === null) return { kind: 'started' };
  if (draft.ending !== null) return { kind: 'ending' };
  return { kind: to === 'waiting' ? 'parked' : 'woken' };
}

function finish(draft: Draft, ending: Ending): void {
  const { state, registry, compiled } = draft.given;
  const cause = { kind: 'finished' } as const;
  const fields = (resolvePlan(compiled.fields, variablesAt(draft)) ?? {}) as JsonObject;
  const apart = hasBranched(draft) ? compiled.apart : [];
  const { definition } = compiled;
  const moment = { run: draft.view(), definition, ending, number: state.ends + 1, fields, apart };
  for (const { end } of registry.hooks) if (end) perform(draft, end(moment), { cause });
  if (ending.status !== 'completed') stopRuns(draft, { parent: null, cause });
  tellParent(draft, ending);
  draft.status = ending.status;
  draft.ending = ending;
  draft.changes.push({ type: 'ended', from: state.status, ending, cause });
}

function tellParent(draft: Draft, ending: Ending): void {
  const { id, lineage } = draft.header;
  if (!lineage.parent?.node || ending.status === 'continued_as_new') return;
  const { chainId, node: at, report } = lineage.parent;
  if (report === 'start' || report === 'nothing') return;
  draft.outbox.push({ kind: 'child', chainId, at, runId: id, end: ending });
}

/** Nothing is left to do: the run completes with the definition's output, or fails of evaluating it. */
function endingOf(draft: Draft): Ending {
  const { output } = draft.given.compiled;
  if (output === null) return { status: 'completed', output: outputOfLastSteps(draft) };
  const evaluated = attempted(() => evaluateTemplate(output, variablesAt(draft)(output)));
  return evaluated.ok ? { status: 'completed', output: evaluated.value } : { status: 'failed', error: evaluated.error };
}

/** Of the completed steps that no edge was taken from, or that led out of a part. */
function outputOfLastSteps(draft: Draft): Json {
  const { steps, definition } = draft.given.compiled;
  const nodes = [...steps].filter(([, { owner }]) => owner === null).flatMap(([ref]) => draft.node(ref) ?? []);
  const isLast = (node: NodeState): node is CompletedNode =>
    definition.graph.part ? leads(draft, node) : node.status === 'completed' && node.taken.length === 0;
  return outputOf(nodes.filter(isLast));
}
