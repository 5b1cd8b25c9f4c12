import type { components } from './api.generated.ts';
import type { Calls } from './calls.ts';
import { messagesOf } from './event-stream.ts';
import { Patience, pause } from './patience.ts';

export type RunEvent = components['schemas']['RunEvent'];

export interface WatchOptions {
  /** Go on behind this event; default: from the first. */
  readonly after?: Pick<RunEvent, 'seq' | 'index'>;
  readonly signal?: AbortSignal;
}

/** A host that has nothing to tell says so every 15 s. */
const SILENT_AT_MOST_MS = 40_000;
/** Before asking again where a stream ended and had told nothing. */
const RETRY_MS = 1_000;

/** @see DuctorClient */
export async function* watchRun(
  calls: Pick<Calls, 'GET'>,
  runId: string,
  { after, signal }: WatchOptions = {},
): AsyncGenerator<RunEvent, void, undefined> {
  let last = after && `${after.seq}.${after.index}`;
  const patience = new Patience();
  for (;;) {
    const silence = new Silence(signal);
    const before = last;
    try {
      silence.begins();
      const { data: body } = await calls.GET('/api/workflows/runs/{run_id}/watch', {
        params: { path: { run_id: runId } },
        headers: { accept: 'text/event-stream', 'last-event-id': last },
        parseAs: 'stream',
        signal: silence.signal,
      });
      patience.answered();
      // 204: the run is over, and all of it was seen.
      if (!body) return;
      for await (const { id, data } of messagesOf(body)) {
        silence.ends();
        patience.answered();
        if (data !== null) {
          yield JSON.parse(data) as RunEvent;
          last = id ?? last;
        }
        silence.begins();
      }
      if (last === before) await pause(RETRY_MS, signal);
    } catch (error) {
      await patience.bear(error, signal);
    } finally {
      silence.stop();
    }
  }
}

/** Aborts a connection that says nothing for too long: nobody may be at its other end. */
class Silence {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #abort = () => this.#controller.abort(this.#outer?.reason);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(outer: AbortSignal | undefined) {
    this.#outer = outer;
    if (outer?.aborted) this.#abort();
    outer?.addEventListener('abort', this.#abort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  begins(): void {
    this.#timer = setTimeout(() => this.#controller.abort(new TypeError('silent')), SILENT_AT_MOST_MS);
  }

  ends(): void {
    clearTimeout(this.#timer);
  }

  stop(): void {
    this.ends();
    this.#outer?.removeEventListener('abort', this.#abort);
  }
}
