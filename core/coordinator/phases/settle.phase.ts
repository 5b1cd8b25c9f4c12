import { evaluateTemplate } from '../../expression/index.ts';
import type { Json } from '../../json.ts';
import { type CompletedNode, isEnded, type OpenNode } from '../../run/node.ts';
import { type Ending, isFinal, type OpenStatus } from '../../run/run.ts';
import type { Cause } from '../../run/transition.ts';
import type { Draft } from '../draft.ts';
import { cancel } from '../ends.ts';
import { attempted } from '../failures.ts';

/** Says where the run stands after all this, and ends it where nothing is left to do. */
export function settlePhase(draft: Draft): void {
  const { state } = draft.given;
  if (isFinal(state.status) || draft.status === 'pending') return;
  if (draft.ending !== null) stopTheRest(draft);
  const open = [...draft.openNodes()];
  const isFlying = open.some(({ status }) => status === 'running');
  if (draft.ending !== null && !isFlying) return finish(draft, draft.ending);
  if (open.length === 0 && draft.status !== 'paused') return finish(draft, endingOf(draft));
  const to = statusOf(draft, open);
  draft.status = to;
  if (to === state.status && draft.ending === state.ending) return;
  draft.changes.push({ type: 'run', from: state.status, to, ending: draft.ending, cause: causeOf(draft, to) });
}

/** What is parked or not begun is given up at once; what is in flight is told to stop, unless it may finish. */
function stopTheRest(draft: Draft): void {
  const cause = { kind: 'ending' } as const;
  for (const node of [...draft.openNodes()]) {
    if (node.status !== 'running') {
      cancel(draft, node.at, cause);
    } else if (draft.withdraw(node.work.attempt.id)) {
      cancel(draft, node.at, cause);
    } else if (draft.abortsInFlight) {
      draft.aborted.push(node.work.attempt.id);
    }
  }
}

function statusOf(draft: Draft, open: readonly OpenNode[]): OpenStatus {
  if (draft.status === 'paused' || draft.status === 'cancelling') return draft.status;
  const isMoving = draft.ending !== null || open.some(({ status }) => status === 'running' || status === 'backoff');
  return isMoving ? 'running' : 'waiting';
}

function causeOf(draft: Draft, to: OpenStatus): Cause {
  if (draft.given.state.startedAt === null) return { kind: 'started' };
  if (draft.ending !== null) return { kind: 'ending' };
  return { kind: to === 'waiting' ? 'parked' : 'woken' };
}

function finish(draft: Draft, ending: Ending): void {
  const { state, registry, compiled } = draft.given;
  const cause = { kind: 'finished' } as const;
  draft.waitsOpened = draft.waitsOpened.filter(({ node }) => node !== '');
  if (state.startedAt !== null && compiled.runTimeoutMs !== null) draft.waitsClosed.set('', 1);
  const moment = { run: draft.view(), definition: compiled.definition, ending, number: state.ends + 1 };
  for (const { end } of registry.hooks) if (end) draft.perform(end(moment), cause);
  draft.status = ending.status;
  draft.ending = ending;
  draft.changes.push({ type: 'ended', from: state.status, ending, cause });
}

/** Nothing is left to do: the run completes with the definition's output, or fails of evaluating it. */
function endingOf(draft: Draft): Ending {
  const { output } = draft.given.compiled;
  if (output === null) return { status: 'completed', output: outputOfLastSteps(draft) };
  const evaluated = attempted(() => evaluateTemplate(output, draft.variables()(output)));
  return evaluated.ok ? { status: 'completed', output: evaluated.value } : { status: 'failed', error: evaluated.error };
}

/** Of the completed steps that no edge was taken from: one's own output, or several by ref. */
function outputOfLastSteps(draft: Draft): Json {
  const last = [...draft.given.compiled.steps.keys()]
    .map((ref) => draft.node(ref))
    .filter(
      (node): node is CompletedNode =>
        node !== undefined && isEnded(node) && node.status === 'completed' && node.taken.length === 0,
    );
  if (last.length <= 1) return last[0]?.output ?? null;
  return Object.fromEntries(last.map(({ at, output }) => [at.ref, output]));
}
