import { branchRef, DuctorError, type NodeAddress, nodeAddress, nodeKey, type Ref, type RunState } from '@ductor/core';
import type { ServerRoute } from '@hapi/hapi';
import Joi from '@hapi/joi';
import { BRANCH_STATUSES, type BranchRow, type BranchStatus, listBranches } from '../postgres/reads/branches.ts';
import { pageAnswer, pageOf, pageQuery, pageRequest } from './paging.ts';
import { branchAnswer } from './run.answers.ts';
import { RUN_EXAMPLES as EXAMPLES } from './run.examples.ts';
import { READ, type RunRoutesDeps, runOf, runParams, stateOf } from './run-reads.ts';

interface BranchQuery {
  readonly status?: BranchStatus;
  readonly branch: readonly number[];
}

const index = Joi.number().integer().min(0).max(1_000_000);

/** The branches of one node. */
export const branchRoutes = (deps: RunRoutesDeps): readonly ServerRoute[] => [
  {
    method: 'GET',
    path: '/api/v2/workflow-runs/{run_id}/nodes/{step_ref}/branches',
    options: {
      id: 'listBranches',
      description: 'List the branches of a step, in the order of its items',
      tags: ['Runs'],
      auth: READ,
      validate: {
        params: Joi.object({ ...runParams, step_ref: Joi.string().max(256).required() }),
        query: Joi.object({
          ...pageQuery,
          status: Joi.string().valid(...BRANCH_STATUSES),
          branch: Joi.array()
            .items(index)
            .single()
            .max(16)
            .default([])
            .description('The indexes of the branches around the step, outermost first'),
        }),
      },
      response: { schema: pageAnswer(branchAnswer).id('BranchList') },
      plugins: { ductor: { examples: EXAMPLES.branches } },
    },
    async handler(request) {
      const { caller, runId } = await runOf(deps, request);
      const { status = null, branch } = request.query as unknown as BranchQuery;
      const page = pageRequest(request, 'asc');
      const node = nodeKey({ ref: String(request.params.step_ref), branch });
      const { runs, ...place } = placeOf(await stateOf(deps, runId), node);
      const rows = await listBranches(deps.knex, {
        ...{ tenantId: caller.tenantId, runId, node, status, ...place },
        order: page.order,
        after: typeof page.after === 'number' ? page.after : null,
        limit: page.size + 1,
      });
      const show = ({ branch_run_id, ...row }: BranchRow) => ({
        ...row,
        run_id: branch_run_id ?? (row.status === 'in_flight' ? runs.get(row.index) : undefined) ?? null,
      });
      return pageOf(page, rows, { keyOf: (row) => row.index, show });
    },
  },
];

/** What the run's state says of the branches of a node. */
function placeOf({ fans, branches, open, children }: RunState, node: string) {
  const fan = fans.get(node);
  if (!fan) throw new DuctorError('not_found', `The run has no branches of ${node}.`);
  const { ref, branch: around } = nodeAddress(node);
  const isIn = (at: NodeAddress, owner: Ref) =>
    at.ref === owner && at.branch.slice(0, -1).join('.') === around.join('.');
  const inFlight = [...branches.keys()].map(nodeAddress).filter((at) => isIn(at, ref));
  const runs = [...children].filter(([, { at }]) => isIn(at, branchRef(ref)));
  return {
    generation: fan.generation,
    inFlight: inFlight.map(({ branch }) => String(branch.at(-1))),
    /** By index, where the branches are runs of their own. */
    runs: new Map(runs.map(([runId, { at }]) => [at.branch.at(-1) ?? 0, runId])),
    mayStart: open.get(node)?.status === 'waiting',
  };
}
