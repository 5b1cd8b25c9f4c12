import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { DuctorError } from '@ductor/core';
import type pg from 'pg';
import type { Database } from '../postgres/connection.ts';

/** The session of a host that was killed ends in a moment. */
const GONE_WITHIN_MS = 3_000;
const TRY_AGAIN_MS = 250;
/** A claim that was lost with its session is no hurry: whoever starts now waits for the lease. */
const CLAIM_AGAIN_MS = 2_000;

const LIVING = 'select name from eec_host where data_id = $1 and lease_until > clock_timestamp()';

/** A session that holds the data directory's lock, or `null`. */
async function lock(database: Database, dataId: string): Promise<pg.Client | null> {
  const key = createHash('sha256').update(`ductor data ${dataId}`).digest().readBigInt64BE().toString();
  const session = await database.session();
  const answer = await session
    .query<{ held: boolean }>('select pg_try_advisory_lock($1) held', [key])
    .catch((error: unknown) => ({ error }));
  if ('rows' in answer && answer.rows[0]?.held) return session;
  await session.end().catch(() => undefined);
  if ('error' in answer) throw answer.error;
  return null;
}

/**
 * Makes sure that no other host lives on this data directory: what its predecessor had in hand is lost when it starts,
 * so the predecessor must be dead. Answers with the service that keeps the claim.
 *
 * @throws DuctorError `failed_precondition`: another host has it.
 */
export async function claimData(
  database: Database,
  { dataId, dataDir }: { readonly dataId: string; readonly dataDir: string },
): Promise<(signal: AbortSignal) => Promise<void>> {
  const until = performance.now() + GONE_WITHIN_MS;
  let session = await lock(database, dataId);
  while (session === null) {
    const { rows } = await database.hot.query<{ name: string }>(LIVING, [dataId]);
    // A session whose host is not heard of any more is that of a machine that went.
    if (rows.length === 0) break;
    if (performance.now() > until) {
      throw new DuctorError(
        'failed_precondition',
        `The data directory ${dataDir} is in use by another host (${rows[0]?.name}): stop that one, or give each host a ` +
          'DUCTOR_DATA_DIR of its own',
      );
    }
    await delay(TRY_AGAIN_MS);
    session = await lock(database, dataId);
  }
  return async (signal) => {
    while (!signal.aborted) {
      if (session !== null) await once(session, 'end', { signal }).catch(() => undefined);
      if (signal.aborted) break;
      await delay(CLAIM_AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined);
      session = await lock(database, dataId).catch(() => null);
    }
    await session?.end().catch(() => undefined);
  };
}
