import type { Instant, RunId } from '@ductor/core';
import { instantOf, type OverlapPolicy, type Schedule } from './spec.ts';
import type { OccurrenceStarter } from './starter.ts';
import type { Reason, ScheduleRow, ScheduleStore } from './store.ts';

export interface BackfillRequest {
  readonly from: Instant;
  /** Inclusive, as `from` is. */
  readonly to: Instant;
  readonly policy: OverlapPolicy;
  /** So many occurrences at most. */
  readonly limit: number;
}

export interface Backfilled {
  readonly due_at: Instant;
  /** `existed`: it had started a run before. */
  readonly outcome: 'fired' | 'existed' | 'skipped';
  readonly run_id: RunId | null;
  readonly reason: Reason | null;
}

/** Starts what was due in a stretch of the past, the oldest first. The same again starts nothing twice. */
export async function backfill(
  row: ScheduleRow,
  schedule: Schedule,
  { from, to, policy, limit }: BackfillRequest,
  { store, starter }: { readonly store: ScheduleStore; readonly starter: OccurrenceStarter },
): Promise<{ readonly items: readonly Backfilled[]; readonly nextFrom: Instant | null }> {
  const items: Backfilled[] = [];
  for (const dueMs of schedule.calendar.between(Date.parse(from) - 1, Date.parse(to))) {
    const dueAt = instantOf(dueMs);
    if (items.length === limit) return { items, nextFrom: dueAt };
    items.push(await one(dueAt));
  }
  return { items, nextFrom: null };

  async function one(due_at: Instant): Promise<Backfilled> {
    const before = await store.firedRun(row, due_at);
    if (before !== null) return { due_at, outcome: 'existed', run_id: before, reason: null };
    const started = await starter.start(row, schedule, { dueAt: due_at, by: 'backfill', policy });
    if ('runId' in started) {
      const { runId: run_id, existed } = started;
      return { due_at, outcome: existed ? 'existed' : 'fired', run_id, reason: null };
    }
    const { skipped: reason } = started;
    await store.note(row, { due_at, outcome: 'skipped', by: 'backfill', reason });
    return { due_at, outcome: 'skipped', run_id: null, reason };
  }
}
