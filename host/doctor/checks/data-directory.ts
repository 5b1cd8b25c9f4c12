import { access, constants, lstat } from 'node:fs/promises';
import type { Config } from '../../config/config.ts';
import { broken, type Check, ok, warning } from '../check.ts';

/** Read and written by the host alone: it holds keys. */
export const dataDirectory: Check<Config> = {
  name: 'data directory',
  async look({ dataDir }) {
    const found = await lstat(dataDir).catch(() => null);
    if (found === null) return ok(`${dataDir} is not there yet; the first start makes it`);
    if (!found.isDirectory() && !found.isSymbolicLink()) {
      return broken(`${dataDir} is no folder`, 'remove it, or set DUCTOR_DATA_DIR to another one');
    }
    const isUsable = await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    );
    if (!isUsable) {
      return broken(
        `${dataDir} belongs to user id ${found.uid}, and user id ${process.getuid?.()} may not write there`,
        'run Ductor as its owner, or give it to this user (chown -R)',
      );
    }
    if (found.isDirectory() && (found.mode & 0o077) !== 0) {
      return warning(`${dataDir} is open to other users, and holds keys`, `chmod 700 ${dataDir}`);
    }
    return ok(dataDir);
  },
};
