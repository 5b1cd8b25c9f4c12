import type pg from 'pg';
import { AGAIN_S } from './deliver.ts';
import { EVENT_COLUMNS, type EventRow, type Match } from './rows.ts';

/** Plan: the partial index of what is to be started again. */
const DUE = `
select ${EVENT_COLUMNS} from eec_workflow_event
where start_again_at < (select clock_timestamp() + $1::interval) order by start_again_at limit $2`;

/** Events whose triggers were kept from starting their runs a while ago. */
export async function eventsToStartAgain(
  hot: pg.Pool,
  { offset, limit }: { readonly offset: string; readonly limit: number },
): Promise<readonly EventRow[]> {
  return (await hot.query<EventRow>({ name: 'events_to_start_again', text: DUE, values: [offset, limit] })).rows;
}

/** What came of the triggers stands in the place of what came of them before. Plan: primary key. */
const STARTED = `
update eec_workflow_event set
  revision = revision + 1,
  start_again_at = case when $3 then clock_timestamp() + $5::interval + interval '${AGAIN_S} seconds' end,
  matches = coalesce((select jsonb_agg(m) from jsonb_array_elements(matches) m where not m ? 'trigger'), '[]') || $4::jsonb
where id = $1 and revision = $2`;

export async function startedAgain(
  hot: pg.Pool,
  {
    event: { id, revision },
    started,
    startsAgain,
    offset,
  }: {
    readonly event: EventRow;
    readonly started: readonly Match[];
    readonly startsAgain: boolean;
    readonly offset: string;
  },
): Promise<void> {
  const values = [id, revision, startsAgain, JSON.stringify(started), offset];
  await hot.query({ name: 'started_again', text: STARTED, values });
}
