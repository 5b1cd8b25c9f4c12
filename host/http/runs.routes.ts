import type { ServerRoute } from '@hapi/hapi';
import Joi from '@hapi/joi';
import { readRun } from '../postgres/reads/run.ts';
import { listRuns } from '../postgres/reads/run-list.ts';
import { attemptRoutes } from './attempts.routes.ts';
import { branchRoutes } from './branches.routes.ts';
import { callerOf } from './caller.ts';
import { pageAnswer, pageOf, pageQuery, pageRequest } from './paging.ts';
import { runAnswer, runSummaryAnswer } from './run.answers.ts';
import { RUN_EXAMPLES as EXAMPLES } from './run.examples.ts';
import { showRun, showWholeRun } from './run.view.ts';
import { runControlRoutes } from './run-controls.routes.ts';
import { eventRoutes } from './run-events.routes.ts';
import { runFilter } from './run-filter.ts';
import { noRun, READ, type RunRoutesDeps, runParams } from './run-reads.ts';
import { snapshotRoutes } from './run-snapshot.routes.ts';

/** All that is read of runs, and what operators tell them. */
export function runRoutes(deps: RunRoutesDeps): readonly ServerRoute[] {
  return [
    ...listRoutes(deps),
    ...snapshotRoutes(deps),
    ...eventRoutes(deps),
    ...attemptRoutes(deps),
    ...branchRoutes(deps),
    ...runControlRoutes(deps),
  ];
}

const tags = ['Runs'];

function listRoutes({ knex, tables }: RunRoutesDeps): readonly ServerRoute[] {
  const filter = runFilter(tables);
  const query = filter.schema.keys(pageQuery);
  return [
    {
      method: 'GET',
      path: '/api/workflows/runs',
      options: {
        id: 'listRuns',
        description: 'List runs, newest first',
        notes: 'Without inputs and outputs, which stand on each run by itself.',
        tags,
        auth: READ,
        validate: { query },
        response: { schema: pageAnswer(runSummaryAnswer).id('RunList') },
        plugins: { ductor: { examples: EXAMPLES.list } },
      },
      async handler(request) {
        const { tenantId } = callerOf(request);
        const page = pageRequest(request, 'desc');
        const after = typeof page.after === 'string' ? page.after : null;
        const rows = await listRuns(knex, {
          tenantId,
          filter: filter.of(request.query),
          order: page.order,
          after,
          limit: page.size + 1,
        });
        return pageOf(page, rows, { keyOf: ({ id }) => id, show: showRun });
      },
    },
    {
      method: 'GET',
      path: '/api/workflows/runs/{run_id}',
      options: {
        id: 'getRun',
        description: 'Read a run',
        tags,
        auth: READ,
        validate: { params: Joi.object(runParams) },
        response: { schema: runAnswer },
        plugins: { ductor: { examples: EXAMPLES.get } },
      },
      async handler(request) {
        const runId = String(request.params.run_id);
        const row = await readRun(knex, { tenantId: callerOf(request).tenantId, runId });
        if (row === null) throw noRun(runId);
        return showWholeRun(row);
      },
    },
  ];
}
