import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../../config/config.ts';
import { broken, type Check, ok, warning } from '../check.ts';

const megabyte = 1_000_000;
/** PostgreSQL's log alone takes a gigabyte between two checkpoints of a busy host. */
const tight = 2_000 * megabyte;
const full = 200 * megabyte;

export const diskSpace: Check<Config> = {
  name: 'disk space',
  async look({ dataDir }) {
    let folder = dataDir;
    while (!existsSync(folder)) folder = dirname(folder);
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    const found = `${Math.floor(free / megabyte)} MB free at ${folder}`;
    const remedy = 'free some space, or move the data directory (DUCTOR_DATA_DIR)';
    if (free < full) return broken(found, remedy);
    return free < tight ? warning(found, remedy) : ok(found);
  },
};
