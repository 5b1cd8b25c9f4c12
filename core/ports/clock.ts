import type { Instant } from '../json.ts';

/** Time, handed in: the database's clock as this host knows it. A tick receives only `now`, as data. */
export interface Clock {
  now(): Instant;
  /** Calls back once after `delayMs`, of any length; answers with a way to call it off. Holds no process open. */
  after(delayMs: number, callback: () => void): () => void;
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

export interface Ids {
  uuidv7(): string;
  /** A fraction in [0, 1), for jitter outside of ticks. */
  random(): number;
}
