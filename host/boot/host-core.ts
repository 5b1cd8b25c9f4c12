import { realpathSync } from 'node:fs';
import { lstat, mkdir, realpath, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const entry = realpathSync(fileURLToPath(import.meta.resolve('@ductor/core')));

/** The folder of the `@ductor/core` that this host runs on. */
export const hostCore: string = dirname(dirname(entry));

/** Makes the host's own core what plugins below `plugins` import, also after the host has moved. */
export async function provideCore(plugins: string): Promise<void> {
  const link = join(plugins, 'node_modules', '@ductor', 'core');
  if ((await realpath(link).catch(() => null)) === hostCore && (await lstat(link)).isSymbolicLink()) return;
  await mkdir(dirname(link), { recursive: true });
  await rm(link, { recursive: true, force: true });
  await symlink(hostCore, link);
}

/** The core that a module imports, where it is another than the host's: the errors it throws would be strangers here. */
export function otherCore(module: string): string | null {
  try {
    const found = realpathSync(createRequire(module).resolve('@ductor/core'));
    return found === entry ? null : dirname(dirname(found));
  } catch {
    return null;
  }
}
