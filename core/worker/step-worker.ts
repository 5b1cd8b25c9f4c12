/** Attempt in, outcome out: runs what was dispatched, keeps its deadlines, and never touches a run. */
import { attempted } from '../coordinator/failures.ts';
import type { OutcomeArrival } from '../coordinator/sessions.ts';
import type { AttemptId, Instant, Json, RunId } from '../json.ts';
import type { ActionControl, ActionLog, ActionPool, Dispatch } from '../ports/action-pool.ts';
import type { Clock } from '../ports/clock.ts';
import type { AttemptOutcome, Deadlines } from '../run/attempt.ts';
import { RULE_ACTION } from '../steps/rule.step.ts';
import { decideRules } from './rule.action.ts';

/** From a passed deadline to the end of the thread that did not stop. */
const DEADLINE_GRACE_MS = 2_000;
/** How long it takes until a task that waits for its connector is tried again. */
const HELD_BACK_MS = 2_000;

export interface StepWorkerPorts {
  readonly pool: ActionPool;
  readonly clock: Clock;
  readonly deliver: (runId: RunId, outcome: OutcomeArrival) => void;
  readonly log: (dispatch: Dispatch, line: ActionLog) => void;
}

/** What a long attempt has shown since it was last asked. */
export interface Progress {
  readonly runId: RunId;
  readonly id: AttemptId;
  readonly startedAt: Instant;
  readonly heartbeat: Json | undefined;
}

/** One attempt that this worker has in hand. */
export interface Flight {
  readonly dispatch: Dispatch;
  readonly abort: AbortController;
  startedAt: Instant | null;
  tier: 'thread' | 'process' | 'engine';
  /** Told to stop, by the engine or a deadline; the thread ends this long after. */
  graceMs: number;
  isStopping: boolean;
  /** Its outcome was reported before its end, by a deadline. */
  isReported: boolean;
  heartbeat: Json | undefined;
  isBeating: boolean;
}

export class StepWorker {
  private readonly ports: StepWorkerPorts;
  private readonly flights = new Map<AttemptId, Flight>();
  private isDraining = false;

  constructor(ports: StepWorkerPorts) {
    this.ports = ports;
  }

  take(dispatches: readonly Dispatch[]): void {
    for (const dispatch of dispatches) {
      const flight: Flight = {
        dispatch,
        abort: new AbortController(),
        startedAt: null,
        tier: 'engine',
        graceMs: DEADLINE_GRACE_MS,
        isStopping: false,
        isReported: false,
        heartbeat: undefined,
        isBeating: false,
      };
      this.flights.set(dispatch.attempt.id, flight);
      if (this.isDraining) this.end(flight, GIVEN_BACK);
      else if (dispatch.connector === null) setImmediate(() => this.runOwn(flight));
      else this.runInPool(flight);
    }
  }

  flightOf(id: AttemptId): Flight | undefined {
    return this.flights.get(id);
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
      flight.abort.abort();
    }
  }

  /** Attempts that have run for at least `afterMs`, and their heartbeats, since the last call. */
  progress(afterMs: number): readonly Progress[] {
    const before = Date.parse(this.ports.clock.now()) - afterMs;
    const beats: Progress[] = [];
    for (const [id, flight] of this.flights) {
      const { startedAt, heartbeat, dispatch } = flight;
      if (startedAt === null || flight.isReported || Date.parse(startedAt) > before) continue;
      if (flight.isBeating && heartbeat === undefined) continue;
      beats.push({ runId: dispatch.runId, id, startedAt, heartbeat });
      flight.isBeating = true;
      flight.heartbeat = undefined;
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
    for (const flight of this.flights.values()) if (flight.startedAt === null) flight.abort.abort();
    const until = Date.parse(clock.now()) + mostMs;
    while (this.flights.size > 0 && Date.parse(clock.now()) < until) await clock.sleep(20);
    for (const flight of this.flights.values()) {
      flight.isReported = true;
      flight.graceMs = 0;
      flight.abort.abort();
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
    const { clock } = this.ports;
    const { deadlines } = flight.dispatch;
    const timers = new Timers(clock, (deadline) => this.passed(flight, deadline));
    timers.start('scheduleToStartMs', deadlines);
    timers.start('scheduleToCloseMs', deadlines);
    const control: ActionControl = {
      abort: flight.abort.signal,
      get graceMs() {
        return flight.graceMs;
      },
      started: (tier) => {
        flight.startedAt = clock.now();
        flight.tier = tier;
        timers.stop('scheduleToStartMs');
        timers.start('startToCloseMs', deadlines);
        timers.start('heartbeatMs', deadlines);
      },
      heartbeat: (progress) => {
        flight.heartbeat = progress;
        timers.start('heartbeatMs', deadlines);
      },
      log: (line) => this.ports.log(flight.dispatch, line),
    };
    void this.whenAvailable(flight, control).then((outcome) => {
      timers.stopAll();
      this.end(flight, outcome);
    });
  }

  /** Its deadlines count while it waits for its connector, too. */
  private async whenAvailable({ dispatch, abort }: Flight, control: ActionControl): Promise<AttemptOutcome> {
    const { pool, clock } = this.ports;
    const { connector } = dispatch;
    while (connector !== null && !pool.available(connector).ok) {
      await clock.sleep(HELD_BACK_MS, abort.signal);
      if (abort.signal.aborted) return { status: 'stopped' };
    }
    return pool.run(dispatch, control);
  }

  /** A deadline does not wait for the action to agree: its outcome is reported, then it is told to stop. */
  private passed(flight: Flight, deadline: keyof Deadlines): void {
    if (flight.isReported || flight.isStopping) return;
    this.report(flight, { status: 'timed_out', deadline, ...untouched(flight) });
    flight.isReported = true;
    flight.isStopping = true;
    flight.abort.abort();
  }

  private end(flight: Flight, outcome: AttemptOutcome): void {
    this.flights.delete(flight.dispatch.attempt.id);
    const isGivenBack = this.isDraining && flight.startedAt === null && !flight.isStopping;
    if (isGivenBack) this.report(flight, GIVEN_BACK);
    else if (flight.isReported && outcome.status !== 'completed') return;
    else this.report(flight, outcome.status === 'stopped' ? { ...outcome, ...untouched(flight) } : outcome);
  }

  private report({ dispatch, startedAt, tier }: Flight, outcome: AttemptOutcome): void {
    const now = this.ports.clock.now();
    this.ports.deliver(dispatch.runId, {
      kind: 'outcome',
      at: { ref: dispatch.ref, branch: dispatch.branch },
      attempt: dispatch.attempt,
      outcome,
      report: { startedAt, endedAt: now, tier },
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

/** The deadlines of one attempt; starting one again pushes it back. */
class Timers {
  private readonly running = new Map<keyof Deadlines, () => void>();
  private readonly clock: Clock;
  private readonly passed: (deadline: keyof Deadlines) => void;

  constructor(clock: Clock, passed: (deadline: keyof Deadlines) => void) {
    this.clock = clock;
    this.passed = passed;
  }

  start(deadline: keyof Deadlines, { [deadline]: ms }: Partial<Deadlines>): void {
    this.stop(deadline);
    if (ms !== undefined)
      this.running.set(
        deadline,
        this.clock.after(ms, () => this.passed(deadline)),
      );
  }

  stop(deadline: keyof Deadlines): void {
    this.running.get(deadline)?.();
    this.running.delete(deadline);
  }

  stopAll(): void {
    for (const stop of this.running.values()) stop();
    this.running.clear();
  }
}
