import { FINAL_STATUSES } from '@ductor/core';
import type { ServerRoute } from '@hapi/hapi';
import Joi from '@hapi/joi';
import type { Knex } from 'knex';
import { type FamilyRow, listFamily, readRoot } from '../postgres/reads/run-tree.ts';
import { callerOf } from './caller.ts';
import { pageOf, pageQuery, pageRequest } from './paging.ts';
import { workflowType } from './run.view.ts';
import { noRun, READ, runParams } from './run-reads.ts';
import { uuid } from './validation.ts';

const RELATIONS = ['root', 'child', 'deferred', 'continuation'] as const;

const link = uuid.allow(null).required();
const time = Joi.string().isoDate();

const item = Joi.object({
  run_id: uuid.required(),
  relation: Joi.string()
    .valid(...RELATIONS)
    .required()
    .description('A continuation hangs from continued_from_run_id, a child from parent_run_id'),
  parent_run_id: link,
  parent_step_ref: Joi.string().allow(null).required().description('The step that started it, where one waits for it'),
  parent_branch: Joi.array().items(Joi.number().integer()).required(),
  continued_from_run_id: link,
  reset_from_run_id: link.description('Of a root: the run of another family that it was forked from'),
  depth: Joi.number().integer().required().description('How deep it is nested; a continuation lies as deep as its run'),
  kind: Joi.string().required(),
  workflow_type: Joi.string().allow(null).required(),
  version: Joi.number().integer().allow(null).required(),
  status: Joi.string()
    .valid('pending', 'running', 'waiting', 'paused', 'cancelling', ...FINAL_STATUSES)
    .required(),
  created_at: time.required(),
  started_at: time.allow(null).required(),
  ended_at: time.allow(null).required(),
}).id('FamilyMember');

const { page_size, page_token } = pageQuery;

/** `GET /api/workflows/runs/{run_id}/tree` */
export const treeRoutes = ({ knex }: { readonly knex: Knex }): readonly ServerRoute[] => [
  {
    method: 'GET',
    path: '/api/workflows/runs/{run_id}/tree',
    options: {
      id: 'getRunTree',
      auth: READ,
      description: 'Lists the whole family of a run: its root, and all that came of it',
      notes:
        'Any run of the family may be asked for. The root comes first and the others in the order of their ids, which ' +
        'is by time: with rare exceptions, a run comes after the one that it hangs from.',
      tags: ['Runs'],
      validate: { params: Joi.object(runParams), query: Joi.object({ page_size, page_token }) },
      response: {
        schema: Joi.object({
          root_run_id: uuid.required(),
          items: Joi.array().items(item).required(),
          next_page_token: Joi.string().allow(null).required(),
        }).id('RunTree'),
      },
    },
    async handler(request) {
      const { tenantId } = callerOf(request);
      const runId = String(request.params.run_id);
      const rootId = await readRoot(knex, { tenantId, runId });
      if (rootId === null) throw noRun(runId);
      const page = pageRequest(request, 'asc');
      const after = typeof page.after === 'string' ? page.after : null;
      const rows = await listFamily(knex, { tenantId, rootId, after, limit: page.size + 1 });
      return { root_run_id: rootId, ...pageOf(page, rows, { keyOf: ({ id }) => id, show: showMember }) };
    },
  },
];

const showMember = ({ id, lineage, family_slug, ...row }: FamilyRow) => ({
  run_id: id,
  relation: relationOf(id, lineage),
  parent_run_id: lineage.parent?.runId ?? null,
  parent_step_ref: lineage.parent?.node?.ref ?? null,
  parent_branch: lineage.parent?.node?.branch ?? [],
  continued_from_run_id: lineage.continuedFrom,
  reset_from_run_id: lineage.resetFrom,
  depth: lineage.depth,
  kind: row.kind,
  workflow_type: workflowType(family_slug),
  version: row.version,
  status: row.status,
  created_at: row.created_at,
  started_at: row.started_at,
  ended_at: row.ended_at,
});

type Relation = (typeof RELATIONS)[number];

function relationOf(id: string, { rootRunId, continuedFrom, parent }: FamilyRow['lineage']): Relation {
  if (id === rootRunId) return 'root';
  if (continuedFrom !== null) return 'continuation';
  return parent?.report === 'start' ? 'deferred' : 'child';
}
