import type { Control, ControlOutcome } from '../../run/arrival.ts';
import type { WaitingNode } from '../../run/node.ts';
import type { Cause } from '../../run/transition.ts';
import type { Draft } from '../draft.ts';
import { tellNode } from '../moves.ts';
import { tryAgain } from '../outcomes.ts';

/** An operator says what came of an attempt whose outcome nobody knows. */
export function resolveAttempt(
  draft: Draft,
  control: Extract<Control, { control: 'resolveAttempt' }>,
  cause: Cause,
): ControlOutcome {
  const node = [...draft.openNodes()].find(
    (open): open is WaitingNode =>
      open.status === 'waiting' && open.wait.kind === 'operator' && open.work?.attempt.id === control.attemptId,
  );
  if (!node?.work) return { outcome: 'no_effect' };
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
      tryAgain(draft, node, { ...node.work, losses: lossesOf(node) }, cause);
      break;
  }
  return { outcome: 'applied' };
}

/** An attempt that was lost does not count, also where an operator was asked before it is tried again. */
function lossesOf({ work, wait }: WaitingNode): number {
  const isLoss = wait.kind === 'operator' && (wait.unknown.status === 'lost' || wait.unknown.status === 'stopped');
  return (work?.losses ?? 0) + (isLoss ? 1 : 0);
}
