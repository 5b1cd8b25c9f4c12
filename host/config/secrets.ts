import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DuctorError } from '@ductor/core';
import { errorCode } from '../embedded/error-code.ts';
import type { Config } from './config.ts';

/** AES-256's. */
const masterKeyBytes = 32;

/** 32 bytes as hex or base64 (also base64url, padded or not); null for anything else. */
export function parseMasterKey(text: string): Buffer | null {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return null;
  const key = Buffer.from(text, 'base64');
  return key.length === masterKeyBytes ? key : null;
}

/**
 * The key that credentials are encrypted with. In development it is made at the first start and kept in
 * `<data>/master-key`.
 *
 * @throws DuctorError `failed_precondition`: production without `DUCTOR_MASTER_KEY`, or a file that holds no key.
 */
export async function masterKeyOf({
  mode,
  dataDir,
  secrets,
}: Pick<Config, 'mode' | 'dataDir'> & { readonly secrets: Pick<Config['secrets'], 'masterKey'> }): Promise<Buffer> {
  if (secrets.masterKey !== null) return secrets.masterKey;
  if (mode === 'production') {
    throw new DuctorError(
      'failed_precondition',
      'DUCTOR_MASTER_KEY is not set, and production does not make one: set it to 32 random bytes as base64 ' +
        '(`openssl rand -base64 32`), to the same on every host, and keep a copy; without it stored credentials are lost',
    );
  }
  const file = join(dataDir, 'master-key');
  const { text } = await readOrCreateSecret(file, () => randomBytes(masterKeyBytes).toString('base64'));
  const key = parseMasterKey(text);
  if (key === null) {
    throw new DuctorError(
      'failed_precondition',
      `${file} does not hold 32 bytes as base64 or hex: restore it from a backup, or remove it if no credential is stored`,
    );
  }
  return key;
}

/**
 * The text of a secret's file, which is made with what `create` answers if it is not there; readable by its owner
 * alone. Of two hosts that make it at once, both get the same.
 */
export async function readOrCreateSecret(
  file: string,
  create: () => string,
): Promise<{ readonly text: string; readonly created: boolean }> {
  const found = await readText(file);
  if (found !== null) return { text: found, created: false };
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // Written whole under another name first: whoever sees the file sees all of it, and it never replaces another's.
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeDurably(draft, `${create()}\n`);
    const created = await link(draft, file).then(
      () => true,
      (error: unknown) => {
        if (errorCode(error) === 'EEXIST') return false;
        throw error;
      },
    );
    return { text: (await readFile(file, 'utf8')).trim(), created };
  } finally {
    await rm(draft, { force: true });
  }
}

async function readText(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
