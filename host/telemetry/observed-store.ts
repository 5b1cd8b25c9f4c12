import type { RunStore, Tell } from '@ductor/core';

/** The same store, which tells of each batch of ticks. */
export const observedStore = (store: RunStore, tell: Tell): RunStore => ({
  ...store,
  async commit(commits) {
    const startedMs = performance.now();
    const results = await store.commit(commits);
    tell('committed', { commits, results, durationMs: performance.now() - startedMs });
    return results;
  },
});
