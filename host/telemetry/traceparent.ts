import { randomBytes } from 'node:crypto';

/** W3C trace context: version, trace id, span id, flags. Later versions go on as 00, which is a part of them. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-((?!0{32})[\da-f]{32})-((?!0{16})[\da-f]{16})-([\da-f]{2})$/;

/** The header in the form that goes on; `null` if it says nothing that could. */
export function readTraceparent(header: unknown): string | null {
  const parts = typeof header === 'string' ? TRACEPARENT.exec(header) : null;
  return parts === null ? null : `00-${parts[1]}-${parts[2]}-${parts[3]}`;
}

/** A trace of our own, for what came without one. */
export const newTraceparent = (): string =>
  `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;

export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35);
