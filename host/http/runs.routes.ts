import { FINAL_STATUSES, type Instant, type RunStatus } from '@ductor/core';
import type { ServerRoute } from '@hapi/hapi';
import Joi from '@hapi/joi';
import { readRun } from '../postgres/reads/run.ts';
import { listRuns, type RunListFilter } from '../postgres/reads/run-list.ts';
import { attemptRoutes } from './attempts.routes.ts';
import { callerOf } from './caller.ts';
import { pageOf, pageQuery, pageRequest } from './paging.ts';
import { showRun, showWholeRun } from './run.view.ts';
import { eventRoutes } from './run-events.routes.ts';
import { noRun, READ, type RunRoutesDeps, runParams } from './run-reads.ts';
import { snapshotRoutes } from './run-snapshot.routes.ts';
import { type TableFilter, tableFilters } from './table-filters.ts';
import { instant, uuid } from './validation.ts';

const STATUSES: readonly RunStatus[] = ['pending', 'running', 'waiting', 'paused', 'cancelling', ...FINAL_STATUSES];
const text = Joi.string().min(1).max(1_024);

/** All that is read of runs. */
export function runRoutes(deps: RunRoutesDeps): readonly ServerRoute[] {
  return [...listRoutes(deps), ...snapshotRoutes(deps), ...eventRoutes(deps), ...attemptRoutes(deps)];
}

interface ListQuery {
  readonly workflow_type?: string;
  readonly status?: readonly RunStatus[];
  readonly active_only?: boolean;
  readonly subject_type?: string;
  readonly subject_id?: string;
  readonly root_run_id?: string;
  readonly kind: string;
  readonly started_after?: Date;
  readonly started_before?: Date;
}

function listRoutes({ knex, tables }: RunRoutesDeps): readonly ServerRoute[] {
  const filters = tableFilters(tables);
  const query = filters.reduce(
    (schema, { accepts }) => schema.pattern(accepts, text),
    Joi.object({
      ...pageQuery,
      workflow_type: text,
      status: Joi.array()
        .items(Joi.string().valid(...STATUSES))
        .single(),
      active_only: Joi.boolean(),
      subject_type: text,
      subject_id: text,
      root_run_id: uuid,
      kind: text.default('workflow'),
      started_after: instant,
      started_before: instant,
    }).pattern(/^attribute\../, text),
  );
  return [
    {
      method: 'GET',
      path: '/api/workflows/runs',
      options: { auth: READ, validate: { query } },
      async handler(request) {
        const { tenantId } = callerOf(request);
        const page = pageRequest(request, 'desc');
        const filter = filterOf(request.query as unknown as ListQuery, filters);
        const after = typeof page.after === 'string' ? page.after : null;
        const rows = await listRuns(knex, { tenantId, filter, order: page.order, after, limit: page.size + 1 });
        return pageOf(page, rows, { keyOf: ({ id }) => id, show: showRun });
      },
    },
    {
      method: 'GET',
      path: '/api/workflows/runs/{run_id}',
      options: { auth: READ, validate: { params: Joi.object(runParams) } },
      async handler(request) {
        const runId = String(request.params.run_id);
        const row = await readRun(knex, { tenantId: callerOf(request).tenantId, runId });
        if (row === null) throw noRun(runId);
        return showWholeRun(row);
      },
    },
  ];
}

function filterOf(query: ListQuery, filters: readonly TableFilter[]): RunListFilter {
  const { workflow_type, status, active_only, subject_type, subject_id, root_run_id, kind } = query;
  const given = Object.entries(query) as [string, unknown][];
  return {
    kind,
    ...(workflow_type !== undefined && { workflowType: workflow_type }),
    ...(status !== undefined && { statuses: status }),
    ...(active_only !== undefined && { activeOnly: active_only }),
    ...(subject_type !== undefined && { subjectType: subject_type }),
    ...(subject_id !== undefined && { subjectId: subject_id }),
    ...(root_run_id !== undefined && { rootRunId: root_run_id }),
    ...(query.started_after && { startedAfter: instantOf(query.started_after) }),
    ...(query.started_before && { startedBefore: instantOf(query.started_before) }),
    attributes: given.flatMap(([name, value]) =>
      name.startsWith('attribute.') ? [{ key: name.slice('attribute.'.length), value: String(value) }] : [],
    ),
    plugins: given.flatMap(([name, value]) =>
      filters.filter(({ accepts }) => accepts.test(name)).map(({ bind }) => bind(name, String(value))),
    ),
  };
}

const instantOf = (date: Date): Instant => date.toISOString();
