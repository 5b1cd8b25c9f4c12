import type { Control, ControlOutcome } from '../../run/arrival.ts';
import type { WaitingNode } from '../../run/node.ts';
import type { Draft } from '../draft.ts';
import { openAttempt, tellNode } from '../moves.ts';

/** Applies the one operator's intent of this tick, unless a plugin refuses it. */
export function controlPhase(draft: Draft): void {
  const { control, verdict } = draft.given.inputs;
  if (verdict !== null) draft.end({ status: 'failed', error: verdict }, { abort: true });
  if (control === null) return;
  const outcome = refusedByPlugin(draft, control) ?? apply(draft, control);
  draft.changes.push({ type: 'control', control, outcome, cause: causeOf(control) });
  draft.consumed.push({ id: control.id, outcome });
}

const causeOf = ({ requestId }: Control) => ({ kind: 'control', requestId }) as const;

function refusedByPlugin(draft: Draft, control: Control): ControlOutcome | null {
  const facts = draft.given.inputs.facts.get('') ?? new Map();
  for (const hooks of draft.given.registry.hooks) {
    const answer = hooks.control?.decide({ control, run: draft.view(), facts });
    if (answer === undefined) continue;
    if ('refuse' in answer) return { outcome: 'refused', why: answer.refuse.message };
    draft.perform(answer, causeOf(control));
  }
  return null;
}

function apply(draft: Draft, control: Control): ControlOutcome {
  switch (control.control) {
    case 'resolveAttempt':
      return resolveAttempt(draft, control);
  }
}

/** An operator says what came of an attempt whose outcome nobody knows. */
function resolveAttempt(draft: Draft, control: Extract<Control, { control: 'resolveAttempt' }>): ControlOutcome {
  const node = [...draft.openNodes()].find(
    (open): open is WaitingNode =>
      open.status === 'waiting' && open.wait.kind === 'operator' && open.work?.attempt.id === control.attemptId,
  );
  if (!node?.work) return { outcome: 'no_effect' };
  const cause = causeOf(control);
  const { resolution } = control;
  switch (resolution.as) {
    case 'completed':
      tellNode(draft, node, { kind: 'outcome', input: { ok: true, output: resolution.output }, cause });
      break;
    case 'failed': {
      const error = { code: 'outcome_unknown', message: resolution.message, party: 'operator' } as const;
      tellNode(draft, node, { kind: 'outcome', input: { ok: false, error }, cause });
      break;
    }
    case 'retry':
      openAttempt(draft, node, { ...node.work, number: node.work.attempt.number + 1, losses: lossesOf(node), cause });
      break;
  }
  return { outcome: 'applied' };
}

/** An attempt that was lost does not count, also where an operator was asked before it is tried again. */
function lossesOf({ work, wait }: WaitingNode): number {
  const isLoss = wait.kind === 'operator' && (wait.unknown.status === 'lost' || wait.unknown.status === 'stopped');
  return (work?.losses ?? 0) + (isLoss ? 1 : 0);
}
