import type { RunId } from '@ductor/core';
import type pg from 'pg';

/** Plan: the partial index of what is kept, and one look for each into the waits of its node. */
const KEPT = `
select distinct i.run_id from eec_workflow_inbox i
join eec_workflow_wait w on w.run_id = i.run_id and w.node = i.node
where i.applied_at is null and not i.is_wanted and i.run_id > $1
order by i.run_id limit $2`;

/**
 * Runs in which a node waits that an early signal was kept for: the host that parked it looks for that itself, unless it
 * is gone.
 */
export async function keptSignals(
  hot: pg.Pool,
  { after, limit }: { readonly after: RunId; readonly limit: number },
): Promise<readonly RunId[]> {
  const { rows } = await hot.query<{ run_id: RunId }>({ name: 'kept_signals', text: KEPT, values: [after, limit] });
  return rows.map(({ run_id }) => run_id);
}
