import { ActionError } from '@ductor/connector-sdk';

const RETRYABLE = new Set([408, 425, 429]);
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000;

/** A status that the step does not want, as `http_<status>`. */
export const statusError = (response: Response, body: string): ActionError => {
  const { status } = response;
  const retryAfterMs = retryAfter(response.headers.get('retry-after'), Date.now());
  return new ActionError(`http_${status}`, {
    message: `the server answered ${status}${response.statusText === '' ? '' : ` ${response.statusText}`}`,
    retryable: RETRYABLE.has(status) || status >= 500,
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
    details: { status, body },
  });
};

/** `Retry-After` in seconds or as a date; `null` if it is neither. At most a day. */
export const retryAfter = (header: string | null, now: number): number | null => {
  if (header === null) return null;
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? null : Math.min(Math.max(0, ms), LONGEST_WAIT_MS);
};

/** What `fetch` threw: the request was wrong, or the network failed. Ours pass as they are. */
export const transportError = (error: unknown): unknown => {
  if (!(error instanceof Error) || error.name === 'ActionError') return error;
  const cause = error.cause instanceof Error ? error.cause : null;
  const code = cause !== null && 'code' in cause && typeof cause.code === 'string' ? cause.code : null;
  // `fetch` gives a cause to whatever went wrong on the way; what it refuses at once has none.
  if (cause === null && error.message !== 'terminated') {
    return new ActionError('invalid_input', { message: error.message, cause: error });
  }
  if (code === 'UND_ERR_INVALID_ARG') {
    return new ActionError('invalid_input', { message: cause?.message ?? error.message, cause: error });
  }
  return new ActionError('connection_failed', {
    message: `the connection failed: ${cause?.message || code || error.message}`,
    retryable: true,
    details: { cause: code },
    cause: error,
  });
};
