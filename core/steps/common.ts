import { parseDuration } from '../definition/duration.ts';
import type { Step } from '../definition/graph.ts';
import { isObject, type JsonObject } from '../json.ts';
import type { Deadlines, RetryPolicy } from '../run/attempt.ts';
import { duration, template } from '../schema.ts';

export const DEFAULT_START_TO_CLOSE_MS = 60_000;

export const retrySchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    max_attempts: { type: 'integer', minimum: 1, maximum: 1000 },
    initial_interval_ms: { type: 'integer', minimum: 1 },
    backoff_coefficient: { type: 'number', minimum: 1 },
    max_interval_ms: { type: 'integer', minimum: 1 },
    jitter: { type: 'number', minimum: 0, maximum: 1 },
    non_retryable: { type: 'array', items: { type: 'string' } },
  },
} as const;

export const timeoutSchema = {
  oneOf: [
    duration,
    {
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      properties: {
        schedule_to_start: duration,
        start_to_close: duration,
        heartbeat: duration,
        schedule_to_close: duration,
      },
    },
  ],
} as const;

/** The words that every step may say, whatever its type; the engine reads them. */
export const COMMON_STEP_FIELDS = {
  ref: { type: 'string' },
  type: { type: 'string' },
  title: { type: 'string' },
  timeout: timeoutSchema,
  retry: retrySchema,
  join: { enum: ['all', 'any'] },
  effects: {
    type: 'object',
    additionalProperties: false,
    properties: { context: template({ type: 'object' }), attributes: template({ type: 'object' }) },
  },
} as const;

/** A retry policy as it is written, as the part of a policy that it settles. */
export function retryOf(written: JsonObject | undefined): Partial<RetryPolicy> {
  const names = {
    max_attempts: 'maxAttempts',
    initial_interval_ms: 'initialIntervalMs',
    backoff_coefficient: 'backoffCoefficient',
    max_interval_ms: 'maxIntervalMs',
    jitter: 'jitter',
    non_retryable: 'nonRetryable',
  } as const;
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, key]) => (written?.[name] === undefined ? [] : [[key, written[name]]])),
  );
}

/** A step's `timeout` as deadlines; text is `start_to_close`, which for a parked step is its own deadline. */
export function deadlinesOf(step: Step): Partial<Deadlines> {
  const { timeout } = step;
  if (typeof timeout === 'string') return { startToCloseMs: parseDuration(timeout) ?? DEFAULT_START_TO_CLOSE_MS };
  if (!isObject(timeout)) return {};
  const names = {
    schedule_to_start: 'scheduleToStartMs',
    start_to_close: 'startToCloseMs',
    heartbeat: 'heartbeatMs',
    schedule_to_close: 'scheduleToCloseMs',
  } as const;
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, key]) => {
      const ms = parseDuration(String(timeout[name] ?? ''));
      return ms === null ? [] : [[key, ms]];
    }),
  );
}
