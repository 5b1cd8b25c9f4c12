import type { Knex } from 'knex';

const DELETE = `
delete from eec_workflow_event where id in (
  select id from eec_workflow_event
  where published_at < (select clock_timestamp() - :keptMs * interval '1 millisecond') and matched_at is not null
  order by published_at limit :limit for update skip locked)`;

/** Deletes the oldest events that were published longer ago than `keptMs`; answers how many. */
export async function deleteEvents(
  knex: Knex,
  { keptMs, limit }: { readonly keptMs: number; readonly limit: number },
): Promise<number> {
  const { rowCount } = await knex.raw<{ rowCount: number }>(DELETE, { keptMs, limit });
  return rowCount;
}
