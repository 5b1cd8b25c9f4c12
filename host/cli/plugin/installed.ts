import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuctorError, isObject } from '@ductor/core';
import { hostCore, provideCore } from '../../boot/host-core.ts';
import type { Config } from '../../config/config.ts';
import { errorCode } from '../../embedded/error-code.ts';

export const installedFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'plugins');

const CORE = '@ductor/core';

/** The packages that were installed, by name. */
export async function installedPackages(folder: string): Promise<readonly string[]> {
  return Object.keys(await dependencies(folder)).filter((name) => name !== CORE);
}

async function dependencies(folder: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return '{}';
    throw error;
  });
  const content: unknown = JSON.parse(text);
  return isObject(content) && isObject(content.dependencies) ? content.dependencies : {};
}

/**
 * Changes the folder of the installed plugins all at once: `change` works on a copy, which takes the folder's place
 * when that is done, and `conclude` follows. Whatever throws, everything is as it was.
 *
 * @throws DuctorError `failed_precondition`: another command is at it.
 */
export async function changeInstalled<T>(
  folder: string,
  { change, conclude }: { change(copy: string): Promise<T>; conclude(answer: T): Promise<void> },
): Promise<T> {
  const copy = `${folder}.next`;
  const former = `${folder}.before`;
  // Ctrl-C ends npm, and thereby the change: what is half done is cleared away first.
  const ignore = () => undefined;
  process.on('SIGINT', ignore);
  await claim(copy);
  try {
    await copyOf(folder, copy);
    const answer = await change(copy);
    await clearPackages(copy);
    await rm(former, { recursive: true, force: true });
    await rename(folder, former).catch(unlessMissing);
    await rename(copy, folder);
    try {
      await conclude(answer);
    } catch (error) {
      await rm(folder, { recursive: true });
      await rename(former, folder).catch(unlessMissing);
      throw error;
    }
    await rm(former, { recursive: true, force: true });
    return answer;
  } finally {
    await rm(copy, { recursive: true, force: true });
    process.off('SIGINT', ignore);
  }
}

async function claim(copy: string): Promise<void> {
  await mkdir(join(copy, '..'), { recursive: true, mode: 0o700 });
  await mkdir(copy).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw new DuctorError(
      'failed_precondition',
      `Another command changes the plugins. If none does, one was killed: remove ${copy}.`,
    );
  });
}

async function copyOf(folder: string, copy: string): Promise<void> {
  await cp(folder, copy, { recursive: true, verbatimSymlinks: true }).catch(unlessMissing);
  // To npm the host's core is a package like the others: it is never fetched, and peers are held against it.
  const manifest = { private: true, dependencies: { ...(await dependencies(copy)), [CORE]: `file:${hostCore}` } };
  await writeFile(join(copy, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await mkdir(join(copy, 'packages'), { recursive: true });
  await provideCore(copy);
}

/** Archives that nothing is installed from any more. */
async function clearPackages(copy: string): Promise<void> {
  const used = Object.values(await dependencies(copy));
  for (const name of await readdir(join(copy, 'packages'))) {
    if (!used.includes(`file:packages/${name}`)) await rm(join(copy, 'packages', name));
  }
}

function unlessMissing(error: unknown): void {
  if (errorCode(error) !== 'ENOENT') throw error;
}
