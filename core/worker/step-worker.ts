/** Attempt in, outcome out: runs what was dispatched, keeps its deadlines, and never touches a run. */
import { attempted } from '../coordinator/failures.ts';
import type { OutcomeArrival } from '../coordinator/sessions.ts';
import type { AttemptId, Instant, Json, RunId } from '../json.ts';
import type { ActionLog, ActionPool, Dispatch } from '../ports/action-pool.ts';
import type { Clock } from '../ports/clock.ts';
import type { Tell } from '../ports/observer.ts';
import type { AttemptOutcome, Deadlines } from '../run/attempt.ts';
import { RULE_ACTION } from '../steps/rule.step.ts';
import { Flight } from './flight.ts';
import { decideRules } from './rule.action.ts';

/** How long it takes until a task that waits for its connector is tried again. */
const HELD_BACK_MS = 2_000;

export interface StepWorkerPorts {
  readonly pool: ActionPool;
  readonly clock: Clock;
  readonly deliver: (runId: RunId, outcome: OutcomeArrival) => void;
  readonly log: (dispatch: Dispatch, line: ActionLog) => void;
  readonly tell: Tell;
}

/** What a long attempt has shown since it was last asked. */
export interface Progress {
  readonly runId: RunId;
  readonly id: AttemptId;
  readonly startedAt: Instant;
  readonly heartbeat: Json | undefined;
}

export class StepWorker {
  private readonly ports: StepWorkerPorts;
  private readonly flights = new Map<AttemptId, Flight>();
  private isDraining = false;

  constructor(ports: StepWorkerPorts) {
    this.ports = ports;
  }

  take(dispatches: readonly Dispatch[]): void {
    const { clock, log, tell } = this.ports;
    for (const dispatch of dispatches) {
      const traceparent = tell('attemptBegan', dispatch) ?? dispatch.traceparent;
      const flight = new Flight({ dispatch, traceparent, clock, passed: this.passed, said: log });
      this.flights.set(dispatch.attempt.id, flight);
      if (this.isDraining) this.end(flight, GIVEN_BACK);
      else if (dispatch.connector === null) setImmediate(() => this.runOwn(flight));
      else this.runInPool(flight);
    }
  }

  get size(): number {
    return this.flights.size;
  }

  /** Tells attempts to stop; what comes of them is reported as usual. */
  stop(ids: readonly AttemptId[], graceMs: number): void {
    for (const id of ids) {
      const flight = this.flights.get(id);
      if (!flight || flight.isStopping) continue;
      flight.isStopping = true;
      flight.graceMs = graceMs;
      flight.stop();
    }
  }

  /** Attempts that have run for at least `afterMs`, and their heartbeats, since the last call. */
  progress(afterMs: number): readonly Progress[] {
    const before = Date.parse(this.ports.clock.now()) - afterMs;
    const beats: Progress[] = [];
    for (const [id, flight] of this.flights) {
      const { startedAt, progress, dispatch } = flight;
      if (startedAt === null || flight.isReported || Date.parse(startedAt) > before) continue;
      if (flight.isBeating && progress === undefined) continue;
      beats.push({ runId: dispatch.runId, id, startedAt, heartbeat: progress });
      flight.isBeating = true;
      flight.progress = undefined;
    }
    return beats;
  }

  /**
   * Takes nothing new, gives back what has not started, and answers when what runs has ended, or after `mostMs`: what
   * runs then is left without a word, and is lost when this host's lease ends. Spends no attempt.
   */
  async drain(mostMs: number): Promise<void> {
    this.isDraining = true;
    const { clock } = this.ports;
    for (const flight of this.flights.values()) if (flight.startedAt === null) flight.stop();
    const until = Date.parse(clock.now()) + mostMs;
    while (this.flights.size > 0 && Date.parse(clock.now()) < until) await clock.sleep(20);
    for (const flight of this.flights.values()) {
      flight.isReported = true;
      flight.graceMs = 0;
      flight.stop();
    }
    this.flights.clear();
  }

  private runOwn(flight: Flight): void {
    const { task } = flight.dispatch;
    flight.startedAt = this.ports.clock.now();
    if (task.action !== RULE_ACTION) {
      this.end(flight, failedForGood('unknown_action', `This host has no action ${task.action}.`));
      return;
    }
    const decided = attempted(() => decideRules(task.args));
    this.end(
      flight,
      decided.ok
        ? { status: 'completed', output: decided.value }
        : { status: 'failed', error: { ...decided.error, retryable: false } },
    );
  }

  private runInPool(flight: Flight): void {
    const { dispatch, timers } = flight;
    timers.start('scheduleToStartMs', dispatch.deadlines.scheduleToStartMs);
    timers.start('scheduleToCloseMs', dispatch.deadlines.scheduleToCloseMs);
    const running = this.isAvailable(dispatch) ? this.ports.pool.run(dispatch, flight) : this.whenAvailable(flight);
    void running.then((outcome) => {
      timers.stopAll();
      this.end(flight, outcome);
    });
  }

  private isAvailable({ connector }: Dispatch): boolean {
    return connector === null || this.ports.pool.available(connector).ok;
  }

  /** Its deadlines count while it waits for its connector, too. */
  private async whenAvailable(flight: Flight): Promise<AttemptOutcome> {
    const { dispatch, abort } = flight;
    while (!this.isAvailable(dispatch)) {
      await this.ports.clock.sleep(HELD_BACK_MS, abort);
      if (abort.aborted) return { status: 'stopped' };
    }
    return this.ports.pool.run(dispatch, flight);
  }

  /** A deadline does not wait for the action to agree: its outcome is reported, then it is told to stop. */
  private readonly passed = (flight: Flight, deadline: keyof Deadlines): void => {
    if (flight.isReported || flight.isStopping) return;
    this.report(flight, { status: 'timed_out', deadline, ...untouched(flight) });
    flight.isReported = true;
    flight.isStopping = true;
    flight.stop();
  };

  private end(flight: Flight, outcome: AttemptOutcome): void {
    this.flights.delete(flight.dispatch.attempt.id);
    const isGivenBack = this.isDraining && flight.startedAt === null && !flight.isStopping;
    if (isGivenBack) this.report(flight, GIVEN_BACK);
    else if (flight.isReported && outcome.status !== 'completed') return;
    else this.report(flight, outcome.status === 'stopped' ? { ...outcome, ...untouched(flight) } : outcome);
  }

  private report({ dispatch, startedAt, tier, isReported }: Flight, outcome: AttemptOutcome): void {
    const report = { startedAt, endedAt: this.ports.clock.now(), tier };
    if (!isReported) this.ports.tell('attemptEnded', dispatch, { outcome, report });
    this.ports.deliver(dispatch.runId, {
      kind: 'outcome',
      at: { ref: dispatch.ref, branch: dispatch.branch },
      attempt: dispatch.attempt,
      outcome,
      report,
      recorded: false,
    });
  }
}

const GIVEN_BACK: AttemptOutcome = { status: 'lost', neverStarted: true };

/** What has not started cannot have done anything. */
const untouched = ({ startedAt }: Flight): { readonly neverStarted?: true } =>
  startedAt === null ? { neverStarted: true } : {};

const failedForGood = (code: string, message: string): AttemptOutcome => ({
  status: 'failed',
  error: { code, message, party: 'engine', retryable: false },
});
