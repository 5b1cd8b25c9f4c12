import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { AttemptFailure, Json, TenantId } from '@ductor/core';
import { type Death, deathFailure, loadFailure } from './death.ts';
import type { Job } from './job.ts';
import { type FromThread, offer, revoke, type ThreadFailure, type ThreadStart, type ToThread } from './protocol.ts';

export interface ThreadEvents {
  /** There is room, or the thread's state has changed: look at the queue. */
  changed(thread: PoolThread): void;
  /** Offers that the thread did not begin: someone else's now. */
  returned(jobs: readonly Job[]): void;
  /** The thread is gone with these attempts begun. `culprit`: the one it was killed for. */
  died(thread: PoolThread, death: Death): void;
}

export interface ThreadOptions {
  readonly start: Omit<ThreadStart, 'port' | 'claims'>;
  readonly concurrency: number;
  /** Runs the thread's one long task; rejects when the thread ends. Aborting `signal` kills the thread. */
  readonly launch: (start: ThreadStart, signal: AbortSignal) => Promise<unknown>;
  readonly events: ThreadEvents;
}

/** A thread that has not begun an offer for this long is blocked. */
const STALL_MS = 150;
const NO_PROGRESS: Json = null;

/** One thread of a pool, seen from the host: offers attempts to it, hears from it, and knows what died with it. */
export class PoolThread {
  readonly jobs = new Map<number, Job>();
  phase: 'loading' | 'ready' | 'retiring' | 'ended' = 'loading';
  /** It was given offers and did not begin them; ends with its next word. */
  stalled = false;
  /** Reserved for the one attempt it runs. */
  exclusive = false;
  /** An attempt of this tenant left it dirty: no other tenant's attempt enters. */
  boundTo: TenantId | null = null;

  readonly #events: ThreadEvents;
  readonly #port: MessagePort;
  readonly #kill = new AbortController();
  readonly #claims: Int32Array;
  readonly #freeSlots: number[];
  readonly #offered = new Set<Job>();
  #outbox: ToThread[] = [];
  #stallTimer: NodeJS.Timeout | null = null;
  #culprit: Job | null = null;
  #loadError: string | null = null;
  #killed = false;

  constructor({ start, concurrency, launch, events }: ThreadOptions) {
    this.#events = events;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#claims = new Int32Array(new SharedArrayBuffer(concurrency * Int32Array.BYTES_PER_ELEMENT));
    this.#freeSlots = Array.from({ length: concurrency }, (_, slot) => slot);
    port1.on('message', (batch: unknown) => this.#receive(batch));
    launch({ ...start, port: port2, claims: this.#claims }, this.#kill.signal).then(
      () => this.#died(null),
      (error: unknown) => this.#died(error),
    );
  }

  get hasRoom(): boolean {
    return this.phase === 'ready' && !this.stalled && !this.exclusive && this.#freeSlots.length > 0;
  }

  offer(job: Job): void {
    job.slot = this.#freeSlots.pop() ?? -1;
    job.offeredAt = performance.now();
    this.jobs.set(job.seq, job);
    this.#offered.add(job);
    offer(this.#claims, job.slot, job.seq);
    this.#send({ kind: 'run', seq: job.seq, slot: job.slot, call: job.call });
    this.#watchForStall();
  }

  /** Takes an offer back, unless the thread has begun it. */
  takeBack(job: Job): boolean {
    if (job.started || !revoke(this.#claims, job.slot, job.seq)) return false;
    this.#release(job);
    return true;
  }

  abort(job: Job): void {
    this.#send({ kind: 'abort', seq: job.seq });
  }

  /** Stops waiting for an attempt that does not end; its code may still be there, so the thread takes no more. */
  abandon(job: Job): void {
    this.#release(job);
    this.retire();
  }

  /** Takes no more; ends when what it has has ended. */
  retire(): void {
    if (this.phase === 'ready') this.phase = 'retiring';
    if (this.phase === 'retiring' && this.jobs.size === 0) this.kill(null);
  }

  kill(culprit: Job | null): void {
    this.#culprit = culprit;
    this.#killed = true;
    this.#kill.abort();
  }

  /** The connector did not come up in time. */
  giveUpLoading(afterMs: number): void {
    this.#loadError = `not loaded after ${afterMs} ms`;
    this.#kill.abort();
  }

  #send(message: ToThread): void {
    this.#outbox.push(message);
    if (this.#outbox.length > 1) return;
    setImmediate(() => {
      const batch = this.#outbox;
      this.#outbox = [];
      if (this.phase !== 'ended') this.#port.postMessage(batch);
    });
  }

  #receive(batch: unknown): void {
    if (!Array.isArray(batch)) return;
    this.stalled = false;
    try {
      for (const message of batch as FromThread[]) this.#hear(message);
    } catch {
      // Not our shim's words: something in the thread has tampered with them.
      this.kill(null);
    }
    if (this.phase === 'retiring' && this.jobs.size === 0) this.kill(null);
    this.#events.changed(this);
  }

  #hear(message: FromThread): void {
    switch (message.kind) {
      case 'ready':
        if (this.phase === 'loading') this.phase = 'ready';
        return;
      case 'unloadable':
        this.#loadError = message.message;
        this.#kill.abort();
        return;
      case 'retire':
        this.retire();
        return;
      case 'skipped':
        return;
      default:
        this.#hearOf(this.jobs.get(message.seq), message);
    }
  }

  #hearOf(job: Job | undefined, message: Extract<FromThread, { seq: number }>): void {
    // An attempt that was abandoned, or that has ended, is not heard any more.
    if (job === undefined) return;
    this.#began(job);
    switch (message.kind) {
      case 'started':
        return;
      case 'heard':
        job.heard = true;
        return;
      case 'heartbeat':
        job.heartbeat(parse(message.progress) ?? NO_PROGRESS);
        return;
      case 'log':
        job.log(JSON.parse(message.line));
        return;
      case 'completed': {
        this.#end(job, message.dirty);
        const output = parse(message.output);
        if (output === undefined) job.settle({ status: 'failed', error: UNREADABLE });
        else job.settle({ status: 'completed', output });
        return;
      }
      case 'failed': {
        this.#end(job, message.dirty);
        const failure = JSON.parse(message.failure) as ThreadFailure;
        job.settle({ status: 'failed', error: { ...failure, party: 'connector' } });
        return;
      }
    }
  }

  #began(job: Job): void {
    if (this.#offered.delete(job)) job.start();
  }

  #end(job: Job, dirty: boolean): void {
    if (dirty) this.boundTo = job.tenantId;
    this.#release(job);
  }

  #release(job: Job): void {
    if (!this.jobs.delete(job.seq)) return;
    this.#offered.delete(job);
    this.#freeSlots.push(job.slot);
    if (this.jobs.size === 0) this.exclusive = false;
  }

  /**
   * A blocked thread sends no word of what it began, and what it has not begun would wait with it.
   * The claims array knows; what is not begun goes back to the queue.
   */
  #watchForStall(): void {
    this.#stallTimer ??= setTimeout(() => {
      this.#stallTimer = null;
      const waiting = [...this.#offered];
      for (const job of waiting) {
        if (Atomics.load(this.#claims, job.slot) === -job.seq) this.#began(job);
      }
      const overdue = performance.now() - STALL_MS;
      const returned = [...this.#offered].filter((job) => job.offeredAt <= overdue && this.takeBack(job));
      if (returned.length > 0) {
        this.stalled = true;
        this.#events.returned(returned);
      }
      if (this.#offered.size > 0) this.#watchForStall();
    }, STALL_MS).unref();
  }

  #died(error: unknown): void {
    // Words sent just before the end may still lie in the port.
    for (let rest = receiveMessageOnPort(this.#port); rest !== undefined; rest = receiveMessageOnPort(this.#port)) {
      this.#receive(rest.message);
    }
    const loading = this.phase === 'loading';
    this.phase = 'ended';
    this.#port.close();
    if (this.#stallTimer !== null) clearTimeout(this.#stallTimer);
    const jobs = [...this.jobs.values()];
    const returned = jobs.filter((job) => this.takeBack(job));
    const began = [...this.jobs.values()];
    for (const job of began) job.start();
    this.jobs.clear();
    if (returned.length > 0) this.#events.returned(returned);
    const failure = deathFailure(error);
    this.#events.died(this, {
      began,
      culprit: this.#culprit,
      failure,
      loadFailure: loading && !this.#killed ? loadFailure(this.#loadError ?? failure.message) : null,
    });
  }
}

const parse = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
};

const UNREADABLE: AttemptFailure = {
  code: 'invalid_output',
  message: 'the output is not JSON',
  party: 'connector',
  retryable: false,
};
