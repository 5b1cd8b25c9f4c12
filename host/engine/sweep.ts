import type { Clock, RunId, RunStore } from '@ductor/core';

/** How often the database is asked for what is due; what falls due meanwhile was announced by the answer before. */
export const SWEEP_MS = 1_000;
/** Of each partition; a page that is full of what is due is soon followed by the next. */
const PAGE = 1_000;
const NEXT_PAGE_MS = 50;

/** Wakes runs whose waits are due: rebuilt from rows, whatever hints were lost. */
export class Sweep {
  private readonly store: Pick<RunStore, 'overdue'>;
  private readonly clock: Clock;
  private readonly wake: (runIds: readonly RunId[]) => void;
  private readonly failed: (what: string, error: unknown) => void;
  /** What was due before this had been seen to when the sweep last looked. */
  private isCaughtUpTo: string;

  constructor(options: {
    readonly store: Pick<RunStore, 'overdue'>;
    readonly clock: Clock;
    readonly wake: (runIds: readonly RunId[]) => void;
    readonly failed: (what: string, error: unknown) => void;
  }) {
    ({ store: this.store, clock: this.clock, wake: this.wake, failed: this.failed } = options);
    this.isCaughtUpTo = this.clock.now();
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

  /** How late what is due is seen to; up to the time between two sweeps is usual. */
  get lagMs(): number {
    return Math.max(0, Date.parse(this.clock.now()) - Date.parse(this.isCaughtUpTo));
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
    let oldest = now;
    for (const { runId, dueAt } of found) {
      if (dueAt > now) this.announce(runId, dueAt);
      else if (dueAt < oldest) oldest = dueAt;
    }
    this.isCaughtUpTo = oldest;
    return due.size;
  }
}
