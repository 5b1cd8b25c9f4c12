import {
  type Clock,
  type CredentialReader,
  DuctorError,
  type JsonObject,
  type RawBody,
  type Route,
} from '@ductor/core';
import type { Request, ResponseToolkit } from '@hapi/hapi';
import Joi from '@hapi/joi';
import { act, type Doers } from './act.ts';
import { deliveryIdOf, requestVariable } from './delivery.ts';
import { secretOf } from './secret.ts';
import { fault } from './signature.ts';
import { EXAMPLES } from './webhook.examples.ts';
import type { Webhook } from './webhook.ts';
import type { WebhookTable } from './webhook-table.ts';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

export interface HookDeps extends Doers {
  readonly table: WebhookTable;
  readonly credentials: CredentialReader;
  readonly clock: Pick<Clock, 'now'>;
}

/** `POST /hooks/{id}`: what senders call. Open, since each webhook says itself how its senders are known. */
export function hookRoute(deps: HookDeps): Route {
  const { table, clock } = deps;

  /** What goes wrong in it is kept for the webhook's owner; its sender is told `outward`. */
  async function noted<T>(
    { id }: Webhook,
    work: () => T | Promise<T>,
    outward: (refusal: DuctorError) => DuctorError,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DuctorError) || error.code === 'internal' || error.code === 'unavailable') throw error;
      const { code, message, details } = error;
      await table.failed(id, { at: clock.now(), code, message, ...(details !== undefined && { details }) });
      throw outward(error);
    }
  }

  return {
    method: 'POST',
    path: '/hooks/{id}',
    options: {
      auth: false,
      id: 'deliverToWebhook',
      description: 'Deliver to a webhook',
      notes:
        'What other systems call. Answered when what it asks for is committed; the same delivery again does nothing and ' +
        'gets the same answer. Status and body are the webhook’s own. JSON, forms and text are read.',
      tags: ['Webhooks'],
      validate: {
        params: Joi.object({ id: Joi.string().description('The webhook’s id, which nobody guesses') }),
        query: Joi.object().unknown(),
        payload: Joi.any(),
      },
      response: { status: { 202: Joi.any() } },
      plugins: { ductor: { isDocument: true, hasRawBody: true, examples: EXAMPLES.deliver } },
    },
    async handler(request: Request, h: ResponseToolkit) {
      const { params, headers, query } = request;
      const id = String(params.id).toLowerCase();
      const webhook = UUID.test(id) ? await table.find(id) : null;
      if (!webhook?.enabled) throw new DuctorError('not_found', 'There is no such webhook.');
      const raw = request.payload as unknown as RawBody;
      await noted(webhook, () => authenticate(webhook, request, raw, deps), forStranger);
      const body = await noted(webhook, () => raw.read(), forSender);
      const delivery = {
        request: requestVariable(webhook, { headers, query: query as JsonObject, body }),
        deliveryId: deliveryIdOf(webhook, headers, raw.bytes),
      };
      const answer = await noted(webhook, () => act(webhook, delivery, deps), withoutDetails);
      const response = h.response(answer as object | string).code(webhook.response.status);
      return typeof answer === 'string' ? response.type('text/plain') : response;
    },
  };
}

async function authenticate(
  { verify, tenant_id }: Webhook,
  { headers }: Request,
  { bytes }: RawBody,
  { credentials, clock }: Pick<HookDeps, 'credentials' | 'clock'>,
): Promise<void> {
  if (verify.type === 'none') return;
  const found = await credentials.read(tenant_id, verify.credential);
  const secret = found && secretOf(found);
  if (secret === null) {
    throw new DuctorError(
      'failed_precondition',
      `There is no credential '${verify.credential}' with one secret value.`,
    );
  }
  const sent = headers[verify.header.toLowerCase()];
  const header = typeof sent === 'string' ? sent : undefined;
  const why = fault(verify, { bytes, header, secret, nowMs: Date.parse(clock.now()) });
  if (why !== null) throw new DuctorError('unauthenticated', why);
}

const LATER = 'This webhook cannot take deliveries just now.';

const forStranger = ({ code }: DuctorError): DuctorError =>
  code === 'unauthenticated'
    ? new DuctorError(code, 'This delivery does not prove that it comes from whom it should.')
    : new DuctorError('failed_precondition', LATER);

const forSender = (refusal: DuctorError): DuctorError => refusal;

/** Templates, workflows and limits are the owner's business. */
function withoutDetails({ code, retryAfterSeconds }: DuctorError): DuctorError {
  if (code === 'invalid_argument') return new DuctorError(code, 'The webhook can make nothing of this delivery.');
  if (code === 'resource_exhausted') return new DuctorError(code, LATER, undefined, retryAfterSeconds);
  return new DuctorError('failed_precondition', LATER);
}
