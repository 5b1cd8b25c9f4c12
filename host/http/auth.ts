import { DuctorError, type TenantId } from '@ductor/core';
import type { Request, ServerAuthScheme } from '@hapi/hapi';
import type { ApiKey, ApiKeys } from '../keys/api-keys.ts';

const BEARER = /^Bearer +([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?) *$/i;

/** `Authorization: Bearer <key>`, and whom the key may speak for. */
export const apiKeyScheme =
  (keys: ApiKeys): ServerAuthScheme =>
  () => ({
    async authenticate(request, h) {
      const key = await holderOf(keys, request.headers.authorization);
      keys.spend(key);
      const tenantId = await tenantOf(keys, key, request);
      const user = { tenantId, actor: `key:${key.name}`, keyId: key.id };
      return h.authenticated({ credentials: { scope: [...key.scopes], user } });
    },
  });

async function holderOf(keys: ApiKeys, authorization: unknown): Promise<ApiKey> {
  const text = typeof authorization === 'string' ? BEARER.exec(authorization)?.[1] : undefined;
  const key = text === undefined ? null : await keys.find(text);
  if (key !== null) return key;
  const message = text === undefined ? 'Send an API key: Authorization: Bearer <key>.' : 'This API key is not valid.';
  throw new DuctorError('unauthenticated', message);
}

async function tenantOf(keys: ApiKeys, { tenantId }: ApiKey, { headers, route }: Request): Promise<TenantId | null> {
  const named: unknown = headers['x-tenant-id'];
  if (tenantId !== null) {
    if (named === undefined || named === tenantId) return tenantId;
    throw new DuctorError('permission_denied', 'X-Tenant-ID names another tenant than the key’s.');
  }
  if (route.settings.plugins?.ductor?.isAboveTenants) return null;
  if (typeof named !== 'string' || named === '') {
    throw new DuctorError(
      'invalid_argument',
      'An operator’s key is of no tenant: name one by the header X-Tenant-ID.',
      [{ path: 'X-Tenant-ID', code: 'required', message: 'It names the tenant.' }],
    );
  }
  if (!(await keys.hasTenant(named))) throw new DuctorError('not_found', 'There is no such tenant.');
  return named;
}
