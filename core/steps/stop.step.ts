import { template } from '../schema.ts';
import { defineStep } from './step-type.ts';

/** Ends the run as completed. */
export const stopStep = defineStep({
  type: 'STEP_TYPE_STOP',
  schema: { type: 'object', properties: { output: template({}) } },
  outsideRegions: true,
  outcomes: [],
  start: ({ config: { output = null } }) => ({
    to: 'completed',
    outcome: 'SUCCESS',
    output,
    commands: [{ do: 'end', ending: { status: 'completed', output } }],
  }),
});
