import type { Clock, RunId } from '@ductor/core';
import type pg from 'pg';
import { keptSignals } from '../postgres/runs/kept-signals.ts';
import { orphans } from '../postgres/runs/orphans.ts';
import { endLease, forgetGone, type HostLease, renewLease, takeLease } from './host-lease.ts';

const RENEW_MS = 3_000;
/** Even where no host is known to be gone, everything open is looked at this often. */
const FULL_LOOK_MS = 60_000;
const PAGE = 500;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Keeps this host's lease, and takes up what hosts that are gone have left. */
export class Recovery {
  private readonly hot: pg.Pool;
  private readonly lease: HostLease;
  private readonly clock: Clock & { told(databaseNow: string): void };
  private readonly wake: (runIds: readonly RunId[]) => void;
  private readonly failed: (what: string, error: unknown) => void;
  private lookedAt = '';

  constructor(options: {
    readonly hot: pg.Pool;
    readonly lease: HostLease;
    readonly clock: Clock & { told(databaseNow: string): void };
    readonly wake: (runIds: readonly RunId[]) => void;
    readonly failed: (what: string, error: unknown) => void;
  }) {
    ({ hot: this.hot, lease: this.lease, clock: this.clock, wake: this.wake, failed: this.failed } = options);
  }

  async begin(): Promise<void> {
    await takeLease(this.hot, this.lease);
    this.clock.told((await renewLease(this.hot, this.lease)).now);
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.guarded(() => this.look());
    while (!signal.aborted) {
      await this.clock.sleep(RENEW_MS, signal);
      if (signal.aborted) return;
      await this.guarded(async () => {
        const { gone, now } = await renewLease(this.hot, this.lease);
        this.clock.told(now);
        const isLongAgo = Date.parse(now) - Date.parse(this.lookedAt) >= FULL_LOOK_MS;
        if (gone > 0 || isLongAgo) await this.look();
      });
    }
  }

  async end(): Promise<void> {
    await endLease(this.hot, this.lease.hostId);
  }

  private async look(): Promise<void> {
    this.lookedAt = this.clock.now();
    const offset = this.lease.offset();
    await this.wakeAll((after) => keptSignals(this.hot, { after, limit: PAGE }));
    const found = await this.wakeAll((after) => orphans(this.hot, { after, limit: PAGE, offset }));
    if (found === 0) await forgetGone(this.hot, offset);
  }

  /** Answers with how many there were. */
  private async wakeAll(pageAfter: (runId: RunId) => Promise<readonly RunId[]>): Promise<number> {
    let found = 0;
    for (let after = BEFORE_ALL; ; ) {
      const page = await pageAfter(after);
      this.wake(page);
      found += page.length;
      if (page.length < PAGE) return found;
      after = page.at(-1)!;
    }
  }

  private async guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.failed('recovery', error);
    }
  }
}
