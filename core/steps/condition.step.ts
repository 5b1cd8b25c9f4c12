import { cel } from '../schema.ts';
import { defineStep } from './step-type.ts';

export const conditionStep = defineStep({
  type: 'STEP_TYPE_CONDITION',
  schema: { type: 'object', required: ['expression'], properties: { expression: cel({ type: 'boolean' }) } },
  outcomes: ['TRUE', 'FALSE'],
  endsAtOnce: true,
  start: ({ config: { expression } }) => ({
    to: 'completed',
    output: expression,
    outcome: expression ? 'TRUE' : 'FALSE',
  }),
});
