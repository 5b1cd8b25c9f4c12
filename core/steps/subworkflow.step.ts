import { template } from '../schema.ts';
import { childFailed, failed, startRun } from './child-run.ts';
import { defineStep } from './step-type.ts';

/** The workflow that a step starts by name. */
export const workflowSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['slug'],
  properties: {
    slug: { type: 'string', minLength: 1, maxLength: 63 },
    version: { oneOf: [{ type: 'integer', minimum: 1 }, { const: 'latest' }], default: 'latest' },
  },
} as const;

/** Runs another workflow, and waits for its end or for one of its checkpoints. */
export const subworkflowStep = defineStep({
  type: 'STEP_TYPE_SUBWORKFLOW',
  schema: {
    type: 'object',
    required: ['workflow'],
    properties: {
      workflow: workflowSchema,
      input: template({}),
      wait_for: {
        oneOf: [
          { const: 'terminal' },
          {
            type: 'object',
            additionalProperties: false,
            required: ['checkpoint'],
            properties: { checkpoint: { type: 'string', minLength: 1 } },
          },
        ],
        default: 'terminal',
      },
      parent_close: { enum: ['cancel', 'terminate', 'abandon'], default: 'cancel' },
    },
  },
  start({ config: { workflow, input = {}, wait_for, parent_close: parentClose } }) {
    const report = wait_for === 'terminal' ? 'end' : { checkpoint: wait_for.checkpoint };
    const seed = { kind: 'workflow', workflow, input, parentClose, report } as const;
    return startRun(seed, { checkpoint: wait_for === 'terminal' ? null : wait_for.checkpoint });
  },
  on: {
    child({ memo: { checkpoint } }, { child, end }) {
      const runId = child.kind === 'run' ? child.runId : null;
      switch (end.status) {
        case 'checkpoint':
          return { to: 'completed', outcome: 'SUCCESS', output: end.output };
        case 'merged':
          return { to: 'completed', outcome: 'SUCCESS', output: { merged_into_run_id: end.into } };
        case 'completed':
          if (checkpoint === null) return { to: 'completed', outcome: 'SUCCESS', output: end.output };
          return failed('checkpoint_not_reached', `The child run completed without the checkpoint ${checkpoint}.`, {
            child_run_id: runId,
          });
        case 'refused':
          return { to: 'failed', error: end.error };
        case 'started':
          return null;
        default:
          return childFailed(end, runId);
      }
    },
  },
});
