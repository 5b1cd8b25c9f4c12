import { template } from '../schema.ts';
import { defineStep } from './step-type.ts';

/** Lets go whoever waits for this run to come this far, with `reply` as the answer. */
export const checkpointStep = defineStep({
  type: 'STEP_TYPE_CHECKPOINT',
  schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, reply: template({}) } },
  endsAtOnce: true,
  outsideRegions: true,
  start: ({ config: { name, reply } }) => ({
    to: 'completed',
    outcome: 'SUCCESS',
    output: reply ?? null,
    commands: [{ do: 'reply', name, ...(reply !== undefined && { output: reply }) }],
  }),
});
