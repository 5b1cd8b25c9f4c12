import type { StepTypeName } from '../definition/graph.ts';
import { actionStep } from './action.step.ts';
import { approvalStep } from './approval.step.ts';
import { checkpointStep } from './checkpoint.step.ts';
import { conditionStep } from './condition.step.ts';
import { deferStep } from './defer.step.ts';
import { emitStep } from './emit.step.ts';
import { failStep } from './fail.step.ts';
import { raceStep } from './race.step.ts';
import { ruleStep } from './rule.step.ts';
import type { AnyStepType } from './step-type.ts';
import { stopStep } from './stop.step.ts';
import { subworkflowStep } from './subworkflow.step.ts';
import { switchStep } from './switch.step.ts';
import { transformStep } from './transform.step.ts';
import { waitStep } from './wait.step.ts';

/** What every host knows without a plugin. */
export const BUILT_IN_STEPS: readonly AnyStepType[] = [
  actionStep,
  transformStep,
  ruleStep,
  conditionStep,
  switchStep,
  waitStep,
  approvalStep,
  raceStep,
  subworkflowStep,
  emitStep,
  deferStep,
  checkpointStep,
  stopStep,
  failStep,
];

export type StepTypes = ReadonlyMap<StepTypeName, AnyStepType>;

export const stepTypes = (...lists: readonly (readonly AnyStepType[])[]): StepTypes =>
  new Map(lists.flat().map((step) => [step.type, step]));

/** `ACTION` and `STEP_TYPE_ACTION` are the same; the long form is the one that is kept and answered. */
export const longForm = (type: string): StepTypeName =>
  type.startsWith('STEP_TYPE_') ? (type as StepTypeName) : `STEP_TYPE_${type}`;
