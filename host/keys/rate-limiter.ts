/** Requests as a key may make them: so many a minute, and `burst` of them at once after a pause. */
export interface RateLimit {
  readonly requestsPerMinute: number;
  readonly burst: number;
}

interface Bucket {
  readonly tokens: number;
  readonly filledAtMs: number;
}

const MINUTE_MS = 60_000;
const MOST_BUCKETS = 10_000;

/** A bucket of tokens for each key that has a limit, in this host's memory: several hosts let through as many times more. */
export class RateLimiter {
  readonly #monotonicMs: () => number;
  /** The one that was used least recently is first. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** Takes a token, or answers in how many ms there is one. */
  take(id: string, { requestsPerMinute, burst }: RateLimit): number {
    const now = this.#monotonicMs();
    const { tokens, filledAtMs } = this.#buckets.get(id) ?? { tokens: burst, filledAtMs: now };
    const filled = Math.min(burst, tokens + ((now - filledAtMs) * requestsPerMinute) / MINUTE_MS);
    const isTaken = filled >= 1;
    this.#buckets.delete(id);
    this.#buckets.set(id, { tokens: isTaken ? filled - 1 : filled, filledAtMs: now });
    if (this.#buckets.size > MOST_BUCKETS) this.#buckets.delete(this.#buckets.keys().next().value ?? '');
    return isTaken ? 0 : ((1 - filled) * MINUTE_MS) / requestsPerMinute;
  }
}
