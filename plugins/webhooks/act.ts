import {
  compileTemplate,
  DuctorError,
  type EventPublisher,
  ExpressionError,
  evaluateTemplate,
  isObject,
  type Json,
  type JsonObject,
  type Trigger,
} from '@ductor/core';
import type { PublishAction, RequestVariable, TriggerAction, Webhook } from './webhook.ts';

export interface Doers {
  readonly events: EventPublisher;
  readonly trigger: Trigger;
}

/**
 * Does what a delivery is for, once for each `deliveryId`, and answers with what its sender is to be told. All templates
 * are evaluated before anything is done. Throws `DuctorError`: `invalid_argument` where the delivery does not fit.
 */
export async function act(
  webhook: Webhook,
  { request, deliveryId }: { readonly request: RequestVariable; readonly deliveryId: string },
  { events, trigger }: Doers,
): Promise<Json> {
  const fill: Fill = (path, template) => filled(path, template, request);
  const { tenant_id: tenantId, action, response } = webhook;
  // Another webhook may get deliveries of the same id.
  const key = `webhook/${webhook.id}/${deliveryId}`;
  const answer = fill('response.body', response.body);
  if ('publish' in action) await events.publish(tenantId, eventOf(action.publish, key, fill));
  else await start(trigger, { tenantId, ...runOf(action.trigger, key, fill) });
  return answer;
}

type Fill = (path: string, template: Json) => Json;

const eventOf = ({ event_name, correlation_key, event_id, payload }: PublishAction, key: string, fill: Fill) => {
  const at = 'action.publish';
  const text = (field: string, template: string, bounds: Bounds) =>
    textOf(`${at}.${field}`, fill(`${at}.${field}`, template), bounds);
  return {
    eventName: text('event_name', event_name, [1, 256]),
    correlationKey: text('correlation_key', correlation_key, [0, 1_024]),
    eventId: event_id === undefined ? key : text('event_id', event_id, [1, 256]),
    payload: fill(`${at}.payload`, payload),
  };
};

function runOf({ workflow, input, idempotency_key, ...words }: TriggerAction, key: string, fill: Fill) {
  const at = 'action.trigger';
  const place = `${at}.idempotency_key`;
  const fields = fill(at, words as JsonObject);
  return {
    workflow,
    input: fill(`${at}.input`, input),
    idempotencyKey: idempotency_key === undefined ? key : textOf(place, fill(place, idempotency_key), [1, 256]),
    fields: isObject(fields) ? fields : {},
  };
}

/** A key that is taken stands for a run that is there, whatever else the delivery says now. */
async function start(trigger: Trigger, seed: Parameters<Trigger['start']>[0]): Promise<void> {
  try {
    await trigger.start(seed);
  } catch (error) {
    if (!(error instanceof DuctorError) || error.code !== 'already_exists') throw error;
    if (!isObject(error.details) || error.details.run_id === undefined) throw error;
  }
}

function filled(path: string, template: Json, request: RequestVariable): Json {
  try {
    return evaluateTemplate(compileTemplate(template), { request });
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { code, message, position, path: within = '' } = error;
    const place = `${path}${within === '' || within.startsWith('[') ? '' : '.'}${within}`;
    throw unfit({ path: place, code, message, ...(position && { position: { ...position } }) });
  }
}

type Bounds = readonly [least: number, most: number];

/** Numbers and booleans are written out: the keys of other systems often are numbers. */
function textOf(path: string, value: Json, [least, most]: Bounds): string {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (typeof text === 'string' && text.length >= least && text.length <= most) return text;
  throw unfit({ path, code: 'invalid_value', message: `It yields no text of ${least} to ${most} characters.` });
}

const unfit = (problem: JsonObject & { readonly message: string }): DuctorError =>
  new DuctorError('invalid_argument', `The delivery does not fit the webhook: ${problem.message}`, [problem]);
