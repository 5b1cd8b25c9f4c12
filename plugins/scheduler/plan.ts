import { derivedFraction } from '@ductor/core';
import type { Calendar } from './calendar.ts';

/** Of one occurrence, when it is due and when it starts. */
export interface Due {
  readonly dueMs: number;
  readonly startMs: number;
}

/** What has become due since a schedule was looked at, and what comes next. */
export interface Plan {
  /** It starts now; everything else that was due is missed. */
  readonly start: Due | null;
  readonly missed: { readonly firstMs: number; readonly lastMs: number; readonly count: number } | null;
  /** What is due up to here has been dealt with. */
  readonly afterMs: number;
  readonly next: Due | null;
}

export interface Timing {
  readonly calendar: Calendar;
  readonly jitterMs: number;
  /** Of the schedule: the same occurrence has the same jitter wherever it is computed. */
  readonly id: string;
}

/** Who comes no later than this is on time: hosts look each second, and take over from one another in a few. */
const PUNCTUAL_MS = 10_000;

/** An occurrence starts before the next one is due. */
function startOf({ calendar, jitterMs, id }: Timing, dueMs: number): Due {
  if (jitterMs === 0) return { dueMs, startMs: dueMs };
  const room = Math.min(jitterMs, (calendar.next(dueMs) ?? Infinity) - dueMs);
  return { dueMs, startMs: dueMs + Math.floor(derivedFraction(`${id}/${dueMs}`) * room) };
}

/** At most the newest occurrence starts, and only while it is no later than `windowMs`: there is no storm after an outage. */
export function plan(
  timing: Timing,
  { afterMs, nowMs, windowMs }: { readonly afterMs: number; readonly nowMs: number; readonly windowMs: number },
): Plan {
  const { calendar, jitterMs } = timing;
  let first: number | null = null;
  let before: number | null = null;
  let last: number | null = null;
  let count = 0;
  for (const dueMs of calendar.between(afterMs, nowMs)) {
    if (dueMs + jitterMs > nowMs && startOf(timing, dueMs).startMs > nowMs) break;
    first ??= dueMs;
    before = last;
    last = dueMs;
    count += 1;
  }
  const newest = last === null ? null : startOf(timing, last);
  const start = newest !== null && nowMs - newest.startMs <= Math.max(windowMs, PUNCTUAL_MS) ? newest : null;
  const lastMissed = start === null ? last : before;
  const missed =
    first === null || lastMissed === null
      ? null
      : { firstMs: first, lastMs: lastMissed, count: start === null ? count : count - 1 };
  const reached = last ?? afterMs;
  const nextMs = calendar.next(reached);
  return { start, missed, afterMs: reached, next: nextMs === null ? null : startOf(timing, nextMs) };
}
