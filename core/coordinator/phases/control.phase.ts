import type { Refusal } from '../../errors.ts';
import type { Control, ControlOutcome } from '../../run/arrival.ts';
import { effectOf, type RunControl } from '../../run/control.ts';
import { isFinal, type RunStatus } from '../../run/run.ts';
import type { Cause } from '../../run/transition.ts';
import type { Command } from '../../steps/command.ts';
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
  const outcome = apply(draft, control);
  draft.changes.push({ type: 'control', control, outcome, cause: causeOf(control) });
  draft.consumed.push({ id: control.id, outcome });
}

const causeOf = ({ requestId }: Control) => ({ kind: 'control', requestId }) as const;

/** Plugins are asked only about what would do something; what they ask for is done only if all of them agree. */
function apply(draft: Draft, control: Control): ControlOutcome {
  const cause = causeOf(control);
  const effect = control.control === 'resolveAttempt' ? 'applied' : effectOf(control.control, draft.status);
  if (effect === null) return notNow(control.control, draft.status);
  if (effect === 'no_effect') return { outcome: effect };
  const answer = askPlugins(draft, control);
  if ('refuse' in answer) return { outcome: 'refused', why: answer.refuse.message };
  perform(draft, answer, { cause });
  if (control.control === 'resolveAttempt') return resolveAttempt(draft, control, cause);
  RUN_CONTROLS[control.control](draft, cause);
  return { outcome: effect };
}

function askPlugins(draft: Draft, control: Control): readonly Command[] | { readonly refuse: Refusal } {
  const facts = draft.given.inputs.facts.get('') ?? new Map();
  const commands: Command[] = [];
  for (const hooks of draft.given.registry.hooks) {
    const answer = hooks.control?.decide({ control, run: draft.view(), facts }) ?? [];
    if ('refuse' in answer) return answer;
    commands.push(...answer);
  }
  return commands;
}

const RUN_CONTROLS: { readonly [Name in RunControl]: (draft: Draft, cause: Cause) => void } = {
  pause,
  resume,
  cancel: cancelRun,
  terminate,
  redrive,
};

/** An ended run takes note of what comes too late; one that cannot take it now refuses. */
const notNow = (control: Control['control'], status: RunStatus): ControlOutcome =>
  isFinal(status)
    ? { outcome: 'no_effect' }
    : { outcome: 'refused', why: `A run that is ${status} takes no ${control}.` };
