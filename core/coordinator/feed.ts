import type { RunId } from '../json.ts';
import type { RunState } from '../run/run.ts';
import type { Transition } from '../run/transition.ts';

export type RunListener = (transition: Transition, state: RunState) => void;

/** What has just been committed here, for those who watch a run from this host. A hint: the store has it all. */
export class RunFeed {
  private readonly listeners = new Map<RunId, Set<RunListener>>();

  /** Answers with a way to stop listening. */
  subscribe(runId: RunId, listener: RunListener): () => void {
    const listeners = this.listeners.get(runId) ?? new Set();
    this.listeners.set(runId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.listeners.delete(runId);
    };
  }

  publish(transition: Transition, state: RunState): void {
    for (const listener of this.listeners.get(transition.runId) ?? []) listener(transition, state);
  }
}
