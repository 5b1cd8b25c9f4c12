import type { Clock, Ids } from '../ports/clock.ts';
import type { RunStore } from '../ports/run-store.ts';
import { BatchQueue } from './batch.ts';
import type { Commit, CommitResult, Company, TickPayload } from './payload.ts';

/** How often, and with what pauses, a commit in doubt is looked for before a conflict is taken for one. */
const MOST_DOUBTS = 16;
const DOUBT_MS = 20;
const STORE_AWAY_MS = 500;

export type CommitEnd = Exclude<CommitResult, { result: 'unknown' }>;

export interface CommitsPorts {
  readonly store: Pick<RunStore, 'commit' | 'tickAt'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly failed: (what: string, error: unknown) => void;
}

/** Commits ticks in batches, and finds out what became of those whose connection was lost meanwhile. */
export class Commits {
  private readonly ports: CommitsPorts;
  private readonly queue: BatchQueue<Commit, CommitResult>;
  private isStopped = false;

  constructor(ports: CommitsPorts) {
    this.ports = ports;
    this.queue = new BatchQueue((commits) => ports.store.commit(commits));
  }

  /** From here on a store that is away is not waited for. */
  stop(): void {
    this.isStopped = true;
  }

  /** How many wait for their turn. */
  get size(): number {
    return this.queue.size;
  }

  async commit(payload: TickPayload, company: Company): Promise<CommitEnd> {
    const tickId = this.ports.ids.uuidv7();
    let doubts = 0;
    for (;;) {
      const result = await this.queue.add({ tickId, payload, company });
      if (result.result === 'committed' || (result.result !== 'unknown' && doubts === 0)) return result;
      // A statement whose connection was lost may be carried out after all, even after this one was sent again: until
      // then it holds its rows, which looks like a conflict.
      doubts += 1;
      const made = await this.madeBy(payload);
      if (made === tickId) return { result: 'committed', version: payload.transition.version, bytes: 0 };
      if (made !== null) return result.result === 'unknown' ? { result: 'conflict' } : result;
      if (doubts > MOST_DOUBTS && result.result !== 'unknown') return result;
      if (doubts > MOST_DOUBTS && this.isStopped) throw new Error('The store takes no commit.');
      if (doubts > 1 || result.result !== 'unknown') {
        await this.ports.clock.sleep(Math.min(DOUBT_MS * doubts, STORE_AWAY_MS));
      }
    }
  }

  /** The id of the tick that made the payload's version, once the store can say. */
  private async madeBy({ runId, transition }: TickPayload): Promise<string | null> {
    for (;;) {
      try {
        return await this.ports.store.tickAt(runId, transition.version);
      } catch (error) {
        if (this.isStopped) throw error;
        this.ports.failed('reading back a commit', error);
        await this.ports.clock.sleep(STORE_AWAY_MS);
      }
    }
  }
}
