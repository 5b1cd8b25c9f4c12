import type { RunStatus } from './run.ts';

/** The intents that concern a run as a whole. */
export const RUN_CONTROLS = ['pause', 'resume', 'cancel', 'terminate', 'redrive'] as const;
export type RunControl = (typeof RUN_CONTROLS)[number];

const ACTIVE: readonly RunStatus[] = ['pending', 'running', 'waiting'];

interface Effects {
  readonly applied: readonly RunStatus[];
  readonly no_effect: readonly RunStatus[];
}

/** The statuses in which each does something, or nothing; in all others it is refused. */
const EFFECTS: { readonly [Control in RunControl]: Effects } = {
  pause: { applied: ACTIVE, no_effect: ['paused'] },
  resume: { applied: ['paused'], no_effect: ACTIVE },
  cancel: { applied: [...ACTIVE, 'paused'], no_effect: ['cancelling'] },
  terminate: { applied: [...ACTIVE, 'paused', 'cancelling'], no_effect: [] },
  redrive: { applied: ['failed', 'cancelled', 'terminated'], no_effect: [] },
};

/** `null`: such a run cannot take it. The door's advice, and the tick's decision. */
export function effectOf(control: RunControl, status: RunStatus): keyof Effects | null {
  const { applied, no_effect } = EFFECTS[control];
  return applied.includes(status) ? 'applied' : no_effect.includes(status) ? 'no_effect' : null;
}

/** The statuses of the runs that a control does something to. */
export const statusesFor = (control: RunControl): readonly RunStatus[] => EFFECTS[control].applied;
