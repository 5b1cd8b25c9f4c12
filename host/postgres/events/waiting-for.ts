import type { NodeKey, PlacedSubscription, RunId } from '@ductor/core';
import type pg from 'pg';
import type { EventRow } from './rows.ts';

/** A subscription of an open wait. */
export interface SubscribedRow {
  readonly run_id: RunId;
  readonly node: NodeKey;
  readonly name: string;
  readonly version: number;
  readonly subscription: PlacedSubscription;
  /** How many events it has taken, and whether this one is among them. */
  readonly fill: number;
  readonly has_it: boolean;
}

/** Plan: a range of eec_workflow_wait_event for the runs, and one look into it for each. */
const WAITING = `
select w.run_id, w.node, w.name, w.version, w.subscription, cardinality(w.taken) as fill, $6 = any(w.taken) as has_it
from (
  select distinct run_id from eec_workflow_wait
  where tenant_id = $1 and event_name = $2 and correlation_key = $3 and run_id > $4
  order by run_id limit $5) r
join eec_workflow_wait w
  on w.tenant_id = $1 and w.event_name = $2 and w.correlation_key = $3 and w.run_id = r.run_id
order by w.run_id`;

/** The waits for an event, of the next `limit` runs that have not been told of it. */
export async function waitingFor(
  hot: pg.Pool,
  { id, tenant_id, event_name, correlation_key, told_to }: EventRow,
  limit: number,
): Promise<readonly SubscribedRow[]> {
  const values = [tenant_id, event_name, correlation_key, told_to, limit, id];
  return (await hot.query<SubscribedRow>({ name: 'waiting_for', text: WAITING, values })).rows;
}
