import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { PLUGIN_API } from '@ductor/core';
import { hostCore } from '../../boot/host-core.ts';
import { errorCode } from '../../embedded/error-code.ts';
import { UsageError } from '../errors.ts';
import { templateOf } from './template.ts';

export interface Scaffold {
  readonly folder: string;
  readonly package: string;
  readonly id: string;
  readonly files: readonly string[];
}

/**
 * Writes a new plugin's package, which tests and boots as it is.
 *
 * @param named a package's name (`@acme/ductor-plugin-audit`: into `./ductor-plugin-audit`) or a folder.
 * @throws UsageError for a name that no package can have, and a folder that holds something.
 */
export async function scaffoldPlugin(named: string): Promise<Scaffold> {
  const folder = resolve(named.startsWith('@') ? basename(named) : named);
  const name = named.startsWith('@') ? named : basename(folder);
  if (!/^(@[a-z0-9-]+\/)?[a-z0-9-]+$/.test(name)) {
    throw new UsageError(
      `${name} is no name for a package: write it in lower case, such as @acme/ductor-plugin-audit.`,
    );
  }
  const id = name
    .replace(/^@/, '')
    .replace(/(^|\/)ductor-plugin-/, '$1')
    .replaceAll(/[/-]+/g, '-');
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id) || id.length > 48) {
    throw new UsageError(`${id} is no id for a plugin: it starts with a letter and has 48 characters at most.`);
  }
  if ((await contentOf(folder)).length > 0) throw new UsageError(`${folder} holds something already.`);
  const files = templateOf({ name, id, pluginApi: `^${PLUGIN_API}`, core: hostCore });
  await mkdir(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
  return { folder, package: name, id, files: Object.keys(files) };
}

async function contentOf(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    if (errorCode(error) === 'ENOTDIR') return [folder];
    throw error;
  });
}
