import type { RunStore } from '@ductor/core';
import type pg from 'pg';

/** What has run for a while shows that it does. Plan: by primary key. */
const PROGRESS = `
update eec_workflow_step_attempt a set
  status = 'running', started_at = b.started_at, heartbeat = coalesce(b.heartbeat, a.heartbeat),
  heartbeat_at = case when b.heartbeat is null then a.heartbeat_at else clock_timestamp() + $5::interval end
from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::json[]) b (run_id, id, started_at, heartbeat)
where a.run_id = b.run_id and a.id = b.id and a.ended_at is null`;

export async function writeProgress(
  hot: pg.Pool,
  beats: Parameters<RunStore['progress']>[0],
  offset: string,
): Promise<void> {
  const values = [
    beats.map(({ runId }) => runId),
    beats.map(({ id }) => id),
    beats.map(({ startedAt }) => startedAt),
    beats.map(({ heartbeat }) => (heartbeat === undefined ? null : JSON.stringify(heartbeat))),
    offset,
  ];
  await hot.query({ name: 'write_progress', text: PROGRESS, values });
}
