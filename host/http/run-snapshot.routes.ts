import { DuctorError } from '@ductor/core';
import type { ServerRoute } from '@hapi/hapi';
import Joi from '@hapi/joi';
import { readControls } from '../postgres/reads/controls.ts';
import { snapshotAnswer, whyAnswer } from './run.answers.ts';
import { RUN_EXAMPLES as EXAMPLES } from './run.examples.ts';
import { showWhy } from './run.view.ts';
import { definitionOf, explain, READ, type RunRoutesDeps, runOf, runParams, stateOf } from './run-reads.ts';
import { showSnapshot } from './snapshot.view.ts';

const tags = ['Runs'];

/** A run as it stands or stood, and what it waits for. */
export const snapshotRoutes = (deps: RunRoutesDeps): readonly ServerRoute[] => [
  {
    method: 'GET',
    path: '/api/v2/workflow-runs/{run_id}/snapshot',
    options: {
      id: 'getRunSnapshot',
      description: 'Read a run with all its nodes, as it stands or stood',
      tags,
      auth: READ,
      validate: {
        params: Joi.object(runParams),
        query: Joi.object({
          at: Joi.number().integer().min(1).description('After this transition; by default its last'),
        }),
      },
      response: { schema: snapshotAnswer },
      plugins: { ductor: { examples: EXAMPLES.snapshot } },
    },
    async handler(request) {
      const { caller, runId, head } = await runOf(deps, request);
      const { at } = request.query as { at?: number };
      if (at !== undefined && at > head.version) {
        throw new DuctorError('not_found', `The run has no transition ${at}; its last is ${head.version}.`);
      }
      const state = await stateOf(deps, runId, at);
      const isPast = at !== undefined && at < head.version;
      const [definition, reasons, controls] = await Promise.all([
        definitionOf(deps, head.definitionId),
        isPast ? [] : explain(deps, state),
        readControls(deps.knex, { tenantId: caller.tenantId, runId, until: isPast ? state.tickedAt : null }),
      ]);
      return showSnapshot({ state, definition, reasons, controls });
    },
  },
  {
    method: 'GET',
    path: '/api/v2/workflow-runs/{run_id}/why',
    options: {
      id: 'explainRun',
      description: 'See what a run waits for, and when it will be looked at next',
      tags,
      auth: READ,
      validate: { params: Joi.object(runParams) },
      response: { schema: whyAnswer },
      plugins: { ductor: { examples: EXAMPLES.why } },
    },
    async handler(request) {
      const { runId } = await runOf(deps, request);
      const state = await stateOf(deps, runId);
      const reasons = await explain(deps, state);
      return { run_id: runId, status: state.status, reasons: reasons.map(showWhy) };
    },
  },
];
