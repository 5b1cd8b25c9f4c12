import { template } from '../schema.ts';
import { defineStep } from './step-type.ts';

/** Ends the run as failed, with the author's own code. */
export const failStep = defineStep({
  type: 'STEP_TYPE_FAIL',
  schema: {
    type: 'object',
    required: ['code'],
    properties: { code: { type: 'string' }, message: template({ type: 'string' }) },
  },
  outcomes: [],
  start: ({ config: { code, message } }) => ({
    to: 'failed',
    error: { code, message: message ?? `The workflow failed with ${code}.`, party: 'user' },
  }),
});
