import { type Actor, DuctorError, type Instant, type TenantId } from '@ductor/core';
import type { Knex } from 'knex';
import { type ApiKey, SYSTEM } from '../keys/api-keys.ts';
import type { RateLimit } from '../keys/rate-limiter.ts';
import { writeAudit } from './audit-log.ts';
import { rowsOf } from './reads/rows.ts';

export interface ApiKeyRow {
  readonly id: string;
  readonly tenantId: TenantId | null;
  readonly name: string;
  /** sha256 of the key's text. */
  readonly hash: Buffer;
  readonly scopes: readonly string[];
  readonly expiresAt: Instant | null;
  readonly rateLimit: RateLimit | null;
}

/** A key as it is shown: without its hash. */
export interface ListedApiKey extends Omit<ApiKeyRow, 'hash'> {
  readonly createdAt: Instant;
  readonly revokedAt: Instant | null;
}

/** eec_api_key, and the tenants it points to. Changes are noted in the audit log. */
export interface ApiKeyTable {
  /** `null` also for an expired or revoked key. `expiresInMs`: `null` if it never does. */
  find(hash: Buffer): Promise<(ApiKey & { readonly expiresInMs: number | null }) | null>;
  /** `false`: there is no such tenant. */
  insert(row: ApiKeyRow, actor: Actor): Promise<boolean>;
  /** Inserts it if the table is empty, `prepare`d while no other host can: one of many hosts that start together. */
  insertFirst(row: ApiKeyRow, prepare: () => Promise<void>): Promise<boolean>;
  /** `by`: the key that asks; `unauthenticated` if that was revoked a moment ago, so that two do not revoke each other. */
  revoke(id: string, by: { readonly keyId: string | null; readonly actor: Actor }): Promise<boolean>;
  count(): Promise<number>;
  hasTenant(id: TenantId): Promise<boolean>;
}

const RATE_LIMIT = `
  case when requests_per_minute is not null
       then json_build_object('requestsPerMinute', requests_per_minute, 'burst', burst) end as "rateLimit"`;

const FIND = `
  select id, tenant_id as "tenantId", name, scopes, ${RATE_LIMIT},
         cast(extract(epoch from expires_at - clock_timestamp()) * 1000 as float8) as "expiresInMs"
    from eec_api_key
   where key_hash = :hash and revoked_at is null and (expires_at is null or expires_at > clock_timestamp())`;

const INSERT = `
  insert into eec_api_key (id, tenant_id, name, key_hash, scopes, expires_at, requests_per_minute, burst)
  select :id, :tenantId, :name, :hash, :scopes, :expiresAt, :requestsPerMinute, :burst
   where cast(:tenantId as text) is null or exists (select from eec_tenant where id = :tenantId)
  returning id`;

const LOCK_BOTH = `
  select id, revoked_at as "revokedAt" from eec_api_key where id in (:id, :keyId) order by id for update`;
const REVOKE = `
  update eec_api_key set revoked_at = clock_timestamp() where id = :id and revoked_at is null
  returning tenant_id as "tenantId", name`;
const COUNT = 'select count(*) as count from eec_api_key';
const HAS_TENANT = 'select from eec_tenant where id = :id';
const LOCK = 'lock table eec_api_key in share row exclusive mode';

export const apiKeyTable = (knex: Knex): ApiKeyTable => ({
  async find(hash) {
    const [found] = await rowsOf<ApiKey & { expiresInMs: number | null }>(knex, FIND, { hash });
    return found ?? null;
  },
  insert: (row, actor) => knex.transaction((transaction) => insert(transaction, row, actor)),
  insertFirst: (row, prepare) =>
    knex.transaction(async (transaction) => {
      await transaction.raw(LOCK);
      if ((await count(transaction)) > 0) return false;
      await prepare();
      return insert(transaction, row, SYSTEM);
    }),
  revoke: (id, { keyId, actor }) =>
    knex.transaction(async (transaction) => {
      const keys = await rowsOf<{ id: string; revokedAt: Instant | null }>(transaction, LOCK_BOTH, { id, keyId });
      if (keys.some((key) => key.id === keyId && key.revokedAt !== null)) {
        throw new DuctorError('unauthenticated', 'This API key is not valid.');
      }
      const [revoked] = await rowsOf<{ tenantId: TenantId | null; name: string }>(transaction, REVOKE, { id });
      if (revoked === undefined) return false;
      const { tenantId, name } = revoked;
      await writeAudit(transaction, { tenantId, actor, action: 'api_key.revoke', target: id, details: { name } });
      return true;
    }),
  count: () => count(knex),
  hasTenant: async (id) => (await rowsOf(knex, HAS_TENANT, { id })).length > 0,
});

async function insert(transaction: Knex, { rateLimit, ...row }: ApiKeyRow, actor: Actor): Promise<boolean> {
  const { requestsPerMinute = null, burst = null } = rateLimit ?? {};
  if ((await rowsOf(transaction, INSERT, { ...row, requestsPerMinute, burst })).length === 0) return false;
  const { id, tenantId, name, scopes, expiresAt } = row;
  await writeAudit(transaction, {
    tenantId,
    actor,
    action: 'api_key.create',
    target: id,
    details: { name, scopes, expires_at: expiresAt },
  });
  return true;
}

async function count(knex: Knex): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(knex, COUNT, {});
  return row?.count ?? 0;
}

const LISTED = `
  select id, tenant_id as "tenantId", name, scopes, ${RATE_LIMIT}, created_at as "createdAt",
         expires_at as "expiresAt", revoked_at as "revokedAt"
    from eec_api_key`;

export async function readApiKey(knex: Knex, id: string): Promise<ListedApiKey | null> {
  const [row] = await rowsOf<ListedApiKey>(knex, `${LISTED} where id = :id`, { id });
  return row ?? null;
}

/** Expired and revoked ones too. `tenantId`: of this tenant only. */
export function listApiKeys(
  knex: Knex,
  page: {
    readonly tenantId: TenantId | null;
    readonly order: 'asc' | 'desc';
    readonly after: string | null;
    readonly limit: number;
  },
): Promise<readonly ListedApiKey[]> {
  const { order, ...bindings } = page;
  const conditions = [
    ...(page.tenantId === null ? [] : ['tenant_id = :tenantId']),
    ...(page.after === null ? [] : [`id ${order === 'desc' ? '<' : '>'} :after`]),
  ];
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
  return rowsOf<ListedApiKey>(knex, `${LISTED} ${where} order by id ${order} limit :limit`, bindings);
}
