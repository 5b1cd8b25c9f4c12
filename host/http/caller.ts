import type { Actor, TenantId } from '@ductor/core';
import type { Request } from '@hapi/hapi';
import { idsOf } from './request-ids.ts';

/** On whose behalf a request is served. */
export interface Caller {
  /** The key's own, or the one that an operator's key has named by X-Tenant-ID. */
  readonly tenantId: TenantId;
  /** `key:<name of the key>`. */
  readonly actor: Actor;
  readonly scopes: readonly string[];
  readonly requestId: string;
  /** 32 hexadecimal digits, as in `traceparent`. */
  readonly traceId: string;
}

declare module '@hapi/hapi' {
  interface UserCredentials {
    readonly tenantId: TenantId;
    readonly actor: Actor;
  }
}

/** Only where a key was asked for: a route that is open has no caller. */
export function callerOf(request: Request): Caller {
  const { user, scope } = request.auth.credentials;
  if (user === undefined) throw new Error(`${request.method} ${request.path} is open to everyone: it has no caller.`);
  return { tenantId: user.tenantId, actor: user.actor, scopes: scope ?? [], ...idsOf(request) };
}
