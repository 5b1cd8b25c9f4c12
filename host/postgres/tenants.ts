import { DuctorError, type Instant, type TenantId } from '@ductor/core';
import type { Knex } from 'knex';
import type { Entitlements } from '../tenants/entitlements.ts';
import type { TenantPolicy } from '../tenants/tenant-policies.ts';
import { rowsOf } from './reads/rows.ts';

/** A row of eec_tenant. */
export interface TenantRow extends Entitlements {
  readonly id: TenantId;
  readonly release_policy: TenantPolicy['release_policy'];
  readonly created_at: Instant;
  readonly updated_at: Instant;
}

/** What is not named stays as it is, or is at first without limits. */
export type TenantChanges = Partial<Entitlements & Pick<TenantRow, 'release_policy'>>;

const CHANGEABLE = [
  'release_policy',
  'max_definitions',
  'max_open_runs',
  'runs_per_minute',
  'connectors',
  'step_types',
] as const;
const COLUMNS = ['id', ...CHANGEABLE, 'created_at', 'updated_at'].join(', ');

const named = (changes: TenantChanges) => CHANGEABLE.filter((name) => changes[name] !== undefined);

export const policyOf = ({ release_policy, ...row }: TenantRow): TenantPolicy => ({
  release_policy,
  entitlements: {
    max_definitions: row.max_definitions,
    max_open_runs: row.max_open_runs,
    runs_per_minute: row.runs_per_minute,
    connectors: row.connectors,
    step_types: row.step_types,
  },
});

export async function readTenant(knex: Knex, id: TenantId): Promise<TenantRow | null> {
  const [row] = await rowsOf<TenantRow>(knex, `select ${COLUMNS} from eec_tenant where id = :id`, { id });
  return row ?? null;
}

/** Throws `not_found`. */
export async function readPolicy(knex: Knex, id: TenantId): Promise<TenantPolicy> {
  const row = await readTenant(knex, id);
  if (row === null) throw new DuctorError('not_found', `There is no tenant ${id}.`);
  return policyOf(row);
}

/** By time of creation. */
export function listTenants(
  knex: Knex,
  { order, after, limit }: { readonly order: 'asc' | 'desc'; readonly after: TenantId | null; readonly limit: number },
): Promise<readonly TenantRow[]> {
  const place = '(select created_at, id from eec_tenant where id = :after)';
  const beyond = after === null ? '' : `where (created_at, id) ${order === 'desc' ? '<' : '>'} ${place}`;
  const sql = `select ${COLUMNS} from eec_tenant ${beyond} order by created_at ${order}, id ${order} limit :limit`;
  return rowsOf<TenantRow>(knex, sql, { after, limit });
}

/** `null`: there is one with this id. */
export async function insertTenant(
  transaction: Knex,
  { id, ...changes }: TenantChanges & Pick<TenantRow, 'id'>,
): Promise<TenantRow | null> {
  const names = ['id', ...named(changes)];
  const sql = `
    insert into eec_tenant (${names.join(', ')}) values (${names.map((name) => `:${name}`).join(', ')})
    on conflict do nothing returning ${COLUMNS}`;
  const [row] = await rowsOf<TenantRow>(transaction, sql, { id, ...changes });
  return row ?? null;
}

/** `null`: there is none. */
export async function updateTenant(
  transaction: Knex,
  { id, ...changes }: TenantChanges & Pick<TenantRow, 'id'>,
): Promise<TenantRow | null> {
  const sets = [...named(changes).map((name) => `${name} = :${name}`), 'updated_at = clock_timestamp()'];
  const sql = `update eec_tenant set ${sets.join(', ')} where id = :id returning ${COLUMNS}`;
  const [row] = await rowsOf<TenantRow>(transaction, sql, { id, ...changes });
  return row ?? null;
}
