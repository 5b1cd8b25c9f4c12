import { randomUUID } from 'node:crypto';
import type { Request } from '@hapi/hapi';
import { newTraceparent, readTraceparent, traceIdOf } from '../telemetry/traceparent.ts';

/** What a caller and a log line know a request by. */
export interface RequestIds {
  readonly requestId: string;
  readonly traceId: string;
  /** What the request does is a child of this: the span that an observer made for it, else the caller's, else one of ours. */
  readonly traceparent: string;
}

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    ids?: RequestIds;
  }
}

const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

/** The ids that the caller sent, where they can be used; else new ones. The same ones for the whole request. */
export const idsOf = (request: Request): RequestIds => request.app.ids ?? giveIds(request, undefined);

/** `span`: the traceparent of a span that was made for the request. */
export function giveIds({ app, headers }: Request, span: string | undefined): RequestIds {
  const traceparent = span ?? readTraceparent(headers.traceparent) ?? newTraceparent();
  const sent: unknown = headers['x-request-id'];
  app.ids = {
    requestId: typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID(),
    traceId: traceIdOf(traceparent),
    traceparent,
  };
  return app.ids;
}
