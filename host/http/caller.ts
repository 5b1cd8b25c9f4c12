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
  /** What the request does is a child of this. */
  readonly traceparent: string;
}

declare module '@hapi/hapi' {
  interface UserCredentials {
    /** `null`: an operator's key on a route above tenants. */
    readonly tenantId: TenantId | null;
    readonly actor: Actor;
    readonly keyId: string;
  }
}

/** Only where a key was asked for: a route that is open has no caller. */
export function callerOf(request: Request): Caller {
  const { tenantId, actor } = userOf(request);
  if (tenantId === null) throw new Error(`${request.method} ${request.path} stands above tenants.`);
  return { tenantId, actor, scopes: request.auth.credentials.scope ?? [], ...idsOf(request) };
}

/** A request whose route's schemas have seen it: `id` is there wherever the path has one. */
export function asked<Payload>(request: Request) {
  const { params, payload } = request as unknown as { params: { id: string }; payload: Payload };
  const { tenantId, actor } = callerOf(request);
  return { tenantId, author: { tenantId, actor }, id: params.id, payload };
}

/** The caller of a route above tenants: whose key has the scope `operator`, whatever tenant the key is of. */
export const operatorOf = (request: Request): { readonly actor: Actor; readonly keyId: string } => userOf(request);

function userOf({ auth, method, path }: Request) {
  const { user } = auth.credentials;
  if (user === undefined) throw new Error(`${method} ${path} is open to everyone: it has no caller.`);
  return user;
}
