import type { components } from './api.generated.ts';

type ErrorAnswer = components['schemas']['ErrorAnswer'];
export type ErrorCode = ErrorAnswer['error']['code'];
/** One finding of a refusal. */
export type Problem = components['schemas']['Problem'];

/** A host has answered with an error. */
export class DuctorApiError extends Error {
  override readonly name = 'DuctorApiError';
  /** `http_<status>`: the answer is not a host's; something between here and there gave it. */
  readonly code: ErrorCode | `http_${number}`;
  /** Usually a `Problem` for each thing that is wrong. */
  readonly details: unknown;
  readonly status: number;
  /** By it the host's log is searched. */
  readonly requestId: string | null;
  /** When to ask again, where the host says so. */
  readonly retryAfterSeconds: number | null;

  constructor({
    message,
    ...facts
  }: Pick<DuctorApiError, 'code' | 'message' | 'details' | 'status' | 'requestId' | 'retryAfterSeconds'>) {
    super(message);
    this.code = facts.code;
    this.details = facts.details;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/** Nobody has answered. */
export class DuctorConnectionError extends Error {
  override readonly name = 'DuctorConnectionError';
  readonly url: string;

  constructor(url: string, cause: unknown) {
    super(`Nothing answers at ${url} (${reasonOf(cause)}).`, { cause });
    this.url = url;
  }
}

/** `fetch` keeps what happened, such as ECONNREFUSED, in the cause of its error. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause ? String(cause.code) : cause.message;
}

export async function errorOf(response: Response): Promise<DuctorApiError> {
  const { status, headers, url } = response;
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  const told = {
    status,
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
  };
  const body: unknown = await response.json().catch(() => null);
  if (isErrorAnswer(body)) {
    const { code, message, details } = body.error;
    return new DuctorApiError({ ...told, code, message, details });
  }
  const message = `${url} answered ${status}, and not as a Ductor host does.`;
  return new DuctorApiError({ ...told, code: `http_${status}`, message, details: undefined });
}

const isErrorAnswer = (body: unknown): body is ErrorAnswer =>
  has(body, 'error') && has(body.error, 'code') && has(body.error, 'message');

const has = <Name extends string>(value: unknown, name: Name): value is { [Each in Name]: unknown } =>
  typeof value === 'object' && value !== null && name in value;
