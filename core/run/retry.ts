import type { AttemptFailure } from '../errors.ts';
import type { RetryPolicy } from './attempt.ts';
import { derivedFraction } from './ids.ts';

export const DEFAULT_RETRY: RetryPolicy = {
  maxAttempts: 3,
  initialIntervalMs: 1_000,
  backoffCoefficient: 2,
  maxIntervalMs: 60_000,
  jitter: 0.2,
  nonRetryable: [],
};

/**
 * How long to wait after the `failures`th counted failure: a positive integer of milliseconds, whatever the numbers.
 * `maxIntervalMs` clamps before jitter, which spreads by ±`jitter` and depends on `seed` alone.
 */
export function backoffMs(policy: RetryPolicy, failures: number, seed: string): number {
  const grown = policy.initialIntervalMs * policy.backoffCoefficient ** (failures - 1);
  const clamped = Math.min(Number.isFinite(grown) ? grown : policy.maxIntervalMs, policy.maxIntervalMs);
  const spread = 1 + policy.jitter * (2 * derivedFraction(seed) - 1);
  return Math.max(1, Math.round(clamped * spread));
}

/** Whether a counted failure is tried again. `executions` counts those so far, this one included. */
export const isRetried = (policy: RetryPolicy, error: AttemptFailure, executions: number): boolean =>
  error.retryable && executions < policy.maxAttempts && !policy.nonRetryable.includes(error.code);
