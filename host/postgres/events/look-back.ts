import type { Instant, NodeKey, RunId, TenantId } from '@ductor/core';
import type pg from 'pg';
import { EVENT_COLUMNS, type EventRow } from './rows.ts';
import type { SubscribedRow } from './waiting-for.ts';

/** A parked node that has not looked back yet. */
export interface LookingBack {
  readonly run_id: RunId;
  readonly node: NodeKey;
  readonly version: number;
}

/** Plan: the partial index of what has not looked back. */
const PENDING = `
select distinct run_id, node, version from eec_workflow_wait
where look_back_from is not null and ($1::uuid is null or run_id = $1)
  and ($3::uuid is null or (run_id, node, version) > ($3, $4, $5::int))
order by run_id, node, version limit $2`;

/** A page, `after` one of them. `runId`: of that run alone. */
export async function pendingLookBacks(
  hot: pg.Pool,
  { runId, limit, after }: { readonly runId: RunId | null; readonly limit: number; readonly after: LookingBack | null },
): Promise<readonly LookingBack[]> {
  const values = [runId, limit, after?.run_id ?? null, after?.node ?? null, after?.version ?? null];
  return (await hot.query<LookingBack>({ name: 'pending_look_backs', text: PENDING, values })).rows;
}

export type LookBackRow = Omit<SubscribedRow, 'has_it'> & {
  readonly tenant_id: TenantId;
  readonly taken: readonly string[];
  /** `null`: this one does not look back. */
  readonly look_back_from: Instant | null;
};

/** Plan: primary key. */
const ROWS = `
select tenant_id, run_id, node, name, version, subscription, cardinality(taken) as fill, taken, look_back_from
from eec_workflow_wait where run_id = $1 and node = $2 and version = $3 and subscription is not null`;

/** The node's subscriptions; none if it waits no more. */
export async function lookBackRows(hot: pg.Pool, of: LookingBack): Promise<readonly LookBackRow[]> {
  const values = [of.run_id, of.node, of.version];
  return (await hot.query<LookBackRow>({ name: 'look_back_rows', text: ROWS, values })).rows;
}

/** Where a page begins: after the last event of the page before. */
export interface EventPlace {
  readonly at: string;
  readonly id: string;
}

/** Plan: for each subscription a range of eec_workflow_event_key. */
const EARLIER = `
select distinct on (found.published_at, found.id) found.* from unnest($2::text[], $3::text[], $4::timestamptz[]) s (name, key, since)
cross join lateral (
  select ${EVENT_COLUMNS}, published_at::text as at from eec_workflow_event v
  where v.tenant_id = $1 and v.event_name = s.name and v.correlation_key = s.key and v.published_at >= s.since
    and (v.published_at, v.id) > ($5::timestamptz, $6::uuid)
  order by v.published_at, v.id limit $7) found
order by found.published_at, found.id limit $7`;

/** The next events that any of these subscriptions could take, in the order in which they were published. */
export async function earlierEvents(
  hot: pg.Pool,
  { rows, after, limit }: { readonly rows: readonly LookBackRow[]; readonly after: EventPlace; readonly limit: number },
): Promise<readonly (EventRow & EventPlace)[]> {
  const looking = rows.filter((row) => row.look_back_from !== null);
  const values = [
    rows[0]?.tenant_id ?? '',
    looking.map(({ subscription }) => subscription.eventName),
    looking.map(({ subscription }) => subscription.correlationKey),
    looking.map((row) => row.look_back_from),
    after.at,
    after.id,
    limit,
  ];
  return (await hot.query<EventRow & EventPlace>({ name: 'earlier_events', text: EARLIER, values })).rows;
}

/** In the order in which everybody locks waits. */
const DONE = `
with w as materialized (
  select run_id, node, name, version from eec_workflow_wait where run_id = $1 and node = $2 and version = $3
  order by name for update)
update eec_workflow_wait o set look_back_from = null from w
where o.run_id = w.run_id and o.node = w.node and o.name = w.name and o.version = w.version`;

export async function lookedBack(hot: pg.Pool, of: LookingBack): Promise<void> {
  await hot.query({ name: 'looked_back', text: DONE, values: [of.run_id, of.node, of.version] });
}
