import type { Instant, Json } from '../json.ts';
import type { ActionControl, ActionLog, Dispatch } from '../ports/action-pool.ts';
import type { Clock } from '../ports/clock.ts';
import type { Deadlines } from '../run/attempt.ts';
import { Timers } from './timers.ts';

/** From a passed deadline to the end of the thread that did not stop. */
const DEADLINE_GRACE_MS = 2_000;

/**
 * One attempt that a worker has in hand. Its pool is handed the same object: fields and no getters, since a literal with
 * a getter has a hidden class of its own, and every read of it is slow.
 */
export class Flight implements ActionControl {
  readonly dispatch: Dispatch;
  readonly timers: Timers;
  readonly abort: AbortSignal;
  readonly traceparent: string | null;
  /** Told to stop, by the engine or a deadline; the thread ends this long after. */
  graceMs = DEADLINE_GRACE_MS;
  startedAt: Instant | null = null;
  tier: 'thread' | 'process' | 'engine' = 'engine';
  isStopping = false;
  /** Its outcome was reported before its end, by a deadline. */
  isReported = false;
  progress: Json | undefined = undefined;
  isBeating = false;
  private readonly aborter = new AbortController();
  private readonly clock: Clock;
  private readonly said: (dispatch: Dispatch, line: ActionLog) => void;

  constructor(options: {
    readonly dispatch: Dispatch;
    readonly traceparent: string | null;
    readonly clock: Clock;
    readonly passed: (flight: Flight, deadline: keyof Deadlines) => void;
    readonly said: (dispatch: Dispatch, line: ActionLog) => void;
  }) {
    ({ dispatch: this.dispatch, traceparent: this.traceparent, clock: this.clock, said: this.said } = options);
    this.abort = this.aborter.signal;
    this.timers = new Timers(options.clock, (deadline) => options.passed(this, deadline));
  }

  stop(): void {
    this.aborter.abort();
  }

  readonly started = (tier: 'thread' | 'process'): void => {
    const { startToCloseMs, heartbeatMs } = this.dispatch.deadlines;
    this.startedAt = this.clock.now();
    this.tier = tier;
    this.timers.stop('scheduleToStartMs');
    this.timers.start('startToCloseMs', startToCloseMs);
    this.timers.start('heartbeatMs', heartbeatMs);
  };

  readonly heartbeat = (progress: Json): void => {
    this.progress = progress;
    this.timers.start('heartbeatMs', this.dispatch.deadlines.heartbeatMs);
  };

  readonly log = (line: ActionLog): void => this.said(this.dispatch, line);
}
