import type { Clock, RunId, RunStore } from '@ductor/core';

/** How often the database is asked for what is due; what falls due meanwhile was announced by the answer before. */
export const SWEEP_MS = 1_000;
/** Of each partition; a page that is full of what is due is soon followed by the next. */
const PAGE = 1_000;
const NEXT_PAGE_MS = 50;

/** Wakes runs whose waits are due: rebuilt from rows, whatever hints were lost. */
export class Sweep {
  private readonly store: RunStore;
  private readonly clock: Clock;
  private readonly wake: (runIds: readonly RunId[]) => void;
  private readonly failed: (what: string, error: unknown) => void;

  constructor(options: {
    readonly store: RunStore;
    readonly clock: Clock;
    readonly wake: (runIds: readonly RunId[]) => void;
    readonly failed: (what: string, error: unknown) => void;
  }) {
    ({ store: this.store, clock: this.clock, wake: this.wake, failed: this.failed } = options);
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const isFull = (await this.once()) >= PAGE;
        // What was woken needs a moment to be gone from the page.
        await this.clock.sleep(isFull ? NEXT_PAGE_MS : SWEEP_MS, signal);
      } catch (error) {
        this.failed('sweep', error);
        await this.clock.sleep(SWEEP_MS, signal);
      }
    }
  }

  /** A wait that has just been committed: nobody needs to find it if it is due before the next sweep. */
  announce(runId: RunId, dueAt: string): void {
    const inMs = Date.parse(dueAt) - Date.parse(this.clock.now());
    if (inMs > 2 * SWEEP_MS) return;
    // A moment later than due: this clock may be a fraction of a millisecond off.
    this.clock.after(inMs + 1, () => this.wake([runId]));
  }

  /** How many runs were due. */
  private async once(): Promise<number> {
    const found = await this.store.overdue(SWEEP_MS, PAGE);
    const now = this.clock.now();
    const due = new Set(found.filter(({ dueAt }) => dueAt <= now).map(({ runId }) => runId));
    this.wake([...due]);
    for (const { runId, dueAt } of found) if (dueAt > now) this.announce(runId, dueAt);
    return due.size;
  }
}
