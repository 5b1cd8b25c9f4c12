import type { AnyField, Instant, JsonObject } from '@ductor/core';
import Joi from '@hapi/joi';
import type { TriggerRequest } from '../trigger/trigger-service.ts';
import { fieldComponent } from './definition.components.ts';
import { instant } from './validation.ts';

/** What a caller says of a run to be started, alone or among others. */
export interface TriggerBody {
  readonly input: JsonObject[string];
  readonly subject_type?: string;
  readonly subject_id?: string;
  readonly idempotency_key?: string;
  readonly external_deployment_id?: string;
  readonly start_at?: Date;
  readonly priority: 'high' | 'normal' | 'low';
  readonly [field: string]: unknown;
}

const short = Joi.string().max(256);

/** `fields`: the plugins' words of a trigger. */
export const triggerFields = (fields: readonly AnyField[]) => ({
  input: Joi.any().default({}).description('By the definition’s input_schema'),
  subject_type: short,
  subject_id: short,
  idempotency_key: short.description('The same key always means the same run'),
  external_deployment_id: short,
  start_at: instant.description('Not before this instant does the first step start'),
  priority: Joi.string().valid('high', 'normal', 'low').default('normal'),
  ...Object.fromEntries(fields.map(({ name }) => [name, Joi.any().id(fieldComponent(name))])),
});

export const triggerRequest = (
  body: TriggerBody,
  { address, traceparent, fields }: Pick<TriggerRequest, 'address' | 'traceparent'> & { fields: readonly AnyField[] },
): TriggerRequest => ({
  address,
  input: body.input,
  subjectType: body.subject_type ?? null,
  subjectId: body.subject_id ?? null,
  idempotencyKey: body.idempotency_key ?? null,
  externalDeploymentId: body.external_deployment_id ?? null,
  startAt: (body.start_at?.toISOString() as Instant | undefined) ?? null,
  priority: body.priority,
  traceparent,
  fields: Object.fromEntries(
    fields.flatMap(({ name }) => (body[name] === undefined ? [] : [[name, body[name]]])),
  ) as JsonObject,
});
