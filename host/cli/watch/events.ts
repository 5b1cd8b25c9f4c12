import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from '../api.ts';
import { Unreachable } from '../errors.ts';
import type { RunEventItem } from '../wire.ts';

/** A host that is restarted is back within this time. */
const AWAY_AT_MOST_MS = 60_000;
const RETRY_MS = 1_000;

/**
 * A run's events from its first to its end, as they happen. A connection that is lost is made again, and the next
 * one goes on behind the last event seen. Throws `ApiError`, and `Unreachable` if the host stays away.
 */
export async function* watchEvents(api: Api, runId: string): AsyncGenerator<RunEventItem> {
  const seen: Seen = { id: '', lastAnswerAt: null };
  for (;;) {
    try {
      const response = await api.stream(`/api/workflows/runs/${encodeURIComponent(runId)}/watch`, headersOf(seen));
      seen.lastAnswerAt = performance.now();
      // The run is over, and all of it was seen.
      if (response.status === 204 || response.body === null) return;
      yield* eventsOf(response.body, seen);
    } catch (error) {
      if (!isAway(error) || seen.lastAnswerAt === null) throw error;
      if (performance.now() - seen.lastAnswerAt > AWAY_AT_MOST_MS) throw error;
      await delay(RETRY_MS);
    }
  }
}

interface Seen {
  /** `seq.index` of the last event; empty before the first. */
  id: string;
  lastAnswerAt: number | null;
}

const headersOf = ({ id }: Seen): { readonly [name: string]: string } => ({
  accept: 'text/event-stream',
  ...(id !== '' && { 'last-event-id': id }),
});

/** A stream that breaks off says so by a TypeError. */
const isAway = (error: unknown): boolean => error instanceof Unreachable || error instanceof TypeError;

async function* eventsOf(body: ReadableStream<Uint8Array>, seen: Seen): AsyncGenerator<RunEventItem> {
  for await (const message of messagesOf(body)) {
    const fields = message.split('\n').map((line) => line.split(/: ?(.*)/s));
    const field = (name: string) => fields.find(([own]) => own === name)?.[1];
    seen.lastAnswerAt = performance.now();
    const data = field('data');
    if (data === undefined) continue;
    yield JSON.parse(data) as RunEventItem;
    seen.id = field('id') ?? seen.id;
  }
}

/** Messages end with an empty line; what is unfinished when the stream ends is none. */
async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    yield* messages;
  }
}
