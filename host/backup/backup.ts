import { mkdir, readdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { DuctorError } from '@ductor/core';
import { errorCode } from '../embedded/error-code.ts';
import { copyTree, nothingCopied, syncFolders, writeDurably } from './copy.ts';
import { copyRunningCluster } from './hot-copy.ts';
import { contentsName, type Manifest, manifestName } from './manifest.ts';

/**
 * What of a data directory is not in a backup: the cluster, which is copied by other means; a cluster that is being made;
 * and the identity of the data directory, since a copy is another one.
 */
const leftOut = /^(postgres|postgres\.new-.*|data-id)$/;

/**
 * Copies a data directory, its database running, into a folder that is new or empty. The manifest is written last.
 *
 * @param url of the running database, as its superuser.
 * @throws DuctorError `failed_precondition`: the target is in use, or lies in the data directory.
 */
export async function backUp({
  dataDir,
  url,
  target,
  ductorVersion,
}: {
  readonly dataDir: string;
  readonly url: string;
  readonly target: string;
  readonly ductorVersion: string;
}): Promise<Manifest> {
  const startedAt = new Date().toISOString();
  const from = await realpath(dataDir);
  const ways = { from, to: join(await placeOf(target), contentsName) };
  if (!relative(from, ways.to).startsWith('..')) {
    throw refused(`${target} lies in the data directory, and would be lost with it: name a folder elsewhere`);
  }
  await takeEmptyFolder(target);
  try {
    await mkdir(ways.to, { mode: 0o700 });
    const copied = nothingCopied();
    const hot = await copyRunningCluster(ways, { url, copied });
    // Only now: whatever the rows name, such as an installed package, is there.
    for (const name of await readdir(from)) await copyTree(ways, name, { copied, skips: (path) => leftOut.test(path) });
    await syncFolders(['.', ...copied.folders.map(({ path }) => path)].map((path) => join(ways.to, path)));
    const manifest: Manifest = {
      format: 1,
      ductor_version: ductorVersion,
      postgres_version: hot.postgresVersion,
      arch: process.arch,
      started_at: startedAt,
      complete_until: hot.completeUntil,
      ended_at: new Date().toISOString(),
      start_lsn: hot.startLsn,
      stop_lsn: hot.stopLsn,
      ...copied,
    };
    await writeManifest(target, manifest);
    return manifest;
  } catch (error) {
    await rm(ways.to, { recursive: true, force: true });
    throw error;
  }
}

async function writeManifest(target: string, manifest: Manifest): Promise<void> {
  const draft = join(target, `${manifestName}.new`);
  await writeDurably(draft, 0o600, (file) => file.writeFile(`${JSON.stringify(manifest)}\n`));
  await rename(draft, join(target, manifestName));
  await syncFolders([target, dirname(target)]);
}

/** The real path of what is there, or will be. */
const placeOf = (path: string): Promise<string> =>
  realpath(path).catch(async (error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
    return join(await placeOf(dirname(path)), basename(path));
  });

/** Makes sure that a folder is there, is empty, and is its owner's alone. */
async function takeEmptyFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = await readdir(folder);
  if (names.length === 0) return;
  throw refused(
    names.includes(contentsName) && !names.includes(manifestName)
      ? `${folder} holds a backup that was interrupted: remove it, or name another folder`
      : `${folder} is not empty: a backup needs a folder of its own`,
  );
}

const refused = (message: string): DuctorError => new DuctorError('failed_precondition', message);
