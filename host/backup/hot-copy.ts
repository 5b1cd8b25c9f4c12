import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuctorError } from '@ductor/core';
import pg from 'pg';
import { type Copied, copyFile, copyTree, type Ways, writeCopy } from './copy.ts';

/** What a copy of a running cluster is complete by. */
export interface HotCopy {
  /** As `server_version_num`. */
  readonly postgresVersion: number;
  readonly startLsn: string;
  readonly stopLsn: string;
  /** Whatever was acknowledged by then is in the copy. */
  readonly completeUntil: string;
}

const cluster = 'postgres';
const control = `${cluster}/global/pg_control`;

/** Made anew by each start, or only of use to the sessions that are open; folders among them are kept, empty. */
const emptied =
  /^postgres\/(pg_dynshmem|pg_notify|pg_replslot|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans|pg_wal)\/|\/(pgsql_tmp|pg_internal\.init)[^/]*$|^postgres\/postmaster\.(pid|opts)$/;

const skips = (path: string): boolean => path === control || emptied.test(path);

/**
 * Copies the cluster of a running server while it works. The files are of different moments, and pages may be half
 * written; the log from the start to the stop, which is copied with them, makes them whole when a server starts on them.
 *
 * @param url as a superuser.
 */
export async function copyRunningCluster(
  ways: Ways,
  { url, copied }: { readonly url: string; readonly copied: Copied },
): Promise<HotCopy> {
  const session = new pg.Client({ connectionString: url, application_name: 'ductor backup' });
  // The next statement says so too.
  session.on('error', () => undefined);
  await session.connect();
  try {
    await refuseTablespaces(session);
    // It keeps the log from being recycled. Slot and backup end with their session: an interrupted one leaves nothing.
    const slot = `ductor_backup_${randomUUID().replaceAll('-', '')}`;
    await session.query('select pg_create_physical_replication_slot($1, true, true)', [slot]);
    const start = await one<{ lsn: string }>(session, "select pg_backup_start('ductor', fast => true) lsn");
    await copyTree(ways, cluster, { copied, skips });
    await writeCopy(ways.to, control, { content: await readSettled(join(ways.from, control)), copied });
    const completeUntil = new Date().toISOString();
    const stop = await one<{ lsn: string; label: string }>(
      session,
      'select lsn, labelfile label from pg_backup_stop(wait_for_archive => false)',
    );
    await writeCopy(ways.to, `${cluster}/backup_label`, { content: stop.label, copied });
    for (const segment of await segments(session, start.lsn, stop.lsn)) {
      const path = `${cluster}/pg_wal/${segment}`;
      copied.files.push({ path, mode: 0o600, ...(await copyFile(ways, path, 0o600)) });
    }
    const { version } = await one<{ version: number }>(
      session,
      "select current_setting('server_version_num')::int version",
    );
    return { postgresVersion: version, startLsn: start.lsn, stopLsn: stop.lsn, completeUntil };
  } finally {
    await session.end();
  }
}

/** The files of the log from one place to another; the stop has ended the last of them. */
async function segments(session: pg.Client, from: string, to: string): Promise<readonly string[]> {
  const { rows } = await session.query<{ name: string }>(
    `with ends as (
       select (pg_split_walfile_name(pg_walfile_name($1::pg_lsn))).segment_number as first,
              (pg_split_walfile_name(pg_walfile_name($2::pg_lsn))).segment_number as last)
     select pg_walfile_name($1::pg_lsn + n * pg_size_bytes(current_setting('wal_segment_size'))) as name
     from ends, generate_series(0, last - first) n`,
    [from, to],
  );
  return rows.map(({ name }) => name);
}

/** It is rewritten in place, so it is read until two readings agree. */
async function readSettled(file: string): Promise<Buffer> {
  for (let before = await readFile(file); ; ) {
    const now = await readFile(file);
    if (now.equals(before)) return now;
    before = now;
  }
}

async function refuseTablespaces(session: pg.Client): Promise<void> {
  const { rows } = await session.query<{ name: string }>(
    "select spcname as name from pg_tablespace where spcname not in ('pg_default', 'pg_global')",
  );
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name).join(', ');
  throw new DuctorError(
    'failed_precondition',
    `The database keeps data outside its folder (tablespaces ${names}), which a backup does not reach: move it back`,
  );
}

async function one<T extends pg.QueryResultRow>(session: pg.Client, text: string): Promise<T> {
  const { rows } = await session.query<T>(text);
  if (rows[0] === undefined) throw new Error(`no row: ${text}`);
  return rows[0];
}
