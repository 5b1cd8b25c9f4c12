import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ClientSettings, clientSettings } from '#host/cli/api.js';
import { loadConfig } from '#host/config/load-config.js';
import { createLog } from '#host/log.js';
import { startHost } from '#host/main.js';
import { createTestDatabase } from '../support/database.ts';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
export const program = join(root, 'host/bin/ductor.js');

/**
 * A development host in this process, on a database of its own. No key is given to it, so that it makes the file
 * `bootstrap-key`, where clients find theirs.
 */
export interface TestHost {
  readonly url: string;
  readonly databaseUrl: string;
  /** Has the file `bootstrap-key`. */
  readonly dataDir: string;
  readonly client: ClientSettings;
  /** What a client's environment says of it. */
  readonly env: { readonly [name: string]: string };
  stop(): Promise<void>;
}

export async function startTestHost(): Promise<TestHost> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'ductor-e2e-'));
  const env = {
    DATABASE_URL: database.url,
    DUCTOR_MODE: 'development',
    DUCTOR_DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'fatal',
  };
  const config = loadConfig({ argv: {}, env, cwd: dataDir });
  const host = await startHost({ config, log: createLog({ level: config.log.level }), checkAnswers: true });
  return {
    url: host.url,
    databaseUrl: database.url,
    dataDir,
    client: clientSettings({ DUCTOR_URL: host.url, DUCTOR_DATA_DIR: dataDir }),
    env: { DUCTOR_URL: host.url, DUCTOR_DATA_DIR: dataDir },
    async stop() {
      await host.stop();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
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
