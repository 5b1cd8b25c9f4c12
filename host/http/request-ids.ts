import { randomUUID } from 'node:crypto';
import type { Request } from '@hapi/hapi';

/** What a caller and a log line know a request by. */
export interface RequestIds {
  readonly requestId: string;
  readonly traceId: string;
}

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    ids?: RequestIds;
  }
}

const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;
const TRACEPARENT = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

const randomHex = (digits: number): string => randomUUID().replaceAll('-', '').slice(0, digits);

/** The ids that the caller sent, where they can be used; else new ones. The same ones for the whole request. */
export function idsOf({ app, headers }: Request): RequestIds {
  app.ids ??= {
    requestId: usable(headers['x-request-id'], REQUEST_ID)?.[0] ?? randomUUID(),
    traceId: usable(headers.traceparent, TRACEPARENT)?.[1] ?? randomHex(32),
  };
  return app.ids;
}

const usable = (header: unknown, form: RegExp): RegExpExecArray | null =>
  typeof header === 'string' ? form.exec(header) : null;

/** Our own span in the caller's trace. */
export const traceparentOf = ({ traceId }: RequestIds): string => `00-${traceId}-${randomHex(16)}-01`;
