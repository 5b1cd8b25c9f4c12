import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { serverAccount } from '../../embedded/account.ts';
import { embeddedMajor, locateBinaries } from '../../embedded/binaries.ts';
import { type Check, ok, skipped } from '../check.ts';

/** Whether PostgreSQL is installed, and runs as the user that it would have to run as. */
export const embedded: Check<Config> = {
  name: 'embedded PostgreSQL',
  async look({ database, dataDir }) {
    if (database.url !== null) return skipped('not used: the configuration names a database');
    const account = await serverAccount(join(dataDir, 'postgres'));
    await locateBinaries(account);
    return ok(`${await embeddedMajor()}, run as ${account === undefined ? 'this user' : `user id ${account.uid}`}`);
  },
};
