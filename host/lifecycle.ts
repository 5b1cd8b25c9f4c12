import type { BaseLogger } from 'pino';

/** What was started, to be ended in reverse order. */
export class Lifecycle {
  private readonly log: BaseLogger;
  private readonly ends: { readonly name: string; readonly end: () => Promise<unknown> }[] = [];
  private ending: Promise<void> | null = null;

  constructor(log: BaseLogger) {
    this.log = log;
  }

  onEnd(name: string, end: () => Promise<unknown>): void {
    this.ends.push({ name, end });
  }

  /** Runs beside the requests until it is told to stop. One that fails is reported, and the host goes on. */
  service(name: string, run: (signal: AbortSignal) => Promise<void>): void {
    const stop = new AbortController();
    const running = run(stop.signal).catch((error: unknown) =>
      this.log.error({ err: error, service: name }, 'a service failed'),
    );
    this.onEnd(name, () => {
      stop.abort();
      return running;
    });
  }

  /** Each end is tried, whatever became of the one before. */
  end(): Promise<void> {
    this.ending ??= this.endAll();
    return this.ending;
  }

  private async endAll(): Promise<void> {
    for (const { name, end } of this.ends.reverse()) {
      try {
        await end();
      } catch (error) {
        this.log.error({ err: error, part: name }, 'could not be stopped');
      }
    }
  }
}
