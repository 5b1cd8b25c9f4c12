import type { AnyField } from '@ductor/core';
import type { ServerRoute } from '@hapi/hapi';
import Joi from '@hapi/joi';
import type { Logger } from 'pino';
import { type StartResult, startAll } from '../trigger/start-all.ts';
import type { TriggerRequest, TriggerService } from '../trigger/trigger-service.ts';
import { callerOf } from './caller.ts';
import { refusalFor, refusalWithin, showError } from './errors.ts';
import { type TriggerBody, triggerFields, triggerRequest } from './trigger-request.ts';
import { problemsIn, uuid, VALIDATION_OPTIONS } from './validation.ts';

const MOST = 1_000;

const answer = Joi.object({
  items: Joi.array()
    .items(
      Joi.alternatives()
        .match('one')
        .try(
          Joi.object({ run_id: uuid.required(), status: Joi.string().required() }).id('BatchStarted'),
          Joi.object({ error: Joi.object({ code: Joi.string(), message: Joi.string(), details: Joi.any() }) }).id(
            'BatchRefused',
          ),
        ),
    )
    .required(),
}).id('TriggerBatchAnswer');

/** `POST /api/v2/workflow-definitions/{definition_id}:triggerBatch`. `fields`: the plugins' words of a trigger. */
export function triggerBatchRoutes({
  triggers,
  fields,
  log,
}: {
  readonly triggers: Pick<TriggerService, 'start' | 'resolve'>;
  readonly fields: readonly AnyField[];
  readonly log: Logger;
}): readonly ServerRoute[] {
  const item = Joi.object(triggerFields(fields)).required().id('TriggerBatchItem');
  return [
    {
      method: 'POST',
      path: '/api/v2/workflow-definitions/{definition_id}:triggerBatch',
      options: {
        id: 'triggerWorkflowBatch',
        auth: { scope: ['workflow:write'] },
        description: 'Starts up to 1,000 runs of one definition',
        notes:
          'An item is what a single trigger takes, without its checkpoint fields. Each is answered in its place, by its ' +
          'run or by its error, whose paths begin at the item; one that is refused does not hold up the others. Items ' +
          'with the same idempotency key give one run, the first of them deciding what the key stands for.',
        tags: ['Trigger'],
        validate: {
          params: Joi.object({ definition_id: Joi.string().max(128) }),
          payload: Joi.object({
            // What does not fit is let through, to be answered in its place.
            items: Joi.array().items(Joi.alternatives().try(item, Joi.any())).min(1).max(MOST).required(),
          })
            .required()
            .id('TriggerBatch'),
        },
        response: { schema: answer },
      },
      async handler(request) {
        const { tenantId, traceparent } = callerOf(request);
        const { items } = request.payload as { readonly items: readonly unknown[] };
        const address = String(request.params.definition_id);
        const checked = items.map((each): TriggerRequest | StartResult => {
          const { value, error } = item.validate(each, VALIDATION_OPTIONS);
          if (error) return { error: refusalFor(problemsIn(error, [item]), { what: 'item' }) };
          return triggerRequest(value as TriggerBody, { address, traceparent, fields });
        });
        const requests = checked.filter((each): each is TriggerRequest => 'address' in each);
        const started = (await startAll(triggers, { tenantId, address, requests })).values();
        const show = (result: StartResult) => {
          if ('answer' in result) return { run_id: result.answer.runId, status: result.answer.status };
          const refusal = refusalWithin(result.error);
          if (refusal !== result.error) log.error({ err: result.error }, 'a trigger of a batch failed');
          return { error: showError(refusal) };
        };
        return { items: checked.map((each) => show('address' in each ? started.next().value! : each)) };
      },
    },
  ];
}
