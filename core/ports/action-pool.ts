import type { Json, JsonObject, RunId, TenantId } from '../json.ts';
import type { AttemptKey, AttemptOutcome, Deadlines, Task } from '../run/attempt.ts';

/** The exact connector package that a published version runs on. */
export interface ConnectorPin {
  /** The connector's id, as actions name it: `http`, `acme.crm`. */
  readonly id: string;
  readonly package: string;
  readonly version: string;
  readonly integrity: string | null;
}

/** One attempt as a worker receives it. */
export interface Dispatch {
  readonly runId: RunId;
  readonly tenantId: TenantId;
  readonly ref: string;
  readonly branch: readonly number[];
  readonly attempt: AttemptKey;
  readonly task: Task;
  readonly deadlines: Deadlines;
  /** `null`: an action of the engine's own. */
  readonly connector: ConnectorPin | null;
  /** The run's. */
  readonly traceparent: string | null;
}

/** A step's own log line, on its way out of a pool. */
export interface ActionLog {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly details?: Json;
}

export interface ActionControl {
  /** Aborted by a deadline, a cancel or a drain; the pool passes it on and ends the thread `graceMs` later. */
  readonly abort: AbortSignal;
  readonly graceMs: number;
  /** What the action's own calls are children of. */
  readonly traceparent: string | null;
  /** Called once the action's own code is about to run: `startToCloseMs` counts from here. */
  started(tier: 'thread' | 'process'): void;
  heartbeat(progress: Json): void;
  log(line: ActionLog): void;
}

export type PoolState = {
  readonly package: string;
  readonly version: string;
  readonly threads: number;
  readonly running: number;
  readonly queued: number;
};

/**
 * Runs an action where it cannot hurt us. `run` never rejects: whatever happens is an outcome.
 * After `abort` it answers when the action has really ended: with what came of it, or `stopped`.
 */
export interface ActionPool {
  run(dispatch: Dispatch, control: ActionControl): Promise<AttemptOutcome>;
  /** Whether a pool for this pin can be made here, and if not, why. */
  available(
    pin: ConnectorPin,
  ): { ok: true } | { ok: false; reason: 'connector_missing' | 'connector_revoked'; details: JsonObject };
  state(): readonly PoolState[];
  /** Ends all threads once nothing runs in them. */
  close(): Promise<void>;
}
