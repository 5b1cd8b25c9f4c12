import type { RunEvent } from '@ductor/core';
import { showEvent } from './run.view.ts';
import type { EventPlace } from './run-events.ts';

export interface Watch {
  /** The next events beyond a place, oldest first; empty if there are none yet. */
  readonly read: (beyond: EventPlace) => Promise<readonly RunEvent[]>;
  readonly isOver: () => Promise<boolean>;
  /** Calls back when there may be more; answers with a way to stop. */
  readonly subscribe: (listener: () => void) => () => void;
  readonly after: EventPlace;
  readonly signal: AbortSignal;
}

/** Other hosts commit too, and tell nobody here. */
const LOOK_EVERY_MS = 1_000;
/** So a connection that says nothing speaks every 15 s, and nothing on its way takes it for dead. */
const LOOKS_BETWEEN_COMMENTS = 15;

/**
 * A run's events as server-sent events, until it is over or `signal` aborts. It reads on only when its consumer has
 * taken what came before, so a slow reader costs no memory.
 */
export async function* watchRun({ read, isOver, subscribe, after, signal }: Watch): AsyncGenerator<string> {
  const nudges = new Nudges(signal);
  const unsubscribe = subscribe(nudges.nudge);
  try {
    // Sends the head at once, before anything has happened.
    yield 'retry: 1000\n\n';
    let place = after;
    let quietLooks = 0;
    while (!signal.aborted) {
      nudges.clear();
      // Asked first: an end that is committed after it is read by the next turn.
      const wasOver = await isOver();
      const events = await read(place);
      for (const event of events) {
        yield message(event);
        place = event;
        quietLooks = 0;
      }
      if (events.length > 0) continue;
      if (wasOver) return;
      quietLooks += 1;
      if (quietLooks % LOOKS_BETWEEN_COMMENTS === 0) yield ': still here\n\n';
      await nudges.next(LOOK_EVERY_MS);
    }
  } finally {
    unsubscribe();
  }
}

const message = (event: RunEvent): string =>
  `id: ${event.seq}.${event.index}\nevent: transition\ndata: ${JSON.stringify(showEvent(event))}\n\n`;

/** Remembers that something came while nobody waited. */
class Nudges {
  private readonly signal: AbortSignal;
  private isPending = false;
  private wake: () => void = () => undefined;

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  readonly nudge = (): void => {
    this.isPending = true;
    this.wake();
  };

  clear(): void {
    this.isPending = false;
  }

  /** Until the next nudge, the abort, or `withinMs` from now. */
  next(withinMs: number): Promise<void> {
    if (this.isPending || this.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, withinMs);
      this.signal.addEventListener('abort', done, { once: true });
      this.wake = done;
    });
  }
}
