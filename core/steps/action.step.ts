import { template } from '../schema.ts';
import { defineStep } from './step-type.ts';

/** Runs one connector action. Retries, deadlines and lost outcomes are the engine's, so only the start is its own. */
export const actionStep = defineStep({
  type: 'STEP_TYPE_ACTION',
  schema: {
    type: 'object',
    required: ['action'],
    properties: {
      action: { type: 'string', format: 'action' },
      args: template({}),
      credential: { type: 'string', format: 'credential' },
      on_unknown: { enum: ['retry', 'park'] },
    },
  },
  start: ({ config: { action, args, credential, on_unknown }, executionKey }) => ({
    to: 'running',
    memo: null,
    task: {
      action,
      args: args ?? {},
      idempotencyKey: executionKey,
      ...(credential !== undefined && { credential }),
      ...(on_unknown && { onUnknown: on_unknown }),
    },
  }),
});
