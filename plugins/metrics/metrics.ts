import { type CommittedBatch, type Gauges, isFinal, type Observer, type TickPayload } from '@ductor/core';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { actionOf } from './action-of.ts';

const COMMIT_TICKS = [1, 2, 4, 8, 16, 32, 64, 128];
const COMMIT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const ATTEMPT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** What one host counts. No label has more values than there are connectors, actions or routes. */
export class Metrics {
  private readonly registry = new Registry();
  private readonly registers = [this.registry];
  private readonly ticks = this.counter('ductor_ticks_total', 'Ticks committed');
  private readonly conflicts = this.counter('ductor_tick_conflicts_total', 'Ticks computed again: their run had moved');
  private readonly commits = this.counter('ductor_commits_total', 'Statements that committed ticks');
  private readonly batches = this.histogram('ductor_commit_ticks', 'Ticks in one statement', COMMIT_TICKS);
  private readonly commitTime = this.histogram(
    'ductor_commit_duration_seconds',
    'How long the store took for one statement',
    COMMIT_SECONDS,
  );
  private readonly started = this.counter('ductor_runs_started_total', 'Runs started');
  private readonly ended = this.counter('ductor_runs_ended_total', 'Runs ended, by how', 'status');
  private readonly attempts = this.counter(
    'ductor_attempts_total',
    'Attempts of which this host learnt the outcome',
    'connector',
    'action',
    'outcome',
  );
  private readonly lost = this.counter('ductor_attempts_lost_total', 'Attempts whose host was gone');
  private readonly attemptTime = this.histogram(
    'ductor_attempt_duration_seconds',
    'From the start of an action to its outcome',
    ATTEMPT_SECONDS,
    'connector',
    'action',
  );
  private readonly requests = this.counter('ductor_http_requests_total', 'HTTP requests', 'method', 'route', 'status');
  private readonly requestTime = this.histogram(
    'ductor_http_request_duration_seconds',
    'From a request to the end of its answer',
    REQUEST_SECONDS,
    'method',
    'route',
  );

  constructor(gauges: () => Gauges) {
    const { registers } = this;
    new Gauge({
      name: 'ductor_queue_depth',
      help: 'What waits its turn',
      labelNames: ['queue'],
      registers,
      collect() {
        for (const [queue, depth] of Object.entries(gauges().queues)) this.set({ queue }, depth);
      },
    });
    for (const figure of ['threads', 'running', 'queued'] as const) {
      new Gauge({
        name: `ductor_pool_${figure}`,
        help: POOL_HELP[figure],
        labelNames: ['package', 'version'],
        registers,
        collect() {
          // One that had nothing to do is gone.
          this.reset();
          for (const pool of gauges().pools) {
            this.set({ package: pool.package, version: pool.version }, pool[figure]);
          }
        },
      });
    }
    new Gauge({
      name: 'ductor_sweep_lag_seconds',
      help: 'How late what is due is seen to',
      registers,
      collect() {
        this.set(gauges().sweepLagMs / 1000);
      },
    });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }

  readonly observer: Observer = {
    committed: (batch) => this.countBatch(batch),
    attemptEnded: (dispatch, { outcome, report: { startedAt, endedAt } }) => {
      const { connector, action } = actionOf(dispatch);
      this.attempts.inc({ connector, action, outcome: outcome.status });
      if (startedAt === null) return;
      this.attemptTime.observe({ connector, action }, (Date.parse(endedAt) - Date.parse(startedAt)) / 1000);
    },
    requestEnded: ({ method }, { route, status, durationMs }) => {
      const labels = { method, route: route ?? 'none' };
      this.requests.inc({ ...labels, status: status ?? 'aborted' });
      this.requestTime.observe(labels, durationMs / 1000);
    },
  };

  private countBatch({ commits, results, durationMs }: CommittedBatch): void {
    this.commits.inc();
    this.batches.observe(commits.length);
    this.commitTime.observe(durationMs / 1000);
    let conflicts = 0;
    let ticks = 0;
    for (let i = 0; i < commits.length; i++) {
      const commit = commits[i];
      const result = results[i]?.result;
      if (result === 'conflict') conflicts += 1;
      if (result !== 'committed' || commit === undefined) continue;
      const { payload, company } = commit;
      ticks += 1 + company.starts.length;
      this.countTick(payload);
      for (const first of company.starts) this.countTick(first);
    }
    if (ticks > 0) this.ticks.inc(ticks);
    if (conflicts > 0) this.conflicts.inc(conflicts);
  }

  private countTick({ start, after, transition, attempts }: TickPayload): void {
    if (start !== null) this.started.inc();
    const { status } = after;
    // A control on a run that has ended makes a tick, and ends nothing.
    if (isFinal(status) && transition.changes.some(({ type }) => type === 'ended')) this.ended.inc({ status });
    for (const { outcome } of attempts.folded) {
      if (outcome?.status === 'lost' && outcome.neverStarted !== true) this.lost.inc();
    }
  }

  private counter<Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: this.registers });
  }

  private histogram<Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    ...labelNames: Label[]
  ): Histogram<Label> {
    return new Histogram({ name, help, buckets, labelNames, registers: this.registers });
  }
}

const POOL_HELP = {
  threads: 'Threads of a connector package',
  running: 'Attempts in its threads',
  queued: 'Attempts that wait for a thread',
} as const;
