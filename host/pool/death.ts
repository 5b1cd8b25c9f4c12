import type { AttemptFailure } from '@ductor/core';
import type { Job } from './job.ts';

/** What is known when a thread is gone. */
export interface Death {
  readonly began: readonly Job[];
  readonly culprit: Job | null;
  readonly failure: AttemptFailure;
  /** Why the connector never came up; `null` if it did, or if the pool ended the thread. */
  readonly loadFailure: AttemptFailure | null;
}

/** What a thread's end says of the one attempt that it ran. */
export const deathFailure = (error: unknown): AttemptFailure => {
  const memory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  // Not the error's own message: it did not pass the thread's redaction.
  const message = memory ? 'the thread ran out of memory' : 'the thread ended';
  return { code: memory ? 'out_of_memory' : 'worker_exited', message, party: 'connector', retryable: true };
};

export const loadFailure = (message: string): AttemptFailure => ({
  code: 'connector_load_failed',
  message: `the connector does not load: ${message}`,
  party: 'connector',
  retryable: true,
});
