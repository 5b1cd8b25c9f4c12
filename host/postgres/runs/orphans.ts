import type pg from 'pg';
import { ALL_PARTITIONS } from '../partition.ts';

/**
 * Open runs that nobody has in hand: with an attempt that is open on no living host, or over and not folded; or
 * with neither attempt nor wait although they move. In pages by id.
 * Plan: eec_workflow_run_open per partition; attempts by primary key. Parked runs cost one row each.
 */
const ORPHANS = `
select id from unnest($1::smallint[]) p (partition)
cross join lateral (
  select r.id from eec_workflow_run r
  where r.partition = p.partition and r.ended_at is null and r.status in ('running', 'cancelling') and r.id > $2
    and (exists (
        select from eec_workflow_step_attempt a where a.run_id = r.id and not a.folded
          and (a.ended_at is not null
            or not exists (select from eec_host h where h.id = a.host_id and h.lease_until > clock_timestamp() + $4::interval)))
      or not exists (select from eec_workflow_step_attempt a where a.run_id = r.id and not a.folded)
        and not exists (select from eec_workflow_wait w where w.run_id = r.id))
  order by r.id limit $3) open
order by id limit $3`;

export async function orphans(
  hot: pg.Pool,
  { after, limit, offset }: { after: string; limit: number; offset: string },
): Promise<readonly string[]> {
  const values = [ALL_PARTITIONS, after, limit, offset];
  const { rows } = await hot.query<{ id: string }>({ name: 'orphans', text: ORPHANS, values });
  return rows.map(({ id }) => id);
}
