import { DuctorError, type Json, type Resolution } from '@ductor/core';
import type { ServerRoute } from '@hapi/hapi';
import Joi from '@hapi/joi';
import { hasAttempt, listAttempts } from '../postgres/reads/attempts.ts';
import { acceptedAnswer, controlFields, offer } from './offer.ts';
import { pageAnswer, pageOf, pageQuery, pageRequest } from './paging.ts';
import { attemptAnswer } from './run.answers.ts';
import { RUN_EXAMPLES as EXAMPLES } from './run.examples.ts';
import { showAttempt } from './run.view.ts';
import { CONTROL, READ, type RunRoutesDeps, runOf, runParams, stateOf } from './run-reads.ts';
import { uuid } from './validation.ts';

const resolution = Joi.alternatives()
  .match('one')
  .try(
    Joi.object({ outcome: Joi.valid('completed').required(), output: Joi.any() }),
    Joi.object({ outcome: Joi.valid('failed').required(), message: Joi.string().max(4_096) }),
    Joi.object({ outcome: Joi.valid('retry').required() }),
  )
  .messages({
    'alternatives.any': '{{#label}} is outcome completed with output, outcome failed with message, or outcome retry',
  });

interface ResolveBody {
  readonly request_id: string;
  readonly reason?: string | null;
  readonly resolution: {
    readonly outcome: 'completed' | 'failed' | 'retry';
    readonly output?: Json;
    readonly message?: string;
  };
}

/** The attempts of a run, and the operator's word on one whose outcome nobody knows. */
export const attemptRoutes = (deps: RunRoutesDeps): readonly ServerRoute[] => [
  {
    method: 'GET',
    path: '/api/v2/workflow-runs/{run_id}/attempts',
    options: {
      id: 'listRunAttempts',
      description: 'List the attempts of a run, oldest first',
      tags: ['Runs'],
      auth: READ,
      validate: { params: Joi.object(runParams), query: Joi.object(pageQuery) },
      response: { schema: pageAnswer(attemptAnswer).id('AttemptList') },
      plugins: { ductor: { examples: EXAMPLES.attempts } },
    },
    async handler(request) {
      const { caller, runId } = await runOf(deps, request);
      const page = pageRequest(request, 'asc');
      const { order, size } = page;
      const after = typeof page.after === 'string' ? page.after : null;
      const rows = await listAttempts(deps.knex, { tenantId: caller.tenantId, runId, order, after, limit: size + 1 });
      return pageOf(page, rows, { keyOf: ({ id }) => id, show: showAttempt });
    },
  },
  {
    method: 'POST',
    path: '/api/v2/workflow-runs/{run_id}/attempts/{attempt_id}:resolve',
    options: {
      id: 'resolveAttempt',
      description: 'Say what came of an attempt whose outcome nobody knows',
      notes: 'Only where the run asks for it, by the reason `outcome_unknown`.',
      tags: ['Run control'],
      auth: CONTROL,
      validate: {
        params: Joi.object({ ...runParams, attempt_id: uuid.required() }),
        payload: Joi.object({
          ...controlFields,
          resolution: resolution.required(),
        })
          .required()
          .id('ResolveAttempt'),
      },
      response: { schema: acceptedAnswer },
      plugins: { ductor: { examples: EXAMPLES.resolve } },
    },
    async handler(request) {
      const of = await runOf(deps, request);
      const { request_id, reason = null, resolution } = request.payload as unknown as ResolveBody;
      const attemptId = String(request.params.attempt_id);
      return offer(deps, of, {
        requestId: request_id,
        reason,
        body: { control: 'resolveAttempt', attemptId, resolution: resolutionOf(resolution) },
        advise: () => requireOpenQuestion(deps, { tenantId: of.caller.tenantId, runId: of.runId, attemptId }),
      });
    },
  },
];

function resolutionOf({ outcome, output, message }: ResolveBody['resolution']): Resolution {
  switch (outcome) {
    case 'completed':
      return { as: outcome, output: output ?? null };
    case 'failed':
      return { as: outcome, message: message ?? 'An operator said that it failed.' };
    case 'retry':
      return { as: outcome };
  }
}

/** Advice at the door: the tick decides. */
async function requireOpenQuestion(
  deps: RunRoutesDeps,
  { tenantId, runId, attemptId }: { readonly tenantId: string; readonly runId: string; readonly attemptId: string },
): Promise<void> {
  if (!(await hasAttempt(deps.knex, { tenantId, runId, id: attemptId }))) {
    throw new DuctorError('not_found', `The run has no attempt ${attemptId}.`);
  }
  const { open } = await stateOf(deps, runId);
  const isAsked = [...open.values()].some(
    (node) => node.status === 'waiting' && node.wait.kind === 'operator' && node.work?.attempt.id === attemptId,
  );
  if (isAsked) return;
  throw new DuctorError(
    'failed_precondition',
    'Nobody asks what came of this attempt: its outcome is known or no longer matters.',
  );
}
