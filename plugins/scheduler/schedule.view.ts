import type { Instant } from '@ductor/core';
import { read } from './scheduler.ts';
import { instantOf, OVERLAP_POLICIES, type Spec } from './spec.ts';
import type { OccurrenceRow, ScheduleRow } from './store.ts';

const NEXT_SHOWN = 10;

export type State = 'active' | 'paused' | 'ended' | 'error';

/** As lists show it. */
export function showSchedule(row: ScheduleRow, now: Instant) {
  const { state, next } = standing(row, { now, count: 1 });
  return shown(row, { state, next });
}

/** With what comes next, and what became of the last occurrence. */
export function showWhole(
  row: ScheduleRow,
  { now, last }: { readonly now: Instant; readonly last: OccurrenceRow | null },
) {
  const { state, next } = standing(row, { now, count: NEXT_SHOWN });
  return { ...shown(row, { state, next }), spec: row.spec, next_occurrences: next, last_occurrence: last };
}

function shown(row: ScheduleRow, { state, next }: { readonly state: State; readonly next: readonly Instant[] }) {
  const { cron, timezone = 'UTC', overlap_policy = OVERLAP_POLICIES[0] }: Spec = row.spec;
  const { id, family_slug, paused, error, missed_count, ended_at, created_at, updated_at } = row;
  const times = { ended_at, created_at, updated_at };
  return {
    id,
    family_slug,
    state,
    cron,
    timezone,
    overlap_policy,
    paused,
    next_due_at: next[0] ?? null,
    error,
    missed_count,
    ...times,
  };
}

/** A timetable that is over has ended, whether or not its family has. */
function standing(
  row: ScheduleRow,
  { now, count }: { readonly now: Instant; readonly count: number },
): { readonly state: State; readonly next: readonly Instant[] } {
  const schedule = read(row);
  const next: Instant[] = [];
  if (row.ended_at !== null) return { state: 'ended', next };
  if (row.error !== null || 'error' in schedule) return { state: 'error', next };
  if (row.paused) return { state: 'paused', next };
  for (const due of schedule.calendar.coming(Date.parse(now))) {
    if (next.push(instantOf(due)) === count) break;
  }
  return { state: next.length === 0 ? 'ended' : 'active', next };
}
