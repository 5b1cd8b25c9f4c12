import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ActionControl, AttemptOutcome, TenantId } from '@ductor/core';
import type { Piscina } from 'piscina';
import type { Death } from './death.ts';
import { permissionFlags } from './grants.ts';
import { Job } from './job.ts';
import type { PoolLimits } from './limits.ts';
import type { ConnectorManifest } from './manifest.ts';
import { PoolThread } from './pool-thread.ts';
import type { Call, ThreadStart } from './protocol.ts';
import { Quarantine } from './quarantine.ts';
import { openWorkers } from './workers.ts';

/** The part of a pino logger that a pool uses. */
export interface PoolLog {
  warn(details: object, message: string): void;
}

export interface ThreadPoolOptions {
  readonly dir: string;
  readonly manifest: ConnectorManifest;
  readonly limits: PoolLimits;
  readonly privateNetworks: readonly string[];
  readonly log: PoolLog;
  /** There has been no thread for a while: the pool may be closed. */
  readonly onIdle: () => void;
}

export interface PoolRequest {
  readonly tenantId: TenantId;
  readonly call: Call;
  readonly control: ActionControl;
}

const MAX_SEQ = 2 ** 31 - 1;

/**
 * The threads of one connector package version: a Piscina pool in which each thread runs one task for life, our shim,
 * and attempts are handed to it over a port. First come, first served.
 */
export class ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #piscina: Piscina;
  readonly #tmp: string | null;
  readonly #concurrency: number;
  readonly #maxThreads: number;
  readonly #threads = new Set<PoolThread>();
  readonly #quarantine = new Quarantine();
  readonly #idleTimers = new Map<PoolThread, NodeJS.Timeout>();
  readonly #holders = new Map<Job, PoolThread>();
  #queue = new Set<Job>();
  #seq = 0;
  #closing: Promise<void> | null = null;
  #drained: (() => void) | null = null;

  constructor(options: ThreadPoolOptions) {
    const { manifest, limits, log } = options;
    const { resources, permissions } = manifest;
    const dir = realpathSync(options.dir);
    this.#options = options;
    this.#concurrency = Math.min(resources.concurrency, limits.concurrency);
    this.#maxThreads = Math.min(resources.threads ?? limits.threads, limits.threads);
    this.#tmp = permissions.fs === 'tmp' ? realpathSync(mkdtempSync(join(tmpdir(), 'ductor-'))) : null;
    this.#piscina = openWorkers({
      execArgv: permissionFlags({ dir, permissions, tmp: this.#tmp }),
      tmp: this.#tmp,
      maxOldGenerationMb: Math.min(
        resources.maxOldGenerationMb ?? limits.maxOldGenerationMb,
        limits.maxOldGenerationMb,
      ),
      // Threads that retire while a neighbour ends do not count: their work must not starve ours.
      maxThreads: this.#maxThreads * 2,
    });
    this.#piscina.on('error', (error: unknown) => log.warn({ error, connector: manifest.id }, 'pool thread error'));
  }

  run({ tenantId, call, control }: PoolRequest): Promise<AttemptOutcome> {
    if (control.abort.aborted) return Promise.resolve({ status: 'stopped' });
    if (this.#closing !== null) return Promise.resolve({ status: 'lost' });
    this.#seq = (this.#seq % MAX_SEQ) + 1;
    const onAbort = (): void => this.#abort(job);
    const job: Job = new Job({
      seq: this.#seq,
      tenantId,
      action: call.action,
      call: JSON.stringify(call),
      control,
      ended: () => {
        control.abort.removeEventListener('abort', onAbort);
        this.#holders.delete(job);
        this.#checkDrained();
      },
    });
    control.abort.addEventListener('abort', onAbort, { once: true });
    this.#queue.add(job);
    this.#pump();
    return job.outcome;
  }

  state(): { readonly threads: number; readonly running: number; readonly queued: number } {
    return { threads: this.#piscina.threads.length, running: this.#holders.size, queued: this.#queue.size };
  }

  /** Waits until nothing is queued or running, then ends all threads. */
  close(): Promise<void> {
    this.#closing ??= this.#drain();
    return this.#closing;
  }

  async #drain(): Promise<void> {
    const drained = new Promise<void>((resolve) => {
      this.#drained = resolve;
    });
    this.#checkDrained();
    await drained;
    for (const thread of this.#threads) thread.kill(null);
    await this.#piscina.destroy();
    if (this.#tmp !== null) rmSync(this.#tmp, { recursive: true, force: true });
  }

  #checkDrained(): void {
    if (this.#queue.size === 0 && this.#holders.size === 0) this.#drained?.();
  }

  #pump(): void {
    for (const job of this.#queue) {
      const alone = this.#quarantine.holds(job.action);
      const thread = this.#placeFor(job, alone);
      // The first in the queue waits for its place, and those behind it too: so it comes.
      if (thread === null) {
        this.#makePlace(job);
        return;
      }
      this.#queue.delete(job);
      this.#holders.set(job, thread);
      this.#stopIdle(thread);
      thread.exclusive = alone;
      thread.offer(job);
    }
  }

  /** The thread with the least to do that may take the job. */
  #placeFor(job: Job, alone: boolean): PoolThread | null {
    let best: PoolThread | null = null;
    for (const thread of this.#threads) {
      if (!thread.hasRoom || (alone && thread.jobs.size > 0)) continue;
      if (thread.boundTo !== null && thread.boundTo !== job.tenantId) continue;
      if (best === null || thread.jobs.size < best.jobs.size) best = thread;
    }
    return best;
  }

  #makePlace(job: Job): void {
    const serving = [...this.#threads].filter(({ phase }) => phase === 'loading' || phase === 'ready');
    const loading = serving.filter(({ phase }) => phase === 'loading').length;
    if (loading * this.#concurrency >= this.#queue.size) return;
    if (serving.length < this.#maxThreads) {
      if (this.#threads.size < this.#maxThreads * 2) this.#open();
      return;
    }
    // A clean thread for another tenant's attempt.
    serving
      .find((thread) => thread.boundTo !== null && thread.boundTo !== job.tenantId && thread.jobs.size === 0)
      ?.retire();
  }

  #open(): void {
    const { manifest, privateNetworks, limits } = this.#options;
    const thread = new PoolThread({
      concurrency: this.#concurrency,
      start: {
        entry: pathToFileURL(join(realpathSync(this.#options.dir), manifest.entry)).href,
        hosts: manifest.permissions.network.hosts,
        privateNetworks,
        maxOutputBytes: limits.maxOutputBytes,
      },
      launch: (start: ThreadStart, signal) => this.#piscina.run(start, { signal, transferList: [start.port] }),
      events: {
        changed: (changed) => this.#changed(changed),
        returned: (jobs) => this.#takeBack(jobs),
        died: (dead, death) => this.#died(dead, death),
      },
    });
    this.#threads.add(thread);
    setTimeout(() => {
      if (thread.phase === 'loading') thread.giveUpLoading(limits.loadMs);
    }, limits.loadMs).unref();
  }

  #changed(thread: PoolThread): void {
    this.#stopIdle(thread);
    this.#pump();
    if (thread.jobs.size > 0 || thread.phase !== 'ready') return;
    const timer = setTimeout(() => thread.retire(), this.#options.limits.idleMs).unref();
    this.#idleTimers.set(thread, timer);
  }

  #stopIdle(thread: PoolThread): void {
    clearTimeout(this.#idleTimers.get(thread));
    this.#idleTimers.delete(thread);
  }

  #takeBack(jobs: readonly Job[]): void {
    for (const job of jobs) this.#holders.delete(job);
    this.#queue = new Set([...jobs, ...this.#queue]);
    this.#pump();
  }

  #abort(job: Job): void {
    const thread = this.#holders.get(job);
    if (thread === undefined || thread.takeBack(job)) {
      this.#queue.delete(job);
      job.settle({ status: 'stopped' });
      this.#pump();
      return;
    }
    thread.abort(job);
    const grace = setTimeout(() => this.#giveUpOn(job, thread), job.control.graceMs);
    void job.outcome.then(() => clearTimeout(grace));
  }

  /** The grace period is over. A thread whose event loop turns is spared while its neighbours need it. */
  #giveUpOn(job: Job, thread: PoolThread): void {
    this.#quarantine.add(job.action);
    if (job.heard && thread.jobs.size > 1) {
      thread.abandon(job);
      job.settle({ status: 'stopped' });
      this.#pump();
    } else {
      thread.kill(job);
    }
  }

  #died(thread: PoolThread, { began, culprit, failure, loadFailure }: Death): void {
    this.#threads.delete(thread);
    this.#stopIdle(thread);
    // Nobody can tell which of several ended the thread: none pays with an attempt, and each runs alone next time.
    const blamed = culprit ?? (began.length === 1 ? began[0] : undefined);
    for (const job of began) {
      if (job !== blamed) this.#quarantine.add(job.action);
      job.settle(job === blamed ? { status: 'failed', error: failure } : { status: 'lost' });
    }
    if (loadFailure !== null) {
      this.#options.log.warn({ connector: this.#options.manifest.id, failure: loadFailure }, 'connector does not load');
      if (![...this.#threads].some(({ phase }) => phase === 'ready')) this.#failQueued(loadFailure);
    }
    this.#pump();
    if (this.#threads.size > 0) return;
    setTimeout(() => {
      if (this.#threads.size === 0 && this.#closing === null) this.#options.onIdle();
    }, this.#options.limits.idleMs).unref();
  }

  #failQueued(error: Death['failure']): void {
    for (const job of this.#queue) {
      this.#queue.delete(job);
      job.settle({ status: 'failed', error });
    }
  }
}
