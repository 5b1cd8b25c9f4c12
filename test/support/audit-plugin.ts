import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the plugin that plugins/README.md shows; a third party's, with its sources. */
export const auditSource = fileURLToPath(new URL('../../fixtures/plugins/audit', import.meta.url));
const built = fileURLToPath(new URL('../fixtures/plugins/audit', import.meta.url));

/** Its package as its author would publish it: built, without its sources. */
export async function auditPackage(folder: string): Promise<void> {
  await cp(auditSource, folder, { recursive: true, filter: (path) => !path.endsWith('.ts') });
  for (const file of await readdir(built)) if (file.endsWith('.js')) await cp(join(built, file), join(folder, file));
}
