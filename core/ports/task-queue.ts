import type { Dispatch } from './action-pool.ts';

/** Work for whichever host has room. At least once; the attempt's token makes it once. */
export interface TaskQueue {
  push(tasks: readonly Dispatch[]): void;
  listen(take: (tasks: readonly Dispatch[]) => void): () => void;
}
