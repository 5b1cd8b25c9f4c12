import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient, type DuctorClient } from '@ductor/client';
import { startTestHost as startHost } from '../support/host.ts';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
export const program = join(root, 'host/bin/ductor.js');

/** A development host in this process, on a database of its own, with the file `bootstrap-key` for clients. */
export interface TestHost {
  readonly url: string;
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly client: DuctorClient;
  /** What a client's environment says of it. */
  readonly env: { readonly [name: string]: string };
  stop(): Promise<void>;
}

export async function startTestHost(): Promise<TestHost> {
  const { url, key, dataDir, database, stop } = await startHost();
  await writeFile(join(dataDir, 'bootstrap-key'), `${key}\n`, { mode: 0o600 });
  return {
    url,
    databaseUrl: database.url,
    dataDir,
    client: createClient({ url, apiKey: key }),
    env: { DUCTOR_URL: url, DUCTOR_DATA_DIR: dataDir },
    stop,
  };
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Nothing of the tests' own environment that a host or client reads. */
export const cleanEnv = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  TMPDIR: process.env.TMPDIR,
  ...env,
});

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly input?: string;
}

/** Runs a program to its end. */
export async function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { env = {}, cwd = root, input = '' } = options;
  const child = spawn(command, args, { env: cleanEnv(env), cwd });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (said.stdout += chunk));
  child.stderr.on('data', (chunk) => (said.stderr += chunk));
  child.stdin.on('error', () => undefined).end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...said };
}

/** Runs `ductor` as a user does, in a process of its own. */
export const ductor = (args: readonly string[], options?: RunOptions): Promise<Ended> =>
  run(process.execPath, [program, ...args], options);
