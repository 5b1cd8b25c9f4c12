import { DuctorError, effectOf, RUN_CONTROLS, type RunControl, statusesFor } from '@ductor/core';
import type { ServerRoute } from '@hapi/hapi';
import Joi from '@hapi/joi';
import { acceptedAnswer, controlFields, offer } from './offer.ts';
import { CONTROL, type RunRoutesDeps, runOf, runParams } from './run-reads.ts';

const payload = Joi.object(controlFields).required().id('RunControl');

const DESCRIPTIONS: { readonly [Name in RunControl]: string } = {
  pause: 'Starts nothing new; what is in flight ends, and signals are kept until the run is resumed.',
  resume: 'Goes on with a paused run.',
  cancel: 'Stops what is in flight, within the definition’s cancel_grace, and ends the run as cancelled.',
  terminate: 'Ends the run at once: nobody waits for what is in flight.',
  redrive: 'Reopens a failed, cancelled or terminated run: what failed or was cancelled, and all after it, runs again.',
};

/** `POST /api/v2/workflow-runs/{run_id}:pause` and its kin: intents, which the run's next tick applies. */
export const runControlRoutes = (deps: RunRoutesDeps): readonly ServerRoute[] =>
  RUN_CONTROLS.map((control) => ({
    method: 'POST',
    path: `/api/v2/workflow-runs/{run_id}:${control}`,
    options: {
      id: `${control}Run`,
      description: DESCRIPTIONS[control],
      tags: ['Run control'],
      auth: CONTROL,
      validate: { params: Joi.object(runParams), payload },
      response: { schema: acceptedAnswer },
      plugins: {
        ductor: {
          examples: [
            {
              summary: DESCRIPTIONS[control],
              params: { run_id: '0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11' },
              payload: { request_id: `op-${control}-1`, reason: 'as agreed with the customer' },
              answer: { status: 'accepted', run_id: '0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11' },
            },
          ],
        },
      },
    },
    async handler(request) {
      const of = await runOf(deps, request);
      const { request_id, reason = null } = request.payload as { request_id: string; reason?: string | null };
      return offer(deps, of, {
        requestId: request_id,
        reason,
        body: { control },
        advise() {
          const { status } = of.head;
          if (effectOf(control, status) !== null) return;
          throw new DuctorError('failed_precondition', `A run that is ${status} takes no ${control}.`, {
            status,
            allowed: [...statusesFor(control)],
          });
        },
      });
    },
  }));
