import { DuctorApiError, DuctorConnectionError } from './errors.ts';

/** A host that is restarted is back within this time. */
const AWAY_AT_MOST_MS = 60_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/** What the host, or something before it, says while it cannot answer just now. */
const AWAY = [429, 502, 503, 504];

/** Bears with a host that is away for a while, once it has been there. */
export class Patience {
  #awaySinceMs: number | null = null;
  #hasAnswered = false;
  #pauseMs = FIRST_PAUSE_MS;

  answered(): void {
    this.#hasAnswered = true;
    this.#awaySinceMs = null;
    this.#pauseMs = FIRST_PAUSE_MS;
  }

  /** Pauses before the next try, or throws the error if there should be none. */
  async bear(error: unknown, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (!this.#hasAnswered || !isAway(error)) throw error;
    const nowMs = performance.now();
    this.#awaySinceMs ??= nowMs;
    if (nowMs - this.#awaySinceMs > AWAY_AT_MOST_MS) throw error;
    const asked = error instanceof DuctorApiError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
    await pause(Math.max(this.#pauseMs, asked), signal);
    this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
  }
}

/** An answer that breaks off is a TypeError. */
const isAway = (error: unknown): boolean =>
  error instanceof DuctorConnectionError ||
  error instanceof TypeError ||
  (error instanceof DuctorApiError && AWAY.includes(error.status));

/** Throws the signal's reason if that comes first. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
