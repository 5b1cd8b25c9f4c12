import type { Database, DatabaseTime } from '@ductor/core';

const KEPT = '30 days';
const PAGE = 1_000;
const HOUR_MS = 3_600_000;

/** Led by the indexes of what is over. */
const FORGET: readonly string[] = [
  `delete from eec_workflow_digest_arrival where id in (
     select id from eec_workflow_digest_arrival
     where ended_at < (select clock_timestamp() + $1::interval - interval '${KEPT}') order by ended_at limit ${PAGE}) returning id`,
  `delete from eec_workflow_digest where id in (
     select id from eec_workflow_digest
     where flushed_at < (select clock_timestamp() + $1::interval - interval '${KEPT}') order by flushed_at limit ${PAGE}) returning id`,
];

/** Until told to stop: forgets what was flushed or left long ago. */
export async function forgetDigests({
  db,
  clock,
  signal,
}: {
  readonly db: Database;
  readonly clock: DatabaseTime;
  readonly signal: AbortSignal;
}): Promise<void> {
  while (!signal.aborted) {
    for (const text of FORGET) {
      while (!signal.aborted && (await db.query(text, [clock.offset()])).length === PAGE);
    }
    await clock.sleep(HOUR_MS, signal);
  }
}
