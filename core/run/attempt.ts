import type { AttemptFailure } from '../errors.ts';
import type { AttemptId, Instant, Json } from '../json.ts';

/** All in milliseconds; what starts each clock stands in its name. */
export interface Deadlines {
  readonly scheduleToStartMs?: number;
  readonly startToCloseMs: number;
  readonly heartbeatMs?: number;
  readonly scheduleToCloseMs?: number;
}

export interface RetryPolicy {
  readonly maxAttempts: number;
  readonly initialIntervalMs: number;
  readonly backoffCoefficient: number;
  readonly maxIntervalMs: number;
  readonly jitter: number;
  readonly nonRetryable: readonly string[];
}

/** One piece of work, as a step type asks for it. Retries, deadlines and loss are the engine's. */
export interface Task {
  /** `connector.id.action`: the last dot ends the connector's id. */
  readonly action: string;
  readonly args: Json;
  readonly credential?: string;
  /** The same over all retries of one execution; handed to the connector. */
  readonly idempotencyKey: string;
  readonly retry?: Partial<RetryPolicy>;
  readonly deadlines?: Partial<Deadlines>;
  /** After an unknown outcome: by default retried if the action is safe to repeat, else an operator decides. */
  readonly onUnknown?: 'retry' | 'park';
}

/** What a result must show to be applied; anything else is superseded. */
export interface AttemptKey {
  readonly id: AttemptId;
  readonly token: string;
  readonly number: number;
}

/** What came of one attempt. Workers append; the engine judges what was lost. */
export type AttemptOutcome =
  | { readonly status: 'completed'; readonly output: Json }
  | { readonly status: 'failed'; readonly error: AttemptFailure }
  /** `neverStarted`: its worker had not begun, so that nothing can have happened. */
  | { readonly status: 'timed_out'; readonly deadline: keyof Deadlines; readonly neverStarted?: true }
  | { readonly status: 'stopped' | 'lost'; readonly neverStarted?: true };

export type AttemptStatus = 'scheduled' | 'running' | AttemptOutcome['status'];

/** A row of eec_workflow_step_attempt as the commit inserts it. */
export interface NewAttempt extends AttemptKey {
  readonly ref: string;
  readonly branch: readonly number[];
  readonly generation: number;
  readonly task: Task;
  readonly deadlines: Deadlines;
  readonly scheduledAt: Instant;
}
