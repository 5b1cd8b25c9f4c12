import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, lstat, mkdir, mkdtemp, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DuctorError } from '@ductor/core';
import { type Account, giveTo } from './account.ts';
import { type Place, startProgram } from './program.ts';

/** The superuser, and the only role of a new cluster. */
export const user = 'ductor';
/** Names the socket file; nothing listens on a network. */
export const port = 5432;

/** A system's socket address holds 104 bytes on macOS, 108 on Linux, with the closing zero. */
const longestSocketPath = 103;
const draftPrefix = 'postgres.new-';
/** No initdb takes this long: an older draft was left by a host that was killed. */
const draftIsLeftAfterMs = 10 * 60_000;

/** The real path of a data directory's cluster; makes the data directory if there is none. */
export async function clusterOf(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  return join(await realpath(dataDir), 'postgres');
}

/**
 * Makes the cluster if there is none, and gives it to the account.
 *
 * It is made beside its place and then renamed, so that neither a kill nor a second host leaves half a cluster.
 */
export async function ensureCluster({ cluster, account }: Place, initdb: string): Promise<void> {
  if (!existsSync(join(cluster, 'PG_VERSION'))) await createCluster(cluster, account, initdb);
  if (account !== undefined) await giveTo(account, cluster);
}

/**
 * The folder of the server's socket: the same for each start on a cluster, and entered by the account alone.
 *
 * @throws DuctorError `failed_precondition`: somebody else has a folder of that name.
 */
export async function ensureSocketFolder({ cluster, account }: Place): Promise<string> {
  const name = `ductor-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`;
  // Root's TMPDIR may be closed to the account, and a long one leaves no room for the socket's name.
  const temporary = account === undefined && fits(join(tmpdir(), name)) ? tmpdir() : '/tmp';
  const folder = join(temporary, name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const owner = account?.uid ?? process.getuid?.();
  const found = await lstat(folder);
  const isOurs = found.uid === owner || (account !== undefined && found.uid === 0);
  if (!found.isDirectory() || !isOurs) {
    throw new DuctorError(
      'failed_precondition',
      `${folder}, the folder of the embedded database's socket, belongs to user id ${found.uid} ` +
        `instead of ${owner}: remove it, or set TMPDIR to a folder of your own`,
    );
  }
  await chmod(folder, 0o700);
  if (account !== undefined) await chown(folder, account.uid, account.gid);
  return folder;
}

const fits = (folder: string): boolean => Buffer.byteLength(join(folder, `.s.PGSQL.${port}`)) <= longestSocketPath;

async function createCluster(cluster: string, account: Account | undefined, initdb: string): Promise<void> {
  const dataDir = join(cluster, '..');
  await removeLeftDrafts(dataDir);
  const draft = await mkdtemp(join(dataDir, draftPrefix));
  try {
    if (account !== undefined) await chown(draft, account.uid, account.gid);
    await runInitdb({ cluster: draft, account }, initdb);
    await rename(draft, cluster);
    await syncFolder(dataDir);
  } catch (error) {
    // Another host may have been faster; its cluster is as good.
    if (!existsSync(join(cluster, 'PG_VERSION'))) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function runInitdb(place: Place, initdb: string): Promise<void> {
  const child = startProgram(
    initdb,
    [
      ...['--username', user, '--auth-local=trust', '--auth-host=reject', '--no-instructions'],
      ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ],
    place,
  );
  const [[code], said] = await Promise.all([once(child, 'exit'), child.stderr === null ? '' : text(child.stderr)]);
  if (code !== 0) {
    throw new DuctorError('failed_precondition', `${place.cluster}: the database cannot be made: ${said.trim()}`);
  }
}

async function removeLeftDrafts(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(draftPrefix)) continue;
    const { mtimeMs } = await lstat(join(dataDir, name));
    if (Date.now() - mtimeMs > draftIsLeftAfterMs) await rm(join(dataDir, name), { recursive: true, force: true });
  }
}

/** Makes a rename survive a power cut: what is committed later must not lie under a forgotten name. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
