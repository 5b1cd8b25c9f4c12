import type { ThreadFailure } from '../protocol.ts';
import { toPlain } from './plain.ts';
import type { Redact } from './redact.ts';
import { storable } from './text.ts';

const MAX_MESSAGE = 4096;
const MAX_DETAILS_BYTES = 64 * 1024;
const CODE = /^[a-z][a-z0-9_]{0,62}$/;

/** Whatever was thrown, as a failure. Never throws itself: getters, proxies and odd types are a connector's to throw. */
export const toFailure = (thrown: unknown, redact: Redact): ThreadFailure => {
  try {
    return isActionError(thrown) ? understood(thrown, redact) : unexpected(thrown, redact);
  } catch {
    return { code: 'connector_error', message: 'an error that cannot be read was thrown', retryable: true };
  }
};

/** Safe for the database and for eyes: no secret, no U+0000, no lone surrogate, not endless. */
export const cleanText = (text: string, redact: Redact): string => storable(redact(text).slice(0, MAX_MESSAGE));

interface ActionErrorLike {
  readonly code: unknown;
  readonly message: unknown;
  readonly options?: { readonly retryable?: unknown; readonly retryAfterMs?: unknown; readonly details?: unknown };
}

/** By name, as a connector carries its own copy of the class. */
const isActionError = (thrown: unknown): thrown is ActionErrorLike =>
  typeof thrown === 'object' &&
  thrown !== null &&
  'code' in thrown &&
  'name' in thrown &&
  thrown.name === 'ActionError';

const understood = (error: ActionErrorLike, redact: Redact): ThreadFailure => {
  const { retryable, retryAfterMs, details } = error.options ?? {};
  const isCode = typeof error.code === 'string' && CODE.test(error.code) && redact(error.code) === error.code;
  const code = isCode ? String(error.code) : 'connector_error';
  const wait = typeof retryAfterMs === 'number' && Number.isFinite(retryAfterMs) ? Math.max(0, retryAfterMs) : null;
  return {
    code,
    message: cleanText(typeof error.message === 'string' ? error.message : code, redact),
    retryable: retryable === true,
    ...(wait === null ? {} : { retryAfterMs: Math.round(wait) }),
    ...(details === undefined ? {} : { details: plainDetails(details, redact) }),
  };
};

const unexpected = (thrown: unknown, redact: Redact): ThreadFailure => {
  const message = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : `thrown: ${String(thrown)}`;
  return { code: 'connector_error', message: cleanText(message, redact), retryable: true };
};

/** Details that cannot leave are left behind: they must not hide the error they belong to. */
const plainDetails = (details: unknown, redact: Redact) => {
  try {
    return toPlain(details, { root: 'details', maxBytes: MAX_DETAILS_BYTES, redact });
  } catch (error) {
    return { dropped: error instanceof Error ? cleanText(error.message, redact) : 'unreadable' };
  }
};
