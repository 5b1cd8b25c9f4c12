import type { Clock, Instant } from '@ductor/core';

const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** A database whose clock is so far behind what it said before has been set back. */
const SET_BACK_MS = 2_000;

/**
 * The database's time without asking it: each answer of its carries its time, and this host's monotonic clock
 * carries on from there. An answer is always a little old, so this clock may be late, never early.
 */
export class DatabaseClock implements Clock {
  /** The database's time less ours, in milliseconds. */
  private aheadMs = Date.now() - performance.now();
  private isTold = false;
  private shiftMs = 0;
  private latest = { ms: Number.NaN, text: '' };

  /** Hears the database's time, offset included. */
  readonly told = (databaseNow: Instant): void => {
    const aheadMs = Date.parse(databaseNow) - performance.now();
    if (!this.isTold || aheadMs > this.aheadMs || aheadMs < this.aheadMs - SET_BACK_MS) this.aheadMs = aheadMs;
    this.isTold = true;
  };

  /** What statements add to the database's clock: nothing, unless a test moved time on. */
  readonly offset = (): string => `${this.shiftMs} milliseconds`;

  /** For tests: time jumps ahead, here and in every statement. */
  advance(ms: number): void {
    this.shiftMs += ms;
    this.aheadMs += ms;
  }

  /** Asked several times a step: what comes within one millisecond shares one text. */
  now(): Instant {
    const ms = Math.floor(performance.now() + this.aheadMs);
    if (ms !== this.latest.ms) this.latest = { ms, text: new Date(ms).toISOString() };
    return this.latest.text;
  }

  after(delayMs: number, callback: () => void): () => void {
    let timer: NodeJS.Timeout;
    const wait = (leftMs: number) => {
      const ms = Math.min(Math.max(0, leftMs), LONGEST_TIMER_MS);
      timer = setTimeout(() => (leftMs > ms ? wait(leftMs - ms) : callback()), ms);
      timer.unref();
    };
    wait(delayMs);
    return () => clearTimeout(timer);
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const cancel = this.after(delayMs, done);
      const stop = () => {
        cancel();
        resolve();
      };
      signal?.addEventListener('abort', stop, { once: true });
    });
  }
}
