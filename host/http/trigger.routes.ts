import type { AnyField } from '@ductor/core';
import type { ServerRoute } from '@hapi/hapi';
import Joi from '@hapi/joi';
import type { TriggerService } from '../trigger/trigger-service.ts';
import { callerOf } from './caller.ts';
import { fieldComponents } from './definition.components.ts';
import { endOf } from './request-end.ts';
import { triggeredAnswer } from './run.answers.ts';
import { RUN_EXAMPLES as EXAMPLES } from './run.examples.ts';
import { type TriggerBody, triggerFields, triggerRequest } from './trigger-request.ts';

interface WaitingBody extends TriggerBody {
  readonly wait_for_checkpoint: boolean;
  readonly checkpoint_name?: string;
  readonly checkpoint_timeout_seconds: number;
}

const waitFields = {
  wait_for_checkpoint: Joi.boolean()
    .strict()
    .default(false)
    .description('Answer when the run has come to a checkpoint, with its reply'),
  checkpoint_name: Joi.string().max(256).description('By default the first that comes'),
  checkpoint_timeout_seconds: Joi.number().integer().min(1).max(300).default(30),
};

/** `POST /api/v2/workflow-definitions/{definition_id}:trigger`. `fields`: the plugins' words of a trigger. */
export function triggerRoutes(
  triggers: Pick<TriggerService, 'start' | 'awaitCheckpoint'>,
  fields: readonly AnyField[],
): readonly ServerRoute[] {
  return [
    {
      method: 'POST',
      path: '/api/v2/workflow-definitions/{definition_id}:trigger',
      options: {
        id: 'triggerWorkflow',
        description: 'Start a run',
        notes: `\`definition_id\` is a version’s id, which is then the one that runs, or a draft’s id or a slug: the latest version.
The same \`idempotency_key\` with the same request answers the same run.`,
        tags: ['Trigger'],
        auth: { scope: ['workflow:write'] },
        validate: {
          params: Joi.object({ definition_id: Joi.string().max(128) }),
          payload: Joi.object({ ...triggerFields(fields), ...waitFields }).id('TriggerWorkflow'),
        },
        response: { schema: triggeredAnswer },
        plugins: { ductor: { components: fieldComponents(fields), examples: EXAMPLES.trigger } },
      },
      async handler(request) {
        const { tenantId, traceparent } = callerOf(request);
        const body = request.payload as WaitingBody;
        // Before the run starts: the server may stop while it does.
        const signal = body.wait_for_checkpoint ? endOf(request) : null;
        const address = String(request.params.definition_id);
        const { runId, status } = await triggers.start(
          tenantId,
          triggerRequest(body, { address, traceparent, fields }),
        );
        if (signal === null) return { run_id: runId, status };
        const answer = await triggers.awaitCheckpoint({
          runId,
          name: body.checkpoint_name ?? null,
          withinMs: body.checkpoint_timeout_seconds * 1000,
          signal,
        });
        return {
          run_id: runId,
          status: answer.status,
          ...(answer.reply && { response_group_output: answer.reply.output ?? null }),
        };
      },
    },
  ];
}
