import { branchTable } from '#scatter-gather/branch-table.js';
import { gatherStep } from '#scatter-gather/gather.step.js';
import { scatterStep } from '#scatter-gather/scatter.step.js';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';
import { until } from '../../support/until.ts';
import type { TestWorkflow } from '../../support/workflow.ts';

type Options = Parameters<typeof startTestEngine>[0];

/** An engine on a real database, with the plugin's steps. */
export const startWorld = (options: Options): Promise<TestEngine> =>
  startTestEngine({
    ...options,
    steps: [scatterStep, gatherStep, ...(options.steps ?? [])],
    tables: [branchTable, ...(options.tables ?? [])],
  });

/** The steps between the fan-out over `input.items` and what gathers them. */
export const eachItem = (
  step: TestWorkflow['steps'][number],
  { scatter = {}, gather = {} }: { readonly scatter?: object; readonly gather?: object } = {},
): TestWorkflow => ({
  steps: [
    { ref: 'each', type: 'SCATTER', items: 'input.items', ...scatter },
    step,
    { ref: 'all', type: 'GATHER', scatter: 'each', ...gather },
  ],
  edges: [
    { from: 'each', to: step.ref },
    { from: step.ref, to: 'all' },
  ],
  actions: { 'test.do': { effect: 'read', idempotency: 'key' } },
});

export const act = (more: object = {}) => ({ ref: 'do', type: 'ACTION', action: 'test.do', args: '${item}', ...more });

/** How the run came out; its state is not read, which would be large. */
export const outcomeOf = (test: TestEngine, runId: string, withinMs?: number) =>
  until(
    async () => {
      const [row] = await test.query<{ status: string; output: unknown; error: { code: string } | null }>(
        `select r.status, coalesce((select p.value from eec_payload p where p.run_id = r.id and p.id = (r.output -> '$payload' ->> 'id')::uuid), r.output) as output, r.error
       from eec_workflow_run r where r.id = $1 and r.ended_at is not null`,
        runId,
      );
      return row ?? null;
    },
    `run ${runId} to end`,
    withinMs,
  );
