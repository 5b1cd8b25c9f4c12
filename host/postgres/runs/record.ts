import type { RunStore } from '@ductor/core';
import type pg from 'pg';
import { errorText } from '../commit/columns.ts';
import { INLINE_BYTES } from '../commit/rows/payloads.ts';

type Outcome = Parameters<RunStore['record']>[0][number];

/**
 * Appends outcomes outside of a tick: to open attempts as theirs, to closed ones that were told to stop as what came of
 * them all the same. Plan: by primary key.
 */
const RECORD = `
with o as materialized (
  select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::json[], $6::json[], $7::timestamptz[], $8::timestamptz[],
    $9::text[], $10::int[]) o (run_id, id, token, status, output, error, started_at, ended_at, tier, bytes)),
l as materialized (
  select o.*, a.tenant_id, a.step_ref, a.branch, a.generation, a.ended_at is not null is_late from o
  join eec_workflow_step_attempt a on a.run_id = o.run_id and a.id = o.id
  where a.token = o.token and (a.ended_at is null or (o.status = 'completed' and a.output is null and a.status <> 'completed'))
  order by a.run_id, a.id for no key update of a),
p as (
  insert into eec_payload (tenant_id, run_id, id, bytes, value)
  select tenant_id, run_id, id, bytes, output from l where bytes > ${INLINE_BYTES}
  on conflict do nothing),
-- its run is told: what has been done may have to be undone
i as (
  insert into eec_workflow_inbox (id, tenant_id, chain_id, run_id, kind, body)
  select gen_random_uuid(), l.tenant_id, r.chain_id, l.run_id, 'late', json_build_object(
    'at', json_build_object('ref', l.step_ref, 'branch', l.branch), 'generation', l.generation, 'attemptId', l.id, 'output', l.output)
  from l join eec_workflow_run r on r.id = l.run_id where l.is_late)
update eec_workflow_step_attempt a set
  status = case when l.is_late then a.status else l.status end,
  output = case when l.bytes > ${INLINE_BYTES}
    then json_build_object('$payload', json_build_object('id', l.id, 'bytes', l.bytes)) else l.output end,
  error = case when l.is_late then a.error else l.error end,
  started_at = coalesce(a.started_at, l.started_at), tier = coalesce(a.tier, l.tier),
  ended_at = coalesce(a.ended_at, l.ended_at),
  superseded = a.superseded or l.is_late, finished_anyway = a.finished_anyway or l.is_late
from l where a.run_id = l.run_id and a.id = l.id`;

export async function recordOutcomes(hot: pg.Pool, outcomes: readonly Outcome[]): Promise<void> {
  const outputs = outcomes.map(({ outcome }) =>
    outcome.status === 'completed' ? JSON.stringify(outcome.output) : null,
  );
  const values = [
    outcomes.map(({ runId }) => runId),
    outcomes.map(({ attempt }) => attempt.id),
    outcomes.map(({ attempt }) => attempt.token),
    outcomes.map(({ outcome }) => outcome.status),
    outputs,
    outcomes.map(({ outcome }) => errorText(outcome)),
    outcomes.map(({ report }) => report.startedAt),
    outcomes.map(({ report }) => report.endedAt),
    outcomes.map(({ report }) => report.tier),
    outputs.map((text) => (text === null ? 0 : Buffer.byteLength(text))),
  ];
  await hot.query({ name: 'record_outcomes', text: RECORD, values });
}
