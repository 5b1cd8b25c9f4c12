import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load-config.ts';

/** The configuration of the host on this machine. Throws DuctorError `invalid_argument` with every fault and its place. */
export const readConfig = (file: string | undefined): Promise<Config> =>
  loadConfig({ argv: file === undefined ? {} : { config: file }, env: process.env, cwd: process.cwd() });
