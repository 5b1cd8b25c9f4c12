import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of a third party's plugin, with its sources. */
export const pluginSource = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/plugins/${name}`, import.meta.url));

/** The plugin that plugins/README.md shows. */
export const auditSource = pluginSource('audit');

export const auditPackage = (folder: string): Promise<void> => pluginPackage('audit', folder);

/** Its package as its author would publish it: built, without its sources. */
export async function pluginPackage(name: string, folder: string): Promise<void> {
  const built = fileURLToPath(new URL(`../fixtures/plugins/${name}`, import.meta.url));
  await cp(pluginSource(name), folder, { recursive: true, filter: (path) => !path.endsWith('.ts') });
  for (const file of await readdir(built)) if (file.endsWith('.js')) await cp(join(built, file), join(folder, file));
}
