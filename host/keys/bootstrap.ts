import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuctorError, type Ids } from '@ductor/core';
import type { ApiKeyTable } from '../postgres/api-keys.ts';
import { hashOf, newKeyText } from './api-keys.ts';
import { SCOPES } from './scopes.ts';

/** Where the first key came from; `kept`: the database had one already. */
export type Bootstrap =
  | { readonly result: 'kept' | 'given' }
  /** `file` holds the key's text and a line break, readable by its owner alone. */
  | { readonly result: 'generated'; readonly file: string; readonly key: string };

const SHORTEST_GIVEN = 32;

/**
 * Sees to it that a host which starts can be spoken to: while the database holds no key at all, `given` becomes an
 * all-scopes key of the tenant `default`; without it development makes one, and production refuses to start.
 *
 * @param given as in DUCTOR_BOOTSTRAP_API_KEY: any text of 32 characters or more.
 */
export async function ensureBootstrapKey({
  table,
  ids,
  mode,
  dataDir,
  given,
}: {
  readonly table: ApiKeyTable;
  readonly ids: Pick<Ids, 'uuidv7'>;
  readonly mode: 'development' | 'production';
  readonly dataDir: string;
  readonly given: string | undefined;
}): Promise<Bootstrap> {
  if (given !== undefined && given.length < SHORTEST_GIVEN) {
    throw new DuctorError(
      'invalid_argument',
      `DUCTOR_BOOTSTRAP_API_KEY has ${given.length} characters; it needs ${SHORTEST_GIVEN} or more.`,
    );
  }
  if (given === undefined && mode === 'production') {
    if ((await table.count()) > 0) return { result: 'kept' };
    throw new DuctorError(
      'failed_precondition',
      'The database holds no API key. Set DUCTOR_BOOTSTRAP_API_KEY, or make one with `ductor api-key create`.',
    );
  }
  const key = given ?? newKeyText();
  const file = join(dataDir, 'bootstrap-key');
  const row = {
    id: ids.uuidv7(),
    tenantId: 'default',
    name: 'bootstrap',
    hash: hashOf(key),
    scopes: SCOPES,
    expiresAt: null,
    rateLimit: null,
  };
  // The file first: a key in the database whose text nobody knows would lock everyone out.
  const isNew = await table.insertFirst(row, async () => {
    if (given === undefined) await writeSecret(file, key);
  });
  if (!isNew) return { result: 'kept' };
  return given === undefined ? { result: 'generated', file, key } : { result: 'given' };
}

async function writeSecret(file: string, text: string): Promise<void> {
  await mkdir(join(file, '..'), { recursive: true, mode: 0o700 });
  const unfinished = `${file}.new`;
  await writeFile(unfinished, `${text}\n`, { mode: 0o600 });
  await chmod(unfinished, 0o600);
  await rename(unfinished, file);
}
