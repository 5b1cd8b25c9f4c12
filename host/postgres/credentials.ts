import type { Instant, JsonObject, RunId, TenantId } from '@ductor/core';
import type { Knex } from 'knex';
import { rowsOf } from './reads/rows.ts';

export interface CredentialRow {
  readonly id: string;
  readonly tenant_id: TenantId;
  readonly name: string;
  readonly connector: string;
  readonly auth: string;
  readonly fields: readonly string[];
  readonly secret_fields: readonly string[];
  readonly config: JsonObject;
  readonly key_id: string;
  readonly sealed: Buffer;
  readonly created_at: Instant;
  readonly updated_at: Instant;
}

export type NewCredential = Omit<CredentialRow, 'created_at' | 'updated_at'>;
export type CredentialChange = Pick<CredentialRow, 'fields' | 'secret_fields' | 'config' | 'key_id' | 'sealed'>;

const INSERT = `
  insert into eec_credential (id, tenant_id, name, connector, auth, fields, secret_fields, config, key_id, sealed)
  values (:id, :tenant_id, :name, :connector, :auth, :fields, :secret_fields, :config, :key_id, :sealed)
  on conflict (tenant_id, name) do nothing
  returning *`;

/** `null`: the name is taken. */
export async function insertCredential(knex: Knex, row: NewCredential): Promise<CredentialRow | null> {
  const [inserted] = await rowsOf<CredentialRow>(knex, INSERT, { ...row, config: JSON.stringify(row.config) });
  return inserted ?? null;
}

const UPDATE = `
  update eec_credential set fields = :fields, secret_fields = :secret_fields, config = :config, key_id = :key_id,
         sealed = :sealed, updated_at = clock_timestamp()
   where tenant_id = :tenantId and id = :id
  returning *`;

export async function updateCredential(
  knex: Knex,
  { tenantId, id }: { readonly tenantId: TenantId; readonly id: string },
  change: CredentialChange,
): Promise<CredentialRow | null> {
  const bindings = { ...change, tenantId, id, config: JSON.stringify(change.config) };
  const [updated] = await rowsOf<CredentialRow>(knex, UPDATE, bindings);
  return updated ?? null;
}

export async function deleteCredential(knex: Knex, tenantId: TenantId, id: string): Promise<void> {
  await rowsOf(knex, 'delete from eec_credential where tenant_id = :tenantId and id = :id', { tenantId, id });
}

/** By id or name. `lock`: nobody else changes it before the transaction ends. */
export async function findCredential(
  knex: Knex,
  tenantId: TenantId,
  by: { readonly id: string } | { readonly name: string },
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<CredentialRow | null> {
  const query = knex<CredentialRow>('eec_credential').where({ tenant_id: tenantId, ...by });
  return (await (lock ? query.forUpdate() : query).first()) ?? null;
}

export function listCredentials(
  knex: Knex,
  tenantId: TenantId,
  {
    connector,
    order,
    after,
    limit,
  }: {
    readonly connector?: string;
    readonly order: 'asc' | 'desc';
    readonly after: string | null;
    readonly limit: number;
  },
): Promise<readonly CredentialRow[]> {
  const query = knex<CredentialRow>('eec_credential').where({ tenant_id: tenantId });
  if (connector !== undefined) query.where({ connector });
  if (after !== null) query.where('id', order === 'asc' ? '>' : '<', after);
  return query.orderBy('id', order).limit(limit);
}

/** What publish has to know of a tenant's credentials. */
export function credentialKinds(
  knex: Knex,
  tenantId: TenantId,
): Promise<readonly Pick<CredentialRow, 'name' | 'connector' | 'auth'>[]> {
  return knex<CredentialRow>('eec_credential').where({ tenant_id: tenantId }).select('name', 'connector', 'auth');
}

const USED_BY = `
  select family_slug, array_agg(version order by version) as versions
    from eec_workflow_definition d
   where tenant_id = :tenantId and status = 'published'
     and jsonb_path_exists(cast(d.graph as jsonb), cast(:path as jsonpath), jsonb_build_object('name', cast(:name as text)))
   group by family_slug order by family_slug`;

/** Steps name them, and plugins' words may: an undo has its own. */
const NAMED = '$.**.credential ? (@ == $name)';

/** The published versions that name a credential. Reads every graph of the tenant: asked before a delete alone. */
export const credentialUsers = (
  knex: Knex,
  tenantId: TenantId,
  name: string,
): Promise<readonly { readonly family_slug: string; readonly versions: readonly number[] }[]> =>
  rowsOf(knex, USED_BY, { tenantId, name, path: NAMED });

const WAITING = `
  select distinct run_id from eec_workflow_wait
   where kind = 'credential' and tenant_id = :tenantId and correlation_key = :name`;

/** Runs with a node that waits for a credential. Plan: eec_workflow_wait_credential. */
export async function runsWaitingFor(knex: Knex, tenantId: TenantId, name: string): Promise<readonly RunId[]> {
  const rows = await rowsOf<{ run_id: RunId }>(knex, WAITING, { tenantId, name });
  return rows.map(({ run_id }) => run_id);
}

/** How many credentials each master key has sealed, but for the keys named. */
export const countByOtherKeys = (
  knex: Knex,
  keyIds: readonly string[],
): Promise<readonly { readonly key_id: string; readonly count: number }[]> =>
  rowsOf(
    knex,
    `select key_id, count(*) as count from eec_credential where not (key_id = any(cast(:keyIds as text[])))
      group by key_id order by key_id`,
    { keyIds },
  );

/** A page by id of what another key than this one has sealed; locked, and without those that somebody changes just now. */
export function lockSealedByOthers(
  transaction: Knex.Transaction,
  { keyId, after, limit }: { readonly keyId: string; readonly after: string; readonly limit: number },
): Promise<readonly CredentialRow[]> {
  return transaction<CredentialRow>('eec_credential')
    .whereNot({ key_id: keyId })
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked();
}

/** The same values under another key. */
export async function resealCredential(
  transaction: Knex.Transaction,
  id: string,
  { key_id, sealed }: Pick<CredentialRow, 'key_id' | 'sealed'>,
): Promise<void> {
  await transaction<CredentialRow>('eec_credential').where({ id }).update({ key_id, sealed });
}
