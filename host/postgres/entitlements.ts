import type { Instant, TenantId } from '@ductor/core';
import type { Knex } from 'knex';
import type pg from 'pg';
import type { Entitlements } from '../tenants/entitlements.ts';
import { rowsOf } from './reads/rows.ts';

/** How much of its limits a tenant has used; each count stops at its limit. */
export interface RunUsage {
  readonly open: number;
  readonly recent: number;
  /** When the oldest of the recent ones was made. */
  readonly oldestAt: Instant | null;
}

/**
 * Asked by triggers of tenants with a limit on runs. Plan: the end of eec_workflow_run_list or eec_workflow_run_root from
 * `since` on, which is why both columns are held against it, and eec_workflow_run_open_list, which the order asks for;
 * neither reads more rows than its limit, and none where there is no limit (0).
 */
const USAGE = `
  select (
    select count(*) from (
      select from eec_workflow_run where tenant_id = $1 and ended_at is null order by id limit $2
    ) o
  ) as open, count(r.created_at) as recent, min(r.created_at) as "oldestAt"
  from (
    select created_at from eec_workflow_run
    where tenant_id = $1 and id >= eec_uuid_floor($4) and root_run_id >= eec_uuid_floor($4) and root_run_id = id
    order by id desc limit $3
  ) r`;

export async function runUsage(
  hot: pg.Pool,
  tenantId: TenantId,
  { limits, since }: { readonly limits: Entitlements; readonly since: Instant },
): Promise<RunUsage> {
  const values = [tenantId, limits.max_open_runs ?? 0, limits.runs_per_minute ?? 0, since];
  const { rows } = await hot.query<RunUsage>({ name: 'run_usage', text: USAGE, values });
  if (rows[0] === undefined) throw new Error('A count has a row.');
  return rows[0];
}

const LOCK = 'select from eec_tenant where id = :tenantId for no key update';
const OTHERS = `
  select count(distinct family_id) as count from eec_workflow_definition
   where tenant_id = :tenantId and status = 'published' and family_slug <> :slug`;

/** Families besides this one that have a published version; nobody else counts them before the transaction ends. */
export async function otherFamilies(
  transaction: Knex,
  of: { readonly tenantId: TenantId; readonly slug: string },
): Promise<number> {
  await rowsOf(transaction, LOCK, { tenantId: of.tenantId });
  const [row] = await rowsOf<{ count: number }>(transaction, OTHERS, { ...of });
  return row?.count ?? 0;
}
