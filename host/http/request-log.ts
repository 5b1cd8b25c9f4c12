import type { Request } from '@hapi/hapi';
import type { Logger } from 'pino';
import { idsOf } from './request-ids.ts';

/** Routes that are asked every few seconds. */
const QUIET = new Set(['/healthz', '/readyz', '/metrics']);

/** One line a request. Neither headers nor query nor body: none of them is free of secrets. */
export const logRequest = (log: Logger) => (request: Request) => {
  const level = QUIET.has(request.route.path) ? 'debug' : 'info';
  if (!log.isLevelEnabled(level)) return;
  const { requestId, traceId } = idsOf(request);
  const { user } = request.auth.credentials ?? {};
  const { received, responded } = request.info;
  const status = request.raw.res.statusCode;
  log[level](
    {
      request_id: requestId,
      trace_id: traceId,
      method: request.method.toUpperCase(),
      path: request.path,
      status,
      ...(responded > 0 ? { ms: responded - received } : { aborted: true }),
      ...(user && { tenant: user.tenantId, actor: user.actor }),
    },
    'request',
  );
};
