import type { RunId } from '../json.ts';

/** Hints that a run should be looked at. May be lost, doubled or late: the store knows better. */
export interface WakeupQueue {
  wake(runs: readonly RunId[]): void;
  /** Calls back for every hint that reaches this host. Answers with a way to stop listening. */
  listen(woken: (runs: readonly RunId[]) => void): () => void;
}
