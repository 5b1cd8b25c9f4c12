import { template } from '../schema.ts';
import { defineStep } from './step-type.ts';

/** A pure value, computed in the tick; no attempt. */
export const transformStep = defineStep({
  type: 'STEP_TYPE_TRANSFORM',
  schema: { type: 'object', required: ['value'], properties: { value: template({}) } },
  endsAtOnce: true,
  start: ({ config: { value } }) => ({ to: 'completed', outcome: 'SUCCESS', output: value }),
});
