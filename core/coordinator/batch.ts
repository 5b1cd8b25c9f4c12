interface Waiting<In, Out> {
  readonly item: In;
  resolve(result: Out): void;
  reject(error: unknown): void;
}

/** How much goes into a statement, and when a second one may be under way. Measured; see `scripts/bench`. */
interface Lanes {
  readonly most: number;
  /** While one statement is under way, a second starts only for as many. */
  readonly secondFrom: number;
  /** At least so many stay together, rather than being halved between two statements. */
  readonly together: number;
}

const COMMIT_LANES: Lanes = { most: 128, secondFrom: 16, together: 32 };

/**
 * One queue, at most two calls under way. It never waits for company: a batch is what has gathered while the
 * last one was under way, or in this turn of the event loop.
 */
export class BatchQueue<In, Out> {
  private queue: Waiting<In, Out>[] = [];
  private underWay = 0;
  private isScheduled = false;
  private readonly perform: (items: readonly In[]) => Promise<readonly Out[]>;
  private readonly lanes: Lanes;

  constructor(perform: (items: readonly In[]) => Promise<readonly Out[]>, lanes: Lanes = COMMIT_LANES) {
    this.perform = perform;
    this.lanes = lanes;
  }

  /** How many wait for their turn. */
  get size(): number {
    return this.queue.length;
  }

  /** Rejects only where the whole batch did. */
  add(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.queue.push({ item, resolve, reject });
      this.schedule();
    });
  }

  private get mayStart(): boolean {
    return (
      this.queue.length > 0 &&
      (this.underWay === 0 || (this.underWay === 1 && this.queue.length >= this.lanes.secondFrom))
    );
  }

  private schedule(): void {
    if (this.isScheduled || !this.mayStart) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      while (this.mayStart) this.start();
    });
  }

  private start(): void {
    const { most, together } = this.lanes;
    const size = Math.min(this.queue.length, most, Math.max(together, Math.ceil(this.queue.length / 2)));
    const batch = this.queue.splice(0, size);
    this.underWay += 1;
    this.perform(batch.map(({ item }) => item))
      .then(
        (results) => {
          for (const [i, { resolve }] of batch.entries()) resolve(results[i]!);
        },
        (error: unknown) => {
          for (const { reject } of batch) reject(error);
        },
      )
      .finally(() => {
        this.underWay -= 1;
        this.schedule();
      });
  }
}
