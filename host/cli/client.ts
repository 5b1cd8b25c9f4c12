/** The REST API as the commands reach it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, type DuctorClient } from '@ductor/client';
import { UsageError } from './errors.ts';

export interface ClientSettings {
  readonly url: string;
  readonly apiKey: string;
  /** Where the key was found, for whoever has to correct it. */
  readonly keySource: string;
  /** Missing: the key's own. */
  readonly tenant?: string;
}

/** Throws `UsageError`. */
export const openClient = (): DuctorClient => createClient(clientSettings(process.env));

/** Reads DUCTOR_URL, DUCTOR_API_KEY or `<data>/bootstrap-key`, and DUCTOR_TENANT. Throws `UsageError`. */
export function clientSettings(env: NodeJS.ProcessEnv): ClientSettings {
  const url = env.DUCTOR_URL || 'http://127.0.0.1:8080';
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw new UsageError(`DUCTOR_URL is ${url}: set it to where a host answers, such as http://127.0.0.1:8080`);
  }
  const tenant = env.DUCTOR_TENANT ? { tenant: env.DUCTOR_TENANT } : {};
  if (env.DUCTOR_API_KEY) return { url, apiKey: env.DUCTOR_API_KEY, keySource: 'DUCTOR_API_KEY', ...tenant };
  const file = join(env.DUCTOR_DATA_DIR || '.ductor', 'bootstrap-key');
  try {
    return { url, apiKey: readFileSync(file, 'utf8').trim(), keySource: file, ...tenant };
  } catch {
    throw new UsageError(
      `There is no API key: set DUCTOR_API_KEY, or DUCTOR_DATA_DIR to the data directory of a development host ` +
        `(${file} cannot be read). \`ductor api-key create\` makes another key.`,
    );
  }
}
