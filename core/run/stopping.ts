import type { Ending } from './run.ts';

/** Whether what is in flight may finish: nothing but a failure leaves it that time. */
export const drains = (ending: Ending, failurePolicy: 'fail_fast' | 'drain'): boolean =>
  ending.status === 'failed' && failurePolicy === 'drain' && ending.error.code !== 'run_timeout';
