/** The runtime of one host: coordinator, step worker, and the services that find what they missed. */
import {
  type ActionPool,
  type AnyTable,
  Coordinator,
  type CoordinatorPorts,
  type DefinitionStore,
  type Dispatch,
  type Gauges,
  type Registry,
  type RunId,
  RunStarter,
  type RunStore,
  StepWorker,
  SyncMatch,
  type Tell,
  type WakeupQueue,
} from '@ductor/core';
import type pg from 'pg';
import type { BaseLogger } from 'pino';
import type { DisabledWords } from '../boot/contributed.ts';
import type { StartByEvent } from '../events/event-triggers.ts';
import { Events } from '../events/events.ts';
import { postgresRunStore } from '../postgres/run-store.ts';
import { observedStore } from '../telemetry/observed-store.ts';
import type { DatabaseClock } from './database-clock.ts';
import { Deeds } from './deeds.ts';
import { PreparedDefinitions } from './definitions.ts';
import type { HostLease } from './host-lease.ts';
import { randomIds } from './random-ids.ts';
import { Recovery } from './recovery.ts';
import { Sweep } from './sweep.ts';

export interface EngineOptions {
  readonly hot: pg.Pool;
  readonly clock: DatabaseClock;
  readonly registry: Registry;
  readonly tables: readonly AnyTable[];
  readonly disabled: DisabledWords;
  readonly definitions: DefinitionStore;
  readonly pool: ActionPool;
  readonly missingCredentials: CoordinatorPorts['missingCredentials'];
  readonly children: CoordinatorPorts['children'];
  readonly startByEvent: StartByEvent;
  readonly lease: Omit<HostLease, 'offset'>;
  readonly log: BaseLogger;
  readonly tell: Tell;
  /** Memory for the states of runs. */
  readonly cacheBytes: number;
  /** How long a stop waits for attempts in flight. */
  readonly drainMs: number;
}

export interface Engine {
  readonly hostId: string;
  readonly coordinator: Coordinator;
  readonly starter: RunStarter;
  readonly worker: StepWorker;
  readonly store: RunStore;
  readonly definitions: PreparedDefinitions;
  readonly wakeups: WakeupQueue;
  readonly events: Events;
  /** How much waits its turn. */
  queues(): Gauges['queues'];
  sweepLagMs(): number;
  start(): Promise<void>;
  /** Drains: what runs may end, nothing new starts, and no attempt is spent. */
  stop(): Promise<void>;
}

/** What has run for so long is shown as running; shorter attempts have one write, their outcome. */
const SHOWN_AFTER_MS = 1_000;

export function createEngine(options: EngineOptions): Engine {
  const { hot, clock, registry, tables, log, tell } = options;
  const failed = (what: string, error: unknown, runId?: RunId) =>
    log.error({ err: error, ...(runId !== undefined && { run_id: runId }) }, `${what} failed`);
  const lease: HostLease = { ...options.lease, offset: clock.offset };
  const rows = postgresRunStore({ hot, hostId: lease.hostId, tables, offset: clock.offset, told: clock.told });
  const store = observedStore(rows, tell);
  const definitions = new PreparedDefinitions(options.definitions, registry, options.disabled);
  const tasks = new SyncMatch<Dispatch>();
  const wakeups = new SyncMatch<RunId>();
  const wake = (runIds: readonly string[]) => wakeups.push(runIds);
  const deeds = new Deeds({ tables, hot, clock, failed });
  const events = new Events({ hot, clock, ids: randomIds, wake, start: options.startByEvent, log });
  const sweep = new Sweep({ store, clock, wake, failed });
  const recovery = new Recovery({ hot, lease, clock, wake, failed });
  const worker: StepWorker = new StepWorker({
    pool: options.pool,
    clock,
    deliver: (runId, outcome) => coordinator.deliver(runId, outcome),
    log: ({ runId, ref, attempt }, { level, message, details }) =>
      log[level]({ run_id: runId, step_ref: ref, attempt_id: attempt.id, details }, message),
    tell,
  });
  const ports: CoordinatorPorts = {
    registry,
    store,
    prepare: definitions.prepare,
    missingCredentials: options.missingCredentials,
    children: options.children,
    tasks,
    abort: (attempts, graceMs) => worker.stop(attempts, graceMs),
    committed(payload, header) {
      tell('ticked', payload, header);
      for (const { dueAt } of [...payload.waits.opened, ...payload.waits.moved])
        if (dueAt !== null) sweep.announce(payload.runId, dueAt);
      if (payload.outbox.length > 0) wake(payload.outbox.map(({ chainId }) => chainId));
      deeds.follow(payload);
      events.follow(payload);
    },
    clock,
    ids: randomIds,
    failed,
    cacheBytes: options.cacheBytes,
  };
  const coordinator: Coordinator = new Coordinator(ports);
  const starter = new RunStarter(ports, coordinator);
  const stopping = new AbortController();
  let services: Promise<unknown> = Promise.resolve();

  async function showProgress(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await clock.sleep(SHOWN_AFTER_MS, signal);
      const beats = worker.progress(SHOWN_AFTER_MS);
      if (beats.length > 0) await store.progress(beats).catch((error: unknown) => failed('showing progress', error));
    }
  }

  return {
    hostId: lease.hostId,
    coordinator,
    starter,
    worker,
    store,
    definitions,
    wakeups,
    events,
    queues: () => ({ ...coordinator.waiting, attempts: worker.size }),
    sweepLagMs: () => sweep.lagMs,
    async start() {
      tasks.listen((dispatches) => worker.take(dispatches));
      wakeups.listen((runIds) => coordinator.wake(runIds));
      await recovery.begin();
      const { signal } = stopping;
      services = Promise.all(
        [sweep, recovery, deeds, events].map((service) => service.run(signal)).concat(showProgress(signal)),
      );
    },
    async stop() {
      await coordinator.stop();
      await worker.drain(options.drainMs);
      await coordinator.flush();
      stopping.abort();
      await services;
      await recovery.end().catch((error: unknown) => failed('ending the lease', error));
    },
  };
}
