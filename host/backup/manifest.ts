import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuctorError, type FromSchema } from '@ductor/core';
import { errorCode } from '../embedded/error-code.ts';
import { compileOwn } from '../json-schema/own-schemas.ts';

/** Stays inside the folder that it is joined to. */
const path = { type: 'string', pattern: '^(?!/)(?!(.*/)?\\.\\.(/|$)).+$' } as const;
/** The owner's permissions alone: a data directory is nobody else's. */
const mode = { type: 'integer', minimum: 0, maximum: 0o700 } as const;

/** What `backup.json` says of a backup, and of every folder, file and link in it. */
const manifestSchema = {
  type: 'object',
  required: [
    ...['format', 'ductor_version', 'postgres_version', 'arch', 'started_at', 'complete_until', 'ended_at'],
    ...['start_lsn', 'stop_lsn', 'folders', 'files', 'links'],
  ],
  properties: {
    format: { const: 1 },
    ductor_version: { type: 'string' },
    postgres_version: { type: 'integer', description: 'as server_version_num: 180004' },
    arch: { type: 'string', description: "as Node's process.arch" },
    started_at: { type: 'string' },
    complete_until: { type: 'string', description: 'whatever was acknowledged by then is in the backup' },
    ended_at: { type: 'string' },
    start_lsn: { type: 'string' },
    stop_lsn: { type: 'string' },
    folders: {
      type: 'array',
      description: 'a folder comes before what is in it',
      items: { type: 'object', required: ['path', 'mode'], properties: { path, mode } },
    },
    files: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'mode', 'bytes', 'sha256'],
        properties: { path, mode, bytes: { type: 'integer' }, sha256: { type: 'string' } },
      },
    },
    links: {
      type: 'array',
      items: { type: 'object', required: ['path', 'target'], properties: { path, target: { type: 'string' } } },
    },
  },
} as const;

export type Manifest = FromSchema<typeof manifestSchema>;

/** What was copied; paths are relative to the data directory. */
export type Contents = Pick<Manifest, 'folders' | 'files' | 'links'>;

/** Written last: a backup without it is unfinished. */
export const manifestName = 'backup.json';
/** Holds the copy of the data directory. */
export const contentsName = 'data';

const check = compileOwn<Manifest>(manifestSchema);

/** @throws DuctorError `failed_precondition`: there is no backup, it is unfinished, or of another version's form. */
export async function readManifest(backup: string): Promise<Manifest> {
  const file = join(backup, manifestName);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
    throw refused(
      `${backup} holds no finished backup (${manifestName} is missing): one that was interrupted is of no use`,
    );
  });
  const manifest = parse(text);
  if (check(manifest)) return manifest;
  throw refused(`${file} is not what this version of Ductor writes: restore with the version that made the backup`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const refused = (message: string): DuctorError => new DuctorError('failed_precondition', message);
