import type { Instant } from '@ductor/core';
import type { Knex } from 'knex';
import { DURATION_BOUNDS_MS } from '../stats/durations.ts';
import { rowsOf } from './reads/rows.ts';

/** Whole minutes, from one to before another. */
export interface Minutes {
  readonly from: Instant;
  readonly to: Instant;
}

/**
 * The tables may never have been analysed, and other indexes look good on a table that is small now: so a pass is
 * planned as it must be when they are large.
 */
export const BY_INDEX = `select ${['enable_seqscan', 'enable_bitmapscan', 'enable_hashjoin', 'enable_mergejoin', 'jit']
  .map((setting) => `set_config('${setting}', 'off', true)`)
  .join(', ')}`;

const counted = (what: string) => `
  count(*), coalesce(sum(${what}.ms), 0),
  array[${[...DURATION_BOUNDS_MS, null].map((_, i) => `count(*) filter (where ${what}.bucket = ${i})`).join(', ')}]`;
// A duration of exactly a bound lies in its bucket: the bounds are upper ones.
const bucketOf = (ms: string) =>
  `width_bucket(${ms} - 0.5, cast(array[${DURATION_BOUNDS_MS.join(', ')}] as numeric[]))`;
const msBetween = (from: string, to: string) =>
  `cast(greatest(round(extract(epoch from ${to} - ${from}) * 1000), 0) as numeric)`;

const slug = (id: string) => `coalesce((select d.family_slug from eec_workflow_definition d where d.id = ${id}), '')`;

/**
 * Plan: runs that ended by eec_workflow_run_ended, runs that were created by the primary key, whose ids are by time, and
 * the attempts of each run that ended by theirs.
 */
export const ROLL_UP = `
with ended as materialized (
  select r.tenant_id, r.id, r.kind, ${slug('r.definition_id')} as slug, r.final_status,
    date_trunc('minute', r.ended_at) as minute, ${msBetween('r.started_at', 'r.ended_at')} as ms
    from eec_workflow_run r where r.ended_at >= cast(:from as timestamptz) and r.ended_at < cast(:to as timestamptz)),
ended_runs as (select e.*, ${bucketOf('e.ms')} as bucket from ended e),
attempts as (
  select t.*, ${bucketOf('t.ms')} as bucket from (
    select e.tenant_id, e.minute, e.kind, e.slug, a.action, a.status,
      ${msBetween('a.started_at', 'a.ended_at')} as ms
      from ended e join eec_workflow_step_attempt a on a.run_id = e.id where a.ended_at is not null) t),
created as (
  select r.tenant_id, date_trunc('minute', eec_uuid_time(r.id)) as minute, r.kind, ${slug('r.definition_id')} as slug,
    cast(null as numeric) as ms, cast(null as int) as bucket
    from eec_workflow_run r where r.id >= eec_uuid_floor(cast(:from as timestamptz)) and r.id < eec_uuid_floor(cast(:to as timestamptz)))
insert into eec_stats_minute (tenant_id, minute, what, run_kind, family_slug, action, outcome, count, total_ms, durations)
select c.tenant_id, c.minute, 'created', c.kind, c.slug, '', '', ${counted('c')} from created c group by 1, 2, 4, 5
union all
select e.tenant_id, e.minute, 'ended', e.kind, e.slug, '', e.final_status, ${counted('e')}
  from ended_runs e group by 1, 2, 4, 5, 7
union all
select a.tenant_id, a.minute, 'attempts', a.kind, a.slug, a.action, a.status, ${counted('a')}
  from attempts a group by 1, 2, 4, 5, 6, 7`;

const FORGET = 'delete from eec_stats_minute where minute >= :from and minute < :to';

/** Makes the roll-ups of these minutes anew from the rows of runs: the same rows, the same roll-ups. */
export async function rollUpMinutes(knex: Knex, { from, to }: Minutes): Promise<void> {
  await knex.transaction(async (transaction) => {
    await transaction.raw(BY_INDEX);
    await rowsOf(transaction, FORGET, { from, to });
    await rowsOf(transaction, ROLL_UP, { from, to });
  });
}

const TO_DO = `
  select date_trunc('minute', least(clock_timestamp(), coalesce(cast(:since as timestamptz), done.to, 'epoch'))
      - cast(:lateMs as int) * interval '1 ms') as "from",
    date_trunc('minute', clock_timestamp()) + interval '1 minute' as "to"
    from (select max(minute) + interval '1 minute' as "to" from eec_stats_minute) done`;

/**
 * The minutes up to the present one, from `since` on, less the time in which late rows may still come. `since: null`:
 * from the last that has a roll-up.
 */
export async function minutesToDo(
  knex: Knex,
  of: { readonly since: Instant | null; readonly lateMs: number },
): Promise<Minutes> {
  const [row] = await rowsOf<Minutes>(knex, TO_DO, { ...of });
  if (!row) throw new Error('The database did not tell the time.');
  return row;
}

const NEXT = `
  select date_trunc('minute', least(
    (select min(ended_at) from eec_workflow_run where ended_at is not null and ended_at >= :from),
    (select eec_uuid_time(id) from eec_workflow_run
      where id >= eec_uuid_floor(greatest(cast(:from as timestamptz), 'epoch')) order by id limit 1))) as minute`;

/** The first minute from `from` on in which anything was created or ended; skips silence. */
export async function firstBusyMinute(knex: Knex, from: Instant): Promise<Instant | null> {
  const [row] = await rowsOf<{ minute: Instant | null }>(knex, NEXT, { from });
  return row?.minute ?? null;
}
