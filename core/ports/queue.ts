import type { RunId } from '../json.ts';
import type { Dispatch } from './action-pool.ts';

/** How hints and work reach whoever acts on them. Items may be lost, doubled or late: the store knows better. */
export interface Queue<Item> {
  push(items: readonly Item[]): void;
  /** Calls back with what reaches this host. Answers with a way to stop listening. */
  listen(take: (items: readonly Item[]) => void): () => void;
}

/** Hints that a run should be looked at. */
export type WakeupQueue = Queue<RunId>;

/** Work for whichever host has room; the attempt's token makes it once. */
export type TaskQueue = Queue<Dispatch>;
