import type { AnyField, Instant, JsonObject } from '@ductor/core';
import type { ServerRoute } from '@hapi/hapi';
import Joi from '@hapi/joi';
import type { TriggerService } from '../trigger/trigger-service.ts';
import { callerOf } from './caller.ts';
import { endOf } from './request-end.ts';
import { instant } from './validation.ts';

interface TriggerBody {
  readonly input: JsonObject[string];
  readonly subject_type?: string;
  readonly subject_id?: string;
  readonly idempotency_key?: string;
  readonly external_deployment_id?: string;
  readonly start_at?: Date;
  readonly wait_for_checkpoint: boolean;
  readonly checkpoint_name?: string;
  readonly checkpoint_timeout_seconds: number;
  readonly priority: 'high' | 'normal' | 'low';
  readonly [field: string]: unknown;
}

const short = Joi.string().max(256);

const ownFields = {
  input: Joi.any().default({}),
  subject_type: short,
  subject_id: short,
  idempotency_key: short,
  external_deployment_id: short,
  start_at: instant,
  wait_for_checkpoint: Joi.boolean().strict().default(false),
  checkpoint_name: Joi.string().max(256),
  checkpoint_timeout_seconds: Joi.number().integer().min(1).max(300).default(30),
  priority: Joi.string().valid('high', 'normal', 'low').default('normal'),
};

/** `POST /api/v2/workflow-definitions/{definition_id}:trigger`. `fields`: the plugins' words of a trigger. */
export function triggerRoutes(
  triggers: Pick<TriggerService, 'start' | 'awaitCheckpoint'>,
  fields: readonly AnyField[],
): readonly ServerRoute[] {
  const theirs = Object.fromEntries(fields.map(({ name }) => [name, Joi.any()]));
  return [
    {
      method: 'POST',
      path: '/api/v2/workflow-definitions/{definition_id}:trigger',
      options: {
        auth: { scope: ['workflow:write'] },
        validate: {
          params: Joi.object({ definition_id: Joi.string().max(128) }),
          payload: Joi.object({ ...ownFields, ...theirs }),
        },
      },
      async handler(request) {
        const { tenantId } = callerOf(request);
        const body = request.payload as TriggerBody;
        // Before the run starts: the server may stop while it does.
        const signal = body.wait_for_checkpoint ? endOf(request) : null;
        const { runId, status } = await triggers.start(tenantId, {
          address: String(request.params.definition_id),
          input: body.input,
          subjectType: body.subject_type ?? null,
          subjectId: body.subject_id ?? null,
          idempotencyKey: body.idempotency_key ?? null,
          externalDeploymentId: body.external_deployment_id ?? null,
          startAt: (body.start_at?.toISOString() as Instant | undefined) ?? null,
          priority: body.priority,
          fields: pick(body, Object.keys(theirs)),
        });
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

const pick = (body: TriggerBody, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]]))) as JsonObject;
