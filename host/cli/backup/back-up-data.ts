import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { DuctorError } from '@ductor/core';
import { backUp } from '../../backup/backup.ts';
import type { Manifest } from '../../backup/manifest.ts';
import type { Config } from '../../config/config.ts';
import { withEmbedded } from '../database/with-database.ts';
import { packageVersion } from '../package-version.ts';

/**
 * Backs the data directory up, and names what a host needs beside it.
 *
 * @throws DuctorError `failed_precondition`: the database is not ours to copy, or as `backUp`.
 */
export async function backUpData(
  config: Config,
  target: string,
): Promise<{ readonly manifest: Manifest; readonly missing: readonly string[] }> {
  const { dataDir, database, file, secrets } = config;
  if (database.url !== null) {
    throw new DuctorError(
      'failed_precondition',
      `The database is a server of your own (${config.locate(['database', 'url'])}): back it up with pg_dump or your ` +
        `provider's tools, and keep DUCTOR_MASTER_KEY, ductor.yaml and ${dataDir} too. This command copies the embedded one`,
    );
  }
  if (!existsSync(join(dataDir, 'postgres', 'PG_VERSION'))) {
    throw new DuctorError(
      'failed_precondition',
      `${dataDir} holds no database yet: set DUCTOR_DATA_DIR to the one to copy`,
    );
  }
  const manifest = await withEmbedded(config, (url) =>
    backUp({ dataDir, url, target: resolve(target), ductorVersion: packageVersion() }),
  );
  return {
    manifest,
    missing: [
      ...(secrets.masterKey === null ? [] : ['the master key, which you set by DUCTOR_MASTER_KEY']),
      ...(file === null || !relative(dataDir, file).startsWith('..') ? [] : [file]),
    ],
  };
}
