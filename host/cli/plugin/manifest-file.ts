import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Json } from '@ductor/core';
import type { Config } from '../../config/config.ts';
import { editYaml } from '../../config/edit-yaml.ts';
import { errorCode } from '../../embedded/error-code.ts';

/** The file that a change of the plugins is written to: the one that was read, else `ductor.yaml` here. */
export const manifestFile = ({ file }: Pick<Config, 'file'>): string => file ?? resolve('ductor.yaml');

/** Sets what the file says at `plugins.<keys>`, or takes it out; a file that is not there is made. */
export async function editPlugins(file: string, edits: readonly (readonly [readonly string[], Json | undefined])[]) {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  });
  const edited = edits.reduce((sofar, [keys, value]) => editYaml(sofar, ['plugins', ...keys], value), text ?? '');
  if (edited !== (text ?? '')) await writeFile(file, text === null ? `version: 1\n${edited}` : edited);
}
