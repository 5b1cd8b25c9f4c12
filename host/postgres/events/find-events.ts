import type pg from 'pg';
import { EVENT_COLUMNS, type EventRow } from './rows.ts';

/** Plan: primary key, once for each. */
const BY_ID = `
select found.* from unnest($1::uuid[]) asked (id)
cross join lateral (select ${EVENT_COLUMNS} from eec_workflow_event v where v.id = asked.id) found
order by found.published_at, found.id`;

export async function findEvents(hot: pg.Pool, ids: readonly string[]): Promise<readonly EventRow[]> {
  return (await hot.query<EventRow>({ name: 'find_events', text: BY_ID, values: [ids] })).rows;
}

/** Plan: the partial index of what is not matched. */
const UNMATCHED = `
select ${EVENT_COLUMNS} from eec_workflow_event
where matched_at is null and published_at < (select clock_timestamp() + $1::interval - interval '2 seconds')
  and ($3::uuid is null or id > $3)
order by id limit $2`;

/** Events that whoever published them should have matched by now; a page, `after` one of them. */
export async function unmatchedEvents(
  hot: pg.Pool,
  { offset, limit, after }: { readonly offset: string; readonly limit: number; readonly after: EventRow | null },
): Promise<readonly EventRow[]> {
  const values = [offset, limit, after?.id ?? null];
  return (await hot.query<EventRow>({ name: 'unmatched_events', text: UNMATCHED, values })).rows;
}
