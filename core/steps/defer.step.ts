import { duration, template } from '../schema.ts';
import { startRun } from './child-run.ts';
import { defineStep } from './step-type.ts';
import { workflowSchema } from './subworkflow.step.ts';

/** Starts a run that goes its own way; the step is over as soon as that run is there. */
export const deferStep = defineStep({
  type: 'STEP_TYPE_DEFER',
  schema: {
    type: 'object',
    required: ['workflow'],
    properties: { workflow: workflowSchema, input: template({}), delay: duration },
  },
  start({ config: { workflow, input = {}, delay }, after }) {
    const detached = { kind: 'workflow', parentClose: 'abandon', report: 'start' } as const;
    const seed = { ...detached, workflow, input, ...(delay !== undefined && { startAt: after(delay) }) };
    return startRun(seed, null);
  },
  on: {
    child(_context, { child, end }) {
      if (end.status === 'refused') return { to: 'failed', error: end.error };
      return {
        to: 'completed',
        outcome: 'SUCCESS',
        output: { run_id: child.kind === 'run' ? child.runId : null },
      };
    },
  },
});
