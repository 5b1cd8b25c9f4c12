import { type Definition, defineTable, derivedUuid, type Instant, type Json, type JsonObject } from '@ductor/core';
import { type Spec, timetableOf } from './spec.ts';

/** Why an occurrence has, or has not, started a run. */
export type By = 'timetable' | 'backfill' | 'manual';

type ScheduleRow = {
  readonly id: string;
  readonly family_slug: string;
  /** `null`: the family has none any more. */
  readonly spec: Json;
  readonly timetable: Json;
  /** `null`: as before. */
  readonly paused: boolean | null;
  readonly from_at: Instant;
};

/**
 * A family has one schedule, which ends and comes back with its versions. Its occurrences count from where they were
 * dealt with if the timetable is as before, else from now. A schedule that is to be looked at again is due at once.
 */
export const scheduleTable = defineTable<ScheduleRow>({
  name: 'eec_workflow_schedule',
  write: `
    insert into eec_workflow_schedule as s
      (id, tenant_id, family_slug, spec, timetable, paused, after_at, next_at, ended_at)
    select cast(w.row ->> 'id' as uuid), w.tenant_id, w.row ->> 'family_slug', w.spec, w.timetable, w.paused, w.from_at,
      case when not w.paused and not w.ends then w.from_at end, case when w.ends then w.from_at end
    from (
      select written.*, written.row ->> 'spec' is null as ends,
        greatest(cast(written.row ->> 'from_at' as timestamptz), date_trunc('milliseconds', clock_timestamp())) as from_at,
        coalesce(cast(written.row ->> 'paused' as boolean), o.paused, false) as paused,
        coalesce(cast(written.row ->> 'spec' as json), o.spec) as spec,
        coalesce(cast(written.row ->> 'timetable' as jsonb), o.timetable) as timetable
      from written left join eec_workflow_schedule o
        on o.tenant_id = written.tenant_id and o.family_slug = written.row ->> 'family_slug'
    ) w
    where w.spec is not null
    on conflict (tenant_id, family_slug) do update set
      spec = excluded.spec,
      timetable = excluded.timetable,
      paused = excluded.paused,
      after_at = case when s.timetable = excluded.timetable and s.ended_at is null and s.error is null and not s.paused
        then s.after_at else excluded.after_at end,
      next_due_at = null,
      next_at = excluded.next_at,
      error = null,
      ended_at = excluded.ended_at,
      updated_at = clock_timestamp(),
      revision = s.revision + 1`,
});

/** What a published version makes of its family's schedule; without a spec, its end. */
export const scheduleRow = (
  { tenantId, familySlug, publishedAt }: Definition,
  spec: Spec | undefined,
): ReturnType<typeof scheduleTable.row> =>
  scheduleTable.row({
    id: derivedUuid(publishedAt, `${tenantId}/${familySlug}/schedule`),
    family_slug: familySlug,
    spec: spec ?? null,
    timetable: spec === undefined ? null : timetableOf(spec),
    paused: spec?.paused ?? null,
    from_at: publishedAt,
  });

/** An occurrence that has started a run, written with it. */
export const occurrenceTable = defineTable<JsonObject>({
  name: 'eec_workflow_schedule_occurrence',
  write: `
    insert into eec_workflow_schedule_occurrence (tenant_id, schedule_id, due_at, outcome, by, run_id)
    select written.tenant_id, cast(written.row ->> 'id' as uuid), cast(written.row ->> 'due_at' as timestamptz), 'fired',
      written.row ->> 'by', written.run_id
    from written on conflict do nothing`,
});

/** The runs of schedules, successors in a chain included: what `skip` looks at and `schedule_id=` finds. */
export const runTable = defineTable<JsonObject>({
  name: 'eec_workflow_schedule_run',
  write: `
    insert into eec_workflow_schedule_run as r (tenant_id, schedule_id, run_id, due_at)
    select written.tenant_id, cast(written.row ->> 'id' as uuid), written.run_id,
      cast(written.row ->> 'due_at' as timestamptz)
    from written
    on conflict (schedule_id, run_id) do update set is_open = true, opened = r.opened + 1`,
  filters: {
    schedule_id: `
      select r.run_id from eec_workflow_schedule s join eec_workflow_schedule_run r on r.schedule_id = s.id
      where s.tenant_id = :tenant_id and cast(s.id as text) = lower(:value)`,
  },
});
