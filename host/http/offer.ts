import { DuctorError, type Json } from '@ductor/core';
import Joi from '@hapi/joi';
import { type ControlBody, findControl, offerControl } from '../postgres/offer-control.ts';
import type { RunHead } from '../postgres/reads/run.ts';
import type { Caller } from './caller.ts';
import { type RunRoutesDeps, requestId } from './run-reads.ts';

/** What every control says: the caller's own id of it, and why it is given. */
export const controlFields = {
  request_id: requestId.required(),
  reason: Joi.string().max(1_024).allow('', null),
};

export const acceptedAnswer = Joi.object({
  status: Joi.string().valid('accepted').required(),
  run_id: Joi.string().uuid().required(),
}).id('Accepted');

/**
 * Keeps a control for its run's next tick, once: the same `request_id` again is answered alike, whatever became of the
 * run since. `advise` throws where the control cannot do what it is for.
 */
export async function offer(
  deps: RunRoutesDeps,
  of: { readonly caller: Caller; readonly runId: string; readonly head: RunHead },
  asked: {
    readonly requestId: string;
    readonly reason: string | null;
    readonly body: ControlBody;
    advise(): void | Promise<void>;
  },
): Promise<{ readonly status: 'accepted'; readonly run_id: string }> {
  const { requestId, reason, body } = asked;
  const { tenantId, actor } = of.caller;
  const { runId } = of;
  const { chainId } = of.head;
  const control = { id: deps.ids.uuidv7(), tenantId, chainId, runId, requestId, actor, reason, body };
  const answer = { status: 'accepted', run_id: runId } as const;
  const known = await findControl(deps.knex, { ...control, body: body as Json });
  if (known === null) {
    await asked.advise();
    if ((await offerControl(deps.knex, control)) === 'kept') {
      deps.wake(runId);
      return answer;
    }
  }
  // Known before, or from another request a moment ago.
  if ((known ?? (await findControl(deps.knex, { ...control, body: body as Json }))) === 'same') return answer;
  throw new DuctorError('already_exists', `request_id ${requestId} was used for something else.`);
}
