import type { components } from './api.generated.ts';
import type { Calls } from './calls.ts';
import { Patience, pause } from './patience.ts';
import { watchRun } from './watch-run.ts';

export type Run = components['schemas']['Run'];

export interface WaitOptions {
  readonly signal?: AbortSignal;
  /** Default: as long as it takes. */
  readonly timeoutMs?: number;
}

const FIRST_LOOK_MS = 1_000;
const LOOKS_APART_AT_MOST_MS = 15_000;

/** @see DuctorClient */
export async function waitForRun(
  calls: Pick<Calls, 'GET'>,
  runId: string,
  { signal, timeoutMs }: WaitOptions = {},
): Promise<Run> {
  const stop = new AbortController();
  const time = timeoutMs === undefined ? [] : [AbortSignal.timeout(timeoutMs)];
  const ends = AbortSignal.any([...(signal ? [signal] : []), ...time, stop.signal]);
  try {
    return await look(calls, runId, ends);
  } finally {
    stop.abort();
  }
}

/** Looks at the run when its stream has ended, and now and then in case something on its way holds the stream back. */
async function look(calls: Pick<Calls, 'GET'>, runId: string, signal: AbortSignal): Promise<Run> {
  const patience = new Patience();
  let news: Promise<void> | null = null;
  for (let apartMs = FIRST_LOOK_MS; ; apartMs = Math.min(2 * apartMs, LOOKS_APART_AT_MOST_MS)) {
    try {
      const { data } = await calls.GET('/api/workflows/runs/{run_id}', {
        params: { path: { run_id: runId } },
        signal,
      });
      patience.answered();
      if (data.ended_at !== null) return data;
    } catch (error) {
      await patience.bear(error, signal);
      continue;
    }
    news ??= streamEnd(calls, runId, signal);
    const later = new AbortController();
    await Promise.race([news, pause(apartMs, AbortSignal.any([signal, later.signal]))]).finally(() => later.abort());
  }
}

/** Never comes where the stream ended by an error: then looking has to do. */
async function streamEnd(calls: Pick<Calls, 'GET'>, runId: string, signal: AbortSignal): Promise<void> {
  try {
    for await (const _ of watchRun(calls, runId, { signal }));
  } catch {
    await new Promise(() => undefined);
  }
}
