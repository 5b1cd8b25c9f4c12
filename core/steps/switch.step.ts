import { cel } from '../schema.ts';
import { defineStep } from './step-type.ts';

/** Takes the CASE edge whose `case` is its value as text, else DEFAULT, else fails with `no_case`. */
export const switchStep = defineStep({
  type: 'STEP_TYPE_SWITCH',
  schema: { type: 'object', required: ['expression'], properties: { expression: cel({}) } },
  outcomes: ['CASE', 'DEFAULT'],
  endsAtOnce: true,
  start: ({ config: { expression } }) => ({
    to: 'completed',
    output: expression,
    outcome: 'CASE',
    case: typeof expression === 'string' ? expression : JSON.stringify(expression),
    unrouted: 'no_case',
  }),
});
