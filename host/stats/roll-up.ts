import { setTimeout as delay } from 'node:timers/promises';
import type { Instant } from '@ductor/core';
import type { Knex } from 'knex';
import { firstBusyMinute, minutesToDo, rollUpMinutes } from '../postgres/stats-roll-up.ts';

const EVERY_MS = 20_000;
/** A row may be committed so long after the instant it bears; */
const LATE_MS = 60_000;
/** or, now and then, so long: where a database was away in between. */
const VERY_LATE_MS = 3_600_000;
const LOOK_FAR_BACK_EVERY = 60;
/** What one transaction rolls up. */
const MOST_MS = 10 * 60_000;

/** Keeps the roll-ups of minutes up to date, until told to stop. For one host of many. */
export async function rollUpMinuteByMinute(knex: Knex, signal: AbortSignal): Promise<void> {
  let since: Instant | null = null;
  for (let pass = 0; !signal.aborted; pass++) {
    since = await rollUp(knex, { since, lateMs: pass % LOOK_FAR_BACK_EVERY === 0 ? VERY_LATE_MS : LATE_MS, signal });
    await delay(EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** Rolls up what has happened since an instant, `null`: since the last roll-up. Answers with where the next one begins. */
export async function rollUp(
  knex: Knex,
  { signal, ...asked }: { readonly since: Instant | null; readonly lateMs: number; readonly signal: AbortSignal },
): Promise<Instant> {
  const { from, to } = await minutesToDo(knex, asked);
  let next = await firstBusyMinute(knex, from);
  while (next !== null && next < to) {
    if (signal.aborted) return next;
    const end = new Date(Math.min(Date.parse(next) + MOST_MS, Date.parse(to))).toISOString();
    await rollUpMinutes(knex, { from: next, to: end });
    next = await firstBusyMinute(knex, end);
  }
  return to;
}
