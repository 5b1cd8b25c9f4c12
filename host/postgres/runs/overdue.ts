import type { Overdue } from '@ductor/core';
import type pg from 'pg';
import { ALL_PARTITIONS } from '../partition.ts';

/**
 * The clock is read in subselects: what it says may change from row to row otherwise, and no index is searched by that.
 * Plan: for each partition one range of eec_workflow_wait_due; the inbox by its index of what is wanted, a paused run's
 * only controls; of eec_workflow_wait_credential the first entry of each name, the rest only where the credential exists.
 */
const OVERDUE = `
with recursive awaited as (
  (select tenant_id, correlation_key from eec_workflow_wait where kind = 'credential' order by 1, 2 limit 1)
  union all
  select n.tenant_id, n.correlation_key from awaited a cross join lateral (
    select w.tenant_id, w.correlation_key from eec_workflow_wait w
    where w.kind = 'credential' and (w.tenant_id, w.correlation_key) > (a.tenant_id, a.correlation_key)
    order by 1, 2 limit 1) n)
select run_id, due_at from unnest($1::smallint[]) p (partition)
cross join lateral (
  select w.run_id, w.due_at from eec_workflow_wait w
  where w.partition = p.partition and w.due_at <= (select clock_timestamp() + $3::interval + $2 * interval '1 millisecond')
  order by w.due_at limit $4) due
union all
(select i.run_id, i.received_at from (
    select run_id, received_at, kind from eec_workflow_inbox
    where applied_at is null and is_wanted and received_at < (select clock_timestamp() + $3::interval - interval '2 seconds')
    order by received_at offset 0) i
  join eec_workflow_run r on r.id = i.run_id
  where i.kind = 'control' or r.status <> 'paused' limit $4)
union all
(select w.run_id, clock_timestamp() + $3::interval from awaited a
  join eec_credential c on c.tenant_id = a.tenant_id and c.name = a.correlation_key
  join eec_workflow_wait w on w.kind = 'credential' and w.tenant_id = a.tenant_id and w.correlation_key = a.correlation_key
  where exists (select from eec_workflow_run r where r.id = w.run_id and r.status <> 'paused') limit $4)`;

/** Runs with a wait that is due within `horizonMs` or for a credential that exists, or with something unlooked at. */
export async function overdue(
  hot: pg.Pool,
  { horizonMs, limit, offset }: { horizonMs: number; limit: number; offset: string },
): Promise<readonly Overdue[]> {
  const values = [ALL_PARTITIONS, horizonMs, offset, limit];
  const { rows } = await hot.query<{ run_id: string; due_at: string }>({ name: 'overdue', text: OVERDUE, values });
  return rows.map(({ run_id, due_at }) => ({ runId: run_id, dueAt: due_at }));
}
