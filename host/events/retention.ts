import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { deleteEvents } from '../postgres/events/delete-events.ts';

const LOOK_MS = 60_000;
const BATCH = 1_000;

/** Deletes events once they have been kept for `keptMs`; those that are not matched yet stay. For one host of all. */
export async function deleteOldEvents(knex: Knex, keptMs: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const deleted = await deleteEvents(knex, { keptMs, limit: BATCH });
    if (deleted < BATCH) await delay(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
