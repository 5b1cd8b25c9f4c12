import { chmod, lstat, mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { DuctorError } from '@ductor/core';
import { embeddedMajor } from '../embedded/binaries.ts';
import { copyFile, forEach, syncFolders } from './copy.ts';
import { contentsName, type Manifest, readManifest } from './manifest.ts';

const cluster = 'postgres';
/** Beside its place until it is whole; in the data directory, which may be a file system of its own. */
const draftName = 'restoring';

/**
 * Makes a data directory of a backup. It gets an identity of its own at its first start, so that whatever was under way
 * when the backup was made counts as lost there.
 *
 * @throws DuctorError `failed_precondition`: the backup is unfinished, damaged or not for this machine, or the data
 *   directory is not empty.
 */
export async function restore({
  backup,
  dataDir,
}: {
  readonly backup: string;
  readonly dataDir: string;
}): Promise<Manifest> {
  const manifest = await readManifest(backup);
  await refuseOther(manifest);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if ((await readdir(dataDir)).length > 0) {
    throw refused(`${dataDir} is not empty: a backup is restored into a new data directory, never over another one`);
  }
  await chmod(dataDir, 0o700);
  const draft = join(dataDir, draftName);
  try {
    await mkdir(draft, { mode: 0o700 });
    await copyAll(manifest, { from: join(backup, contentsName), to: draft });
    const names = await readdir(draft);
    // The database comes last: a host that finds it finds the keys too.
    for (const name of [...names.filter((each) => each !== cluster), cluster]) {
      await rename(join(draft, name), join(dataDir, name));
    }
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  await syncFolders([dataDir]);
  return manifest;
}

async function copyAll(
  { folders, files, links }: Manifest,
  ways: { readonly from: string; readonly to: string },
): Promise<void> {
  for (const { path, mode } of folders) await mkdir(join(ways.to, path), { mode: mode | 0o300 });
  await forEach(files, async ({ path, mode, ...noted }) => {
    const found = await lstat(join(ways.from, path)).catch(() => undefined);
    if (found?.isFile() !== true) throw damaged(path, 'it is missing');
    const { bytes, sha256 } = await copyFile(ways, path, mode);
    if (bytes !== noted.bytes || sha256 !== noted.sha256) throw damaged(path, 'it is not what was written');
  });
  for (const { path, target } of links) await symlink(target, join(ways.to, path));
  await syncFolders(['.', ...folders.map(({ path }) => path)].map((path) => join(ways.to, path)));
}

async function refuseOther({ postgres_version, arch }: Manifest): Promise<void> {
  const major = Math.trunc(postgres_version / 10_000);
  const own = await embeddedMajor();
  if (major !== own) {
    throw refused(
      `The backup is one of PostgreSQL ${major}, and this version of Ductor brings PostgreSQL ${own}: restore it with the ` +
        'version of Ductor that made it',
    );
  }
  if (arch !== process.arch) {
    throw refused(`The backup was made on ${arch}, and PostgreSQL's files are not the same on ${process.arch}`);
  }
}

const damaged = (path: string, what: string): DuctorError =>
  refused(`The backup is damaged: ${join(contentsName, path)}: ${what}. Nothing was restored`);

const refused = (message: string): DuctorError => new DuctorError('failed_precondition', message);
