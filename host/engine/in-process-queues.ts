import type { Dispatch, RunId, TaskQueue, WakeupQueue } from '@ductor/core';

/** SyncMatch: what is pushed is taken at once, by the one host there is. */
export class InProcessTasks implements TaskQueue {
  private take: ((tasks: readonly Dispatch[]) => void) | null = null;

  push(tasks: readonly Dispatch[]): void {
    this.take?.(tasks);
  }

  listen(take: (tasks: readonly Dispatch[]) => void): () => void {
    this.take = take;
    return () => {
      this.take = null;
    };
  }
}

export class InProcessWakeups implements WakeupQueue {
  private woken: ((runs: readonly RunId[]) => void) | null = null;

  wake(runs: readonly RunId[]): void {
    this.woken?.(runs);
  }

  listen(woken: (runs: readonly RunId[]) => void): () => void {
    this.woken = woken;
    return () => {
      this.woken = null;
    };
  }
}
