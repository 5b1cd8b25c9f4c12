import type { Clock, Instant } from '@ductor/core';
import { type Plan, plan } from './plan.ts';
import { instantOf, type Schedule, scheduleOf } from './spec.ts';
import type { OccurrenceStarter, Started } from './starter.ts';
import type { Booking, DueRow, Reason, ScheduleStore, Unstarted } from './store.ts';
import { DAY_MS } from './zone.ts';

const LOOK_MS = 1_000;
const LOOKS_A_TIDYING = 60;
/** So many schedules are dealt with side by side. */
const PAGE = 50;

export interface SchedulerDeps {
  readonly store: ScheduleStore;
  readonly starter: OccurrenceStarter;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly options: { readonly catchup_window_ms: number; readonly keep_occurrences_days: number };
}

/**
 * Looks each second for schedules that are due. What it does before it books may be done again, by itself or another
 * host: an occurrence's run starts once by its key, and one host books.
 */
export class Scheduler {
  private readonly deps: SchedulerDeps;

  constructor(deps: SchedulerDeps) {
    this.deps = deps;
  }

  /** Until told to stop. Rejects with what went wrong, after all that are due were seen to. */
  async run(signal: AbortSignal): Promise<void> {
    for (let looks = 0; !signal.aborted; looks++) {
      if (looks % LOOKS_A_TIDYING === 0) await this.tidy();
      await this.look(signal);
      await this.deps.clock.sleep(LOOK_MS, signal);
    }
  }

  /** Looks again at what is booked as if time had come further than it has, and forgets what is old. */
  async tidy(): Promise<void> {
    const { clock, store, options } = this.deps;
    const now = clock.now();
    await store.expectAgain(now);
    await store.forget(instantOf(Date.parse(now) - options.keep_occurrences_days * DAY_MS));
  }

  /** Once over all schedules that are due now. */
  async look(signal?: AbortSignal): Promise<void> {
    const { store, clock } = this.deps;
    const now = clock.now();
    const faults: unknown[] = [];
    let after: DueRow | null = null;
    while (!signal?.aborted) {
      const rows: readonly DueRow[] = await store.due(now, { after, limit: PAGE });
      const results = await Promise.allSettled(rows.map((row) => this.see(row, now)));
      for (const [index, result] of results.entries()) {
        if (result.status === 'fulfilled') continue;
        faults.push(new Error(`the schedule ${rows[index]?.id} is looked at again`, { cause: result.reason }));
      }
      after = rows.at(-1) ?? null;
      if (rows.length < PAGE) break;
    }
    if (faults.length > 0) throw faults[0];
  }

  private async see(row: DueRow, now: Instant): Promise<void> {
    const { store } = this.deps;
    const schedule = read(row);
    if ('error' in schedule) {
      const afterAt = row.after_at;
      return store.book(row, { afterAt, nextDueAt: null, nextAt: null, error: schedule.error, unstarted: [] });
    }
    const planned = this.plan(row, schedule, now);
    await store.book(row, bookingOf(planned, await this.start(row, schedule, planned)));
  }

  private plan({ id, after_at, fired_at }: DueRow, { calendar, jitterMs, windowMs }: Schedule, now: Instant): Plan {
    const nowMs = Date.parse(now);
    // Later than now: the clock was set back, and time goes on from here.
    const reachedMs = Math.min(Date.parse(after_at), nowMs);
    const afterMs = fired_at === null ? reachedMs : Math.max(reachedMs, Date.parse(fired_at));
    const window = windowMs ?? this.deps.options.catchup_window_ms;
    return plan({ calendar, jitterMs, id }, { afterMs, nowMs, windowMs: window });
  }

  private async start(row: DueRow, schedule: Schedule, { start }: Plan): Promise<Started | null> {
    if (start === null) return null;
    const dueAt = instantOf(start.dueMs);
    return this.deps.starter.start(row, schedule, { dueAt, by: 'timetable', policy: schedule.overlapPolicy });
  }
}

/** A stored spec may come from another version of this plugin, or name a zone that is gone. */
export function read({ spec }: Pick<DueRow, 'spec'>): Schedule | { readonly error: Reason } {
  try {
    return scheduleOf(spec);
  } catch (error) {
    return { error: { code: 'invalid_schedule', message: error instanceof Error ? error.message : String(error) } };
  }
}

function bookingOf({ start, missed, afterMs, next }: Plan, started: Started | null): Booking {
  const unstarted: Unstarted[] = [];
  if (missed !== null) {
    const { firstMs, lastMs, count } = missed;
    const stretch = { due_at: instantOf(firstMs), until_at: instantOf(lastMs), count };
    unstarted.push({ ...stretch, outcome: 'missed', by: 'timetable' });
  }
  if (start !== null && started !== null && 'skipped' in started) {
    unstarted.push({ due_at: instantOf(start.dueMs), outcome: 'skipped', by: 'timetable', reason: started.skipped });
  }
  return {
    afterAt: instantOf(afterMs),
    nextDueAt: next && instantOf(next.dueMs),
    nextAt: next && instantOf(next.startMs),
    error: null,
    unstarted,
  };
}
