import type { RunId } from '@ductor/core';
import type pg from 'pg';
import type { EventRow, Match } from './rows.ts';
import type { SubscribedRow } from './waiting-for.ts';

export interface Delivery {
  readonly to: Pick<SubscribedRow, 'run_id' | 'node' | 'name' | 'version'>;
  /** How many events the subscription takes. */
  readonly count: number;
  readonly inboxId: string;
  /** Of the inbox row: `{at, event}`. */
  readonly body: object;
  readonly match: Match;
}

/** How far the event's own matching has come, once all of these deliveries are made. */
export interface Progress {
  readonly toldTo: RunId;
  readonly isLast: boolean;
  /** A limit has kept a run from starting. */
  readonly startsAgain: boolean;
  /** What else is to be shown of it. */
  readonly matches: readonly Match[];
}

/** So many matches are kept on the event's row, and a page; the others are counted. */
const SHOWN = 1_000;

/** How long a limit is given to make room. */
export const AGAIN_S = 30;

/**
 * Locks the event as it was read, then its waits in the order in which everybody locks waits; so that two who tell at
 * once wait for each other in turn. What a wait has no room for by now is left out, and then the event does not move on.
 * Plan: primary keys.
 */
const DELIVER = `
with e as materialized (
  select id from eec_workflow_event
  where id = $1 and revision = $2 and ($3::uuid is null or matched_at is null) for update),
told as materialized (
  select w.tenant_id, w.chain_id, w.run_id, w.node, w.name, w.version, d.inbox_id, d.body, d.match
  from unnest($6::uuid[], $7::text[], $8::text[], $9::int8[], $10::int4[], $11::uuid[], $12::text[], $13::text[])
    d (run_id, node, name, version, count, inbox_id, body, match)
  join eec_workflow_wait w on w.run_id = d.run_id and w.node = d.node and w.name = d.name and w.version = d.version
  where exists (select from e) and cardinality(w.taken) < d.count and not $1 = any(w.taken)
  order by w.run_id, w.node, w.name, w.version for update of w),
outcome as materialized (
  select count(*)::int as told, count(*) = cardinality($6::uuid[]) as is_complete,
    coalesce(jsonb_agg(match::jsonb), '[]') as matches from told),
taken as (
  update eec_workflow_wait w set arrivals = w.arrivals + 1, taken = w.taken || $1 from told t
  where w.run_id = t.run_id and w.node = t.node and w.name = t.name and w.version = t.version),
sent as (
  insert into eec_workflow_inbox (id, tenant_id, chain_id, run_id, kind, node, body, received_at)
  select inbox_id, tenant_id, chain_id, run_id, 'event', node, body::json, clock_timestamp() + $14::interval from told),
moved as (
  update eec_workflow_event v set
    revision = v.revision + 1,
    matched = v.matched + o.told,
    matches = case when jsonb_array_length(v.matches) >= ${SHOWN} then v.matches
      else v.matches || o.matches || case when o.is_complete then $5::jsonb else '[]' end end,
    told_to = case when o.is_complete then coalesce($3, v.told_to) else v.told_to end,
    start_again_at = case when o.is_complete and $4 and $15 then clock_timestamp() + $14::interval + interval '${AGAIN_S} seconds' else v.start_again_at end,
    matched_at = case when o.is_complete and $4 then clock_timestamp() + $14::interval else v.matched_at end
  from outcome o
  where v.id = $1 and exists (select from e)
  returning v.revision, v.matched, v.told_to, v.matched_at)
select m.revision, m.matched, m.told_to, m.matched_at, array(select run_id from told) as runs from moved m`;

export type Delivered = Pick<EventRow, 'revision' | 'matched' | 'told_to' | 'matched_at'> & {
  readonly runs: readonly RunId[];
};

/**
 * Hands an event to waits, once each, all of it in one statement. `progress`: `null` where it is not the event's own
 * matching that tells. Answers `null` if somebody else has dealt with the event since it was read.
 */
export async function deliver(
  hot: pg.Pool,
  {
    event: { id, revision },
    deliveries,
    progress,
    offset,
  }: {
    readonly event: EventRow;
    readonly deliveries: readonly Delivery[];
    readonly progress: Progress | null;
    readonly offset: string;
  },
): Promise<Delivered | null> {
  const values = [
    id,
    revision,
    progress?.toldTo ?? null,
    progress?.isLast ?? false,
    JSON.stringify(progress?.matches ?? []),
    deliveries.map(({ to }) => to.run_id),
    deliveries.map(({ to }) => to.node),
    deliveries.map(({ to }) => to.name),
    deliveries.map(({ to }) => to.version),
    deliveries.map(({ count }) => count),
    deliveries.map(({ inboxId }) => inboxId),
    deliveries.map(({ body }) => JSON.stringify(body)),
    deliveries.map(({ match }) => JSON.stringify(match)),
    offset,
    progress?.startsAgain ?? false,
  ];
  const { rows } = await hot.query<Delivered>({ name: 'deliver_event', text: DELIVER, values });
  return rows[0] ?? null;
}
