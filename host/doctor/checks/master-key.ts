import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { parseMasterKey } from '../../config/secrets.ts';
import { errorCode } from '../../embedded/error-code.ts';
import { broken, type Check, ok, warning } from '../check.ts';

export const masterKey: Check<Config> = {
  name: 'master key',
  async look({ mode, dataDir, secrets }) {
    if (secrets.masterKey !== null) return ok('set by DUCTOR_MASTER_KEY');
    if (mode === 'production') {
      return broken(
        'DUCTOR_MASTER_KEY is not set, and production does not make one',
        'set it to the same 32 random bytes as base64 on every host (`openssl rand -base64 32`), and keep a copy',
      );
    }
    const file = fileIn(dataDir);
    const text = await textOf(file);
    if (text === null) return ok('none yet; the first start makes one');
    if (parseMasterKey(text) === null) {
      return broken(`${file} does not hold 32 bytes as base64 or hex`, 'restore it from a backup');
    }
    return ((await lstat(file)).mode & 0o077) === 0
      ? ok(file)
      : warning(`${file} is open to other users`, `chmod 600 ${file}`);
  },
};

/** The key that a host would go by; `null`: none is there yet, and none is made for a look. */
export async function masterKeyThere({ mode, dataDir, secrets }: Config): Promise<Buffer | null> {
  if (secrets.masterKey !== null || mode === 'production') return secrets.masterKey;
  return parseMasterKey((await textOf(fileIn(dataDir))) ?? '');
}

const fileIn = (dataDir: string): string => join(dataDir, 'master-key');

async function textOf(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
