import { type Calls, type ClientOptions, createCalls } from './calls.ts';
import { createPaged, type Paged } from './paged.ts';
import { type Run, type WaitOptions, waitForRun } from './wait-for-run.ts';
import { type RunEvent, type WatchOptions, watchRun } from './watch-run.ts';

export interface DuctorClient extends Calls {
  readonly paged: Paged;
  /**
   * Answers with the run once it is over, whatever came of it: see its `status`. A run that was continued is over.
   * Throws `DuctorApiError`, `DuctorConnectionError` if the host stays away for a minute, the signal's reason, and a
   * DOMException `TimeoutError` when the time is up.
   */
  waitForRun(runId: string, options?: WaitOptions): Promise<Run>;
  /**
   * A run's events as they happen, until it is over. A connection that is lost is made again, and goes on behind the
   * last event. Throws as `waitForRun` does.
   */
  watchRun(runId: string, options?: WatchOptions): AsyncGenerator<RunEvent, void, undefined>;
}

export function createClient(options: ClientOptions): DuctorClient {
  const calls = createCalls(options);
  return {
    ...calls,
    paged: createPaged(calls),
    waitForRun: (runId, wait) => waitForRun(calls, runId, wait),
    watchRun: (runId, watch) => watchRun(calls, runId, watch),
  };
}
