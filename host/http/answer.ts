import { isObject, type JsonObject } from '@ductor/core';
import type { Request, ResponseObject, ResponseToolkit } from '@hapi/hapi';
import type { Logger } from 'pino';
import { answerError, refusalOf } from './errors.ts';
import { idsOf } from './request-ids.ts';
import './route-notes.ts';

/** Gives every answer its last form: errors their envelope, plain objects their `metadata`, all of them their ids. */
export const answerWith =
  ({ log, disabledRoutes }: { readonly log: Logger; readonly disabledRoutes: ReadonlyMap<string, string> }) =>
  (request: Request, h: ResponseToolkit) => {
    const { response } = request;
    if (!('isBoom' in response)) return finish(request, response);
    const refusal = refusalOf(request, response, disabledRoutes);
    const { requestId, traceId } = idsOf(request);
    if (refusal.code === 'internal' || refusal.code === 'unavailable') {
      log.error({ err: response, request_id: requestId, trace_id: traceId }, 'a request failed');
    }
    return withIds(request, answerError(h, refusal, metadataOf(request)));
  };

function finish(request: Request, response: ResponseObject) {
  const { source, variety } = response;
  const isDocument = request.route.settings.plugins?.ductor?.isDocument === true;
  if (variety === 'plain' && !isDocument && isObject(source)) {
    Object.assign(response, { source: { ...source, metadata: metadataOf(request) } });
  }
  return withIds(request, response);
}

function withIds(request: Request, response: ResponseObject): ResponseObject {
  const { requestId, traceparent } = idsOf(request);
  return response.header('x-request-id', requestId).header('traceparent', traceparent);
}

function metadataOf(request: Request): JsonObject {
  const { requestId, traceId } = idsOf(request);
  return { trace_id: traceId, request_id: requestId, fetched_at: new Date().toISOString() };
}
