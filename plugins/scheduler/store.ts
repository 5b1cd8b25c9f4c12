import type { Database, Instant, RunId, TenantId } from '@ductor/core';
import type { Spec } from './spec.ts';
import type { By } from './tables.ts';

export interface Reason {
  readonly code: string;
  readonly message: string;
  readonly run_id?: RunId;
}

export interface ScheduleRow {
  readonly id: string;
  readonly tenant_id: TenantId;
  readonly family_slug: string;
  readonly spec: Spec;
  readonly paused: boolean;
  readonly after_at: Instant;
  readonly next_due_at: Instant | null;
  readonly missed_count: number;
  readonly error: Reason | null;
  readonly ended_at: Instant | null;
  readonly revision: number;
  readonly created_at: Instant;
  readonly updated_at: Instant;
}

export interface DueRow extends ScheduleRow {
  readonly next_at: Instant;
  /** The newest occurrence that has started already, though it is not booked: its host died in between. */
  readonly fired_at: Instant | null;
}

/** What became of an occurrence, or of all that were missed in a stretch. */
export interface OccurrenceRow {
  readonly due_at: Instant;
  readonly until_at: Instant | null;
  readonly count: number;
  readonly outcome: 'fired' | 'skipped' | 'missed';
  readonly by: By;
  readonly run_id: RunId | null;
  readonly reason: Reason | null;
  readonly recorded_at: Instant;
}

/** What came of an occurrence that started nothing. */
export interface Unstarted {
  readonly due_at: Instant;
  readonly outcome: 'skipped' | 'missed';
  readonly by: By;
  readonly until_at?: Instant;
  readonly count?: number;
  readonly reason?: Reason;
}

/** What a look at a schedule has come to. */
export interface Booking {
  readonly afterAt: Instant;
  readonly nextDueAt: Instant | null;
  readonly nextAt: Instant | null;
  readonly error: Reason | null;
  readonly unstarted: readonly Unstarted[];
}

/** Plan: eec_workflow_schedule_due, then a range of the occurrences' primary key for each. */
const DUE = `
select s.*, f.fired_at from eec_workflow_schedule s
cross join lateral (
  select max(o.due_at) as fired_at from eec_workflow_schedule_occurrence o
  where o.schedule_id = s.id and o.due_at > least(s.after_at, $1::timestamptz) and o.due_at <= $1
    and o.outcome = 'fired' and o.by <> 'manual'
) f
where s.next_at <= $1 and ($2::timestamptz is null or (s.next_at, s.id) > ($2, $3::uuid))
order by s.next_at, s.id limit $4`;

/** Of several hosts that have looked at one revision, one books; a change of the schedule meanwhile wins over all. */
const BOOK = `
with booked as (
  update eec_workflow_schedule set after_at = $4, next_due_at = $5, next_at = $6, error = $7, revision = revision + 1,
    missed_count = missed_count + $8
  where tenant_id = $1 and id = $2 and revision = $3
  returning id, tenant_id
)
insert into eec_workflow_schedule_occurrence (tenant_id, schedule_id, due_at, outcome, by, until_at, count, reason)
select booked.tenant_id, booked.id, o.due_at, o.outcome, o.by, o.until_at, coalesce(o.count, 1), o.reason
from booked, json_to_recordset($9::json)
  o (due_at timestamptz, outcome text, by text, until_at timestamptz, count integer, reason json)
on conflict do nothing`;

const NOTE = `
insert into eec_workflow_schedule_occurrence (tenant_id, schedule_id, due_at, outcome, by, reason)
values ($1, $2, $3, $4, $5, $6) on conflict do nothing`;

/** A run that somebody has reopened meanwhile is \`opened\` once more, and stays open. */
const OPEN_RUN = `
with held as (
  select h.run_id, h.opened, h.due_at, r.id is not null as is_open
  from eec_workflow_schedule_run h
  left join eec_workflow_run r on r.id = h.run_id and r.ended_at is null
  where h.schedule_id = $1 and h.is_open
), closed as (
  update eec_workflow_schedule_run h set is_open = false from held
  where not held.is_open and h.schedule_id = $1 and h.run_id = held.run_id and h.opened = held.opened
)
select run_id from held where is_open and due_at <> $2 limit 1`;

const FIRED = `
select run_id from eec_workflow_schedule_occurrence where schedule_id = $1 and due_at = $2 and outcome = 'fired'`;

const DUE_AT = 'select due_at from eec_workflow_schedule_run where schedule_id = $1 and run_id = $2';

const FIND = 'select * from eec_workflow_schedule where tenant_id = $1 and id = $2';

type Order = 'asc' | 'desc';

/** Plan: eec_workflow_schedule_list, or the family's row. */
const list = (order: Order) => `
select * from eec_workflow_schedule
where tenant_id = $1 and ($2::text is null or family_slug = $2) and ($3::boolean is null or paused = $3)
  and ($4::uuid is null or id ${order === 'asc' ? '>' : '<'} $4)
order by id ${order} limit $5`;

/** Plan: a range of the primary key. */
const occurrences = (order: Order) => `
select due_at, until_at, count, outcome, by, run_id, reason, recorded_at from eec_workflow_schedule_occurrence
where tenant_id = $1 and schedule_id = $2
  and ($3::timestamptz is null or (due_at, outcome) ${order === 'asc' ? '>' : '<'} ($3, $4))
order by due_at ${order}, outcome ${order} limit $5`;

/** The clock was set back, by more than hosts and database may differ. */
const EXPECT_AGAIN = `
update eec_workflow_schedule set next_at = $1, revision = revision + 1
where next_at is not null and after_at > $1::timestamptz + interval '5 seconds'`;

const FORGET_OCCURRENCES = `
delete from eec_workflow_schedule_occurrence where (schedule_id, due_at, outcome) in (
  select schedule_id, due_at, outcome from eec_workflow_schedule_occurrence
  where recorded_at < $1 order by recorded_at limit 1000)`;

/** A run is found by its schedule for as long as it is there. Runs go by their age, so the oldest are looked at. */
const FORGET_RUNS = `
delete from eec_workflow_schedule_run where (schedule_id, run_id) in (
  select h.schedule_id, h.run_id from (
    select schedule_id, run_id from eec_workflow_schedule_run where due_at < $1 order by due_at limit 5000
  ) h
  where not exists (select from eec_workflow_run r where r.id = h.run_id))`;

export class ScheduleStore {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  due(
    now: Instant,
    { after, limit }: { readonly after: Pick<DueRow, 'next_at' | 'id'> | null; readonly limit: number },
  ): Promise<readonly DueRow[]> {
    return this.db.query(DUE, [now, after?.next_at ?? null, after?.id ?? null, limit]);
  }

  async book({ tenant_id, id, revision }: ScheduleRow, booking: Booking): Promise<void> {
    const { afterAt, nextDueAt, nextAt, error, unstarted } = booking;
    const missed = unstarted.reduce((sum, { outcome, count = 1 }) => sum + (outcome === 'missed' ? count : 0), 0);
    const texts = [error && JSON.stringify(error), missed, JSON.stringify(unstarted)];
    await this.db.query(BOOK, [tenant_id, id, revision, afterAt, nextDueAt, nextAt, ...texts]);
  }

  async note({ tenant_id, id }: ScheduleRow, { due_at, outcome, by, reason }: Unstarted): Promise<void> {
    await this.db.query(NOTE, [tenant_id, id, due_at, outcome, by, reason ? JSON.stringify(reason) : null]);
  }

  /** A run of the schedule that has not ended, started for another occurrence. */
  async openRun({ id }: ScheduleRow, dueAt: Instant): Promise<RunId | null> {
    return (await this.db.query<{ run_id: RunId }>(OPEN_RUN, [id, dueAt]))[0]?.run_id ?? null;
  }

  async firedRun({ id }: ScheduleRow, dueAt: Instant): Promise<RunId | null> {
    return (await this.db.query<{ run_id: RunId }>(FIRED, [id, dueAt]))[0]?.run_id ?? null;
  }

  /** When a run of the schedule was due: it is written with the run, and goes after it. */
  async dueAtOf({ id }: ScheduleRow, runId: RunId): Promise<Instant> {
    const [found] = await this.db.query<{ due_at: Instant }>(DUE_AT, [id, runId]);
    if (found === undefined) throw new Error(`the run ${runId} is none of the schedule ${id}`);
    return found.due_at;
  }

  async find(tenantId: TenantId, id: string): Promise<ScheduleRow | null> {
    return (await this.db.query<ScheduleRow>(FIND, [tenantId, id]))[0] ?? null;
  }

  list(
    tenantId: TenantId,
    { family = null, paused = null }: { readonly family?: string | null; readonly paused?: boolean | null },
    { order, after, limit }: { readonly order: Order; readonly after: string | null; readonly limit: number },
  ): Promise<readonly ScheduleRow[]> {
    return this.db.query(list(order), [tenantId, family, paused, after, limit]);
  }

  occurrences(
    { tenant_id, id }: ScheduleRow,
    {
      order,
      after,
      limit,
    }: {
      readonly order: Order;
      readonly after: Pick<OccurrenceRow, 'due_at' | 'outcome'> | null;
      readonly limit: number;
    },
  ): Promise<readonly OccurrenceRow[]> {
    return this.db.query(occurrences(order), [tenant_id, id, after?.due_at ?? null, after?.outcome ?? null, limit]);
  }

  async expectAgain(now: Instant): Promise<void> {
    await this.db.query(EXPECT_AGAIN, [now]);
  }

  async forget(before: Instant): Promise<void> {
    for (const text of [FORGET_OCCURRENCES, FORGET_RUNS]) await this.db.query(text, [before]);
  }
}
