import { childFailed, startRun } from './child-run.ts';
import type { UnlistedWorkflow } from './command.ts';
import { type AnyStepType, defineStep } from './step-type.ts';

/** The kind of runs that are a branch of another one. */
export const BRANCH_KIND = 'branch';
export const BRANCH_STEP = 'STEP_TYPE_BRANCH';

/**
 * Runs one branch as a run of its own, which shares the fate of the branch. No author writes it: it stands for the
 * region that was cut out.
 */
export const branchStep = (workflow: UnlistedWorkflow): AnyStepType =>
  defineStep({
    type: BRANCH_STEP,
    schema: { type: 'object', required: ['input'], properties: { input: {} } },
    waitsOut: true,
    start: ({ config: { input } }) =>
      startRun({ kind: BRANCH_KIND, workflow, input, parentClose: 'cancel', report: 'end' }, null),
    on: {
      child(_context, { child, end }) {
        const runId = child.kind === 'run' ? child.runId : null;
        switch (end.status) {
          case 'completed':
            return { to: 'completed', outcome: 'SUCCESS', output: end.output };
          case 'failed':
          case 'refused':
            return { to: 'failed', error: end.error };
          case 'cancelled':
          case 'terminated':
            return childFailed(end, runId);
          default:
            return null;
        }
      },
    },
  });
