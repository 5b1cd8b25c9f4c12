import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

const TRY_AGAIN_MS = 2_000;

/**
 * Runs `work` on one host of all that call this with the same name: the one whose session holds the lock. When that
 * session goes, so does the lock, and `work` is told to stop.
 */
export async function onOneHost(
  connect: () => Promise<pg.Client>,
  {
    name,
    work,
    signal,
    failed,
  }: {
    readonly name: string;
    readonly work: (signal: AbortSignal) => Promise<void>;
    readonly signal: AbortSignal;
    readonly failed: (error: unknown) => void;
  },
): Promise<void> {
  const key = createHash('sha256').update(`ductor service ${name}`).digest().readBigInt64BE().toString();
  while (!signal.aborted) {
    try {
      const isDone = await whileHeld(connect, { key, work, signal });
      if (isDone) return;
    } catch (error) {
      failed(error);
    }
    await delay(TRY_AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** `true`: the work came to its own end, not that of its session. */
async function whileHeld(
  connect: () => Promise<pg.Client>,
  {
    key,
    work,
    signal,
  }: { readonly key: string; readonly work: (signal: AbortSignal) => Promise<void>; readonly signal: AbortSignal },
): Promise<boolean> {
  const client = await connect();
  let isLost = false;
  const ended = new AbortController();
  const end = () => ended.abort();
  const onLost = () => {
    isLost = true;
    end();
  };
  client.once('error', onLost).once('end', onLost);
  signal.addEventListener('abort', end);
  try {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) held', [key]);
    if (!rows[0]?.held) return false;
    if (!signal.aborted) await work(ended.signal);
    return !isLost;
  } finally {
    signal.removeEventListener('abort', end);
    client.off('error', onLost).off('end', onLost);
    // The lock goes with its session.
    await client.end().catch(() => undefined);
  }
}
