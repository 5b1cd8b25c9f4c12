import type { Queue } from '../ports/queue.ts';

/** Tier 0: what is pushed is taken in the same turn, by the one host there is. Nothing is kept: rows are the truth. */
export class SyncMatch<Item> implements Queue<Item> {
  private taker: ((items: readonly Item[]) => void) | null = null;

  push(items: readonly Item[]): void {
    if (items.length > 0) this.taker?.(items);
  }

  listen(take: (items: readonly Item[]) => void): () => void {
    this.taker = take;
    return () => {
      if (this.taker === take) this.taker = null;
    };
  }
}
