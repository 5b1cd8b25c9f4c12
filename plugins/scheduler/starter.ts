import {
  DuctorError,
  ExpressionError,
  type Instant,
  isObject,
  type Priority,
  type RunId,
  type Trigger,
} from '@ductor/core';
import { startedFor } from './fields.ts';
import { inputOf, type OverlapPolicy, type Schedule } from './spec.ts';
import type { Reason, ScheduleRow, ScheduleStore } from './store.ts';
import type { By } from './tables.ts';

export type Started = { readonly runId: RunId; readonly existed: boolean } | { readonly skipped: Reason };

interface Asked {
  readonly dueAt: Instant;
  readonly by: By;
  readonly policy: OverlapPolicy;
  /** The same one again: the same run, whenever it was due. */
  readonly requestId?: string | undefined;
}

/** Starts the run of an occurrence, once however often and by however many hosts it is asked to. */
export class OccurrenceStarter {
  private readonly trigger: Pick<Trigger, 'start'>;
  private readonly store: ScheduleStore;

  constructor({ trigger, store }: { readonly trigger: Pick<Trigger, 'start'>; readonly store: ScheduleStore }) {
    this.trigger = trigger;
    this.store = store;
  }

  /** What hinders this occurrence alone is a reason to skip it. Rejects if the database is away. */
  async start(row: ScheduleRow, schedule: Schedule, asked: Asked): Promise<Started> {
    const { dueAt, by, policy } = asked;
    const other = policy === 'skip' ? await this.store.openRun(row, dueAt) : null;
    if (other !== null) {
      const message = 'A run of the schedule has not ended.';
      return { skipped: { code: 'run_active', message, run_id: other } };
    }
    const priority: Priority = by === 'backfill' ? 'low' : 'normal';
    try {
      return await this.trigger.start({
        tenantId: row.tenant_id,
        workflow: { slug: row.family_slug, version: 'latest' },
        input: inputOf(schedule, dueAt),
        idempotencyKey: `schedule/${row.id}/${keyOf(asked)}`,
        priority,
        fields: startedFor.set({ id: row.id, due_at: dueAt, by }),
      });
    } catch (error) {
      return came(error);
    }
  }
}

function keyOf({ dueAt, by, requestId }: Asked): string {
  if (requestId !== undefined) return `request/${requestId}`;
  return by === 'manual' ? `manual/${dueAt}` : dueAt;
}

/** A key that is taken stands for a run that is there: of an earlier version, or for another reason. */
function came(error: unknown): Started {
  if (error instanceof ExpressionError) return { skipped: { code: 'expression_error', message: error.message } };
  if (!(error instanceof DuctorError) || error.code === 'unavailable' || error.code === 'internal') throw error;
  const { code, message, details } = error;
  if (code === 'already_exists' && isObject(details) && typeof details.run_id === 'string') {
    return { runId: details.run_id, existed: true };
  }
  return { skipped: { code, message: [message, ...problemsIn(details)].join(' ') } };
}

/** What it was in particular: an input that does not fit says where. */
const problemsIn = (details: unknown): readonly string[] =>
  Array.isArray(details)
    ? details.filter(isObject).map(({ path, message }) => (path ? `${path}: ${message}` : String(message)))
    : [];
