import type { Overdue } from '@ductor/core';
import type pg from 'pg';
import { ALL_PARTITIONS } from '../partition.ts';

/** Plan: for each partition one range of eec_workflow_wait_due; the inbox by its index of what is pending. */
const OVERDUE = `
select run_id, due_at from unnest($1::smallint[]) p (partition)
cross join lateral (
  select w.run_id, w.due_at from eec_workflow_wait w
  where w.partition = p.partition and w.due_at <= clock_timestamp() + $3::interval + $2 * interval '1 millisecond'
  order by w.due_at limit $4) due
union all
(select run_id, received_at from eec_workflow_inbox
  where applied_at is null and kind <> 'signal' and received_at < clock_timestamp() + $3::interval - interval '2 seconds' limit $4)`;

/** Runs with a wait that is due within `horizonMs`, or with something that nobody has looked at. */
export async function overdue(
  hot: pg.Pool,
  { horizonMs, limit, offset }: { horizonMs: number; limit: number; offset: string },
): Promise<readonly Overdue[]> {
  const values = [ALL_PARTITIONS, horizonMs, offset, limit];
  const { rows } = await hot.query<{ run_id: string; due_at: string }>({ name: 'overdue', text: OVERDUE, values });
  return rows.map(({ run_id, due_at }) => ({ runId: run_id, dueAt: due_at }));
}
