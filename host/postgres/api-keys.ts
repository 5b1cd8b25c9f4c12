import type { Instant, TenantId } from '@ductor/core';
import type { Knex } from 'knex';
import type { ApiKey } from '../keys/api-keys.ts';
import { rowsOf } from './reads/rows.ts';

export interface ApiKeyRow {
  readonly id: string;
  readonly tenantId: TenantId | null;
  readonly name: string;
  /** sha256 of the key's text. */
  readonly hash: Buffer;
  readonly scopes: readonly string[];
  readonly expiresAt: Instant | null;
}

/** eec_api_key, and the tenants it points to. */
export interface ApiKeyTable {
  /** `null` also for an expired or revoked key. `expiresInMs`: `null` if it never does. */
  find(hash: Buffer): Promise<(ApiKey & { readonly expiresInMs: number | null }) | null>;
  /** `false`: there is no such tenant. */
  insert(row: ApiKeyRow): Promise<boolean>;
  /** Inserts it if the table is empty, `prepare`d while no other host can: one of many hosts that start together. */
  insertFirst(row: ApiKeyRow, prepare: () => Promise<void>): Promise<boolean>;
  revoke(id: string): Promise<boolean>;
  count(): Promise<number>;
  hasTenant(id: TenantId): Promise<boolean>;
}

const FIND = `
  select id, tenant_id as "tenantId", name, scopes,
         cast(extract(epoch from expires_at - clock_timestamp()) * 1000 as float8) as "expiresInMs"
    from eec_api_key
   where key_hash = :hash and revoked_at is null and (expires_at is null or expires_at > clock_timestamp())`;

const INSERT = `
  insert into eec_api_key (id, tenant_id, name, key_hash, scopes, expires_at)
  select :id, :tenantId, :name, :hash, :scopes, :expiresAt
   where cast(:tenantId as text) is null or exists (select from eec_tenant where id = :tenantId)
  returning id`;

const REVOKE =
  'update eec_api_key set revoked_at = clock_timestamp() where id = :id and revoked_at is null returning id';
const COUNT = 'select count(*) as count from eec_api_key';
const HAS_TENANT = 'select from eec_tenant where id = :id';
const LOCK = 'lock table eec_api_key in share row exclusive mode';

export const apiKeyTable = (knex: Knex): ApiKeyTable => ({
  async find(hash) {
    const [found] = await rowsOf<ApiKey & { expiresInMs: number | null }>(knex, FIND, { hash });
    return found ?? null;
  },
  insert: (row) => insert(knex, row),
  insertFirst: (row, prepare) =>
    knex.transaction(async (transaction) => {
      await transaction.raw(LOCK);
      if ((await count(transaction)) > 0) return false;
      await prepare();
      return insert(transaction, row);
    }),
  revoke: async (id) => (await rowsOf(knex, REVOKE, { id })).length > 0,
  count: () => count(knex),
  hasTenant: async (id) => (await rowsOf(knex, HAS_TENANT, { id })).length > 0,
});

const insert = async (knex: Knex, row: ApiKeyRow): Promise<boolean> =>
  (await rowsOf(knex, INSERT, { ...row })).length > 0;

async function count(knex: Knex): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(knex, COUNT, {});
  return row?.count ?? 0;
}
