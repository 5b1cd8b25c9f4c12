/** The one place where errors become HTTP. */
import { DuctorError, type ErrorCode, type Json, type JsonObject, type Problem } from '@ductor/core';
import type { Request, ResponseObject, ResponseToolkit } from '@hapi/hapi';
import { isUnavailable } from '../postgres/errors.ts';
import { problemsOf } from './validation.ts';

const STATUS: { readonly [Code in ErrorCode]: number } = {
  invalid_argument: 400,
  unauthenticated: 401,
  permission_denied: 403,
  not_found: 404,
  already_exists: 409,
  failed_precondition: 409,
  conflict: 409,
  payload_too_large: 413,
  resource_exhausted: 429,
  internal: 500,
  unavailable: 503,
};

/** hapi's own statuses that are none of ours. */
const CODES: { readonly [status: number]: ErrorCode } = {
  401: 'unauthenticated',
  403: 'permission_denied',
  404: 'not_found',
  409: 'conflict',
  413: 'payload_too_large',
  429: 'resource_exhausted',
  503: 'unavailable',
};

type Boom = Exclude<Request['response'], ResponseObject>;

/** What a failed request answers, and whether it is the host's fault. */
export function refusalOf(
  request: Request,
  error: Boom,
  disabledRoutes: ReadonlyMap<string, string> = new Map(),
): DuctorError {
  if (error instanceof DuctorError) return error;
  const { statusCode } = error.output;
  if (statusCode >= 500 && statusCode !== 503) return refusalWithin(error);
  const code = CODES[statusCode] ?? 'invalid_argument';
  if (statusCode === 404 && request.route.path === '/{p*}') return noRoute(request, disabledRoutes);
  if (statusCode === 403) return scopeNeeded(request);
  if (code === 'payload_too_large') {
    const limit = request.route.settings.payload?.maxBytes;
    return new DuctorError(code, `The body is larger than ${limit} bytes.`, [
      { path: '', code: 'too_large', message: `At most ${limit} bytes.` },
    ]);
  }
  const problems = problemsOf(request, error);
  if (problems.length === 0) return new DuctorError(code, `${error.message}.`.replace(/\.\.$/, '.'));
  return refusalFor(problems, { what: 'request', code });
}

export function refusalFor(
  problems: readonly Problem[],
  { what, code = 'invalid_argument' }: { readonly what: string; readonly code?: ErrorCode },
): DuctorError {
  const many = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  return new DuctorError(code, `The ${what} has ${many}: ${problems[0]?.message}`, problems as unknown as Json);
}

/** What a part of a request is answered with, while its other parts go on. */
export function refusalWithin(error: unknown): DuctorError {
  if (error instanceof DuctorError) return error;
  if (isUnavailable(error)) return new DuctorError('unavailable', 'The database cannot do this just now.');
  return new DuctorError('internal', 'Something went wrong in the host; its log has more under this request_id.');
}

export const showError = ({ code, message, details }: DuctorError) => ({
  code,
  message,
  ...(details !== undefined && { details }),
});

/** The envelope that every error comes in, whoever threw it. */
export function answerError(h: ResponseToolkit, error: DuctorError, metadata: JsonObject): ResponseObject {
  const { code, retryAfterSeconds } = error;
  const response = h.response({ error: showError(error), metadata }).code(STATUS[code]);
  if (code === 'unavailable' || code === 'resource_exhausted')
    response.header('retry-after', String(retryAfterSeconds ?? 1));
  if (code === 'unauthenticated') response.header('www-authenticate', 'Bearer');
  return response;
}

function noRoute({ server, method, path }: Request, disabledRoutes: ReadonlyMap<string, string>): DuctorError {
  const allowed = (['get', 'post', 'put', 'patch', 'delete'] as const).filter(
    (other) => server.match(other, path) !== null,
  );
  const asked = `${method.toUpperCase()} ${path}`;
  if (allowed.length === 0) {
    const [, plugin] = [...disabledRoutes].find(([prefix]) => isBelow(path, prefix)) ?? [];
    if (plugin === undefined) return new DuctorError('not_found', `There is no ${asked}.`);
    const message = `There is no ${asked} while the plugin '${plugin}' is off: turn it on in ductor.yaml.`;
    return new DuctorError('not_found', message, [{ path: '', code: 'plugin_missing', message }]);
  }
  const names = allowed.map((other) => other.toUpperCase());
  return new DuctorError('not_found', `There is no ${asked}; this path answers ${names.join(', ')}.`, [
    { path: '', code: 'method_not_allowed', message: `${method.toUpperCase()} is not answered here.`, allowed: names },
  ]);
}

/** `{name}` in a prefix is any one part of a path. */
function isBelow(path: string, prefix: string): boolean {
  const parts = path.split('/');
  return prefix.split('/').every((part, i) => (/^\{.*\}$/.test(part) ? Boolean(parts[i]) : part === parts[i]));
}

function scopeNeeded({ route }: Request): DuctorError {
  const access = route.settings.auth;
  const scopes = typeof access === 'object' ? (access.access ?? []).flatMap(selectionOf) : [];
  const needed = scopes.join(' or ');
  return new DuctorError('permission_denied', `This needs a key with the scope ${needed}.`, [
    { path: '', code: 'missing_scope', message: `The key lacks the scope ${needed}.`, allowed: scopes },
  ]);
}

/** As hapi keeps a route's scopes once it has compiled them. */
function selectionOf(rule: unknown): readonly string[] {
  const { scope } = rule as { scope?: false | { selection?: readonly string[]; required?: readonly string[] } };
  return scope ? [...(scope.selection ?? []), ...(scope.required ?? [])] : [];
}
