import type { Control, ControlOutcome } from '../../run/arrival.ts';
import { effectOf, type RunControl } from '../../run/control.ts';
import { isFinal, type RunStatus } from '../../run/run.ts';
import type { Cause } from '../../run/transition.ts';
import { perform } from '../commands.ts';
import { pause, resume } from '../controls/hold.ts';
import { redrive } from '../controls/redrive.ts';
import { resolveAttempt } from '../controls/resolve-attempt.ts';
import { cancelRun, terminate } from '../controls/stop.ts';
import type { Draft } from '../draft.ts';

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
    perform(draft, answer, { cause: causeOf(control) });
  }
  return null;
}

function apply(draft: Draft, control: Control): ControlOutcome {
  const cause = causeOf(control);
  if (control.control === 'resolveAttempt') return resolveAttempt(draft, control, cause);
  const effect = effectOf(control.control, draft.status);
  if (effect === null) return notNow(control.control, draft.status);
  if (effect === 'applied') RUN_CONTROLS[control.control](draft, cause);
  return { outcome: effect };
}

const RUN_CONTROLS: { readonly [Name in RunControl]: (draft: Draft, cause: Cause) => void } = {
  pause,
  resume,
  cancel: cancelRun,
  terminate,
  redrive,
};

/** An ended run takes note of what comes too late; one that cannot take it now refuses. */
const notNow = (control: RunControl, status: RunStatus): ControlOutcome =>
  isFinal(status)
    ? { outcome: 'no_effect' }
    : { outcome: 'refused', why: `A run that is ${status} takes no ${control}.` };
