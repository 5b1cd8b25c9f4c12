import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from './until.js';

const bin = fileURLToPath(new URL('../../../host/bin/ductor.js', import.meta.url));

/** A host in a process of its own, as a user starts it; it may be killed. */
export interface HostProcess {
  readonly url: string;
  readonly dataDir: string;
  readonly child: ChildProcess;
  /** What it has printed. */
  output(): string;
  /** Calls the REST API with the bootstrap key; rejects with status and body unless it is 2xx. */
  call<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T>;
  kill(signal: NodeJS.Signals): Promise<void>;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

/** Answers once the host is ready. */
export async function startHostProcess({
  dataDir,
  port,
  env = {},
  program = bin,
}: {
  readonly dataDir: string;
  readonly port: number;
  readonly env?: NodeJS.ProcessEnv;
  /** Default: the one of this repository. */
  readonly program?: string;
}): Promise<HostProcess> {
  const { DATABASE_URL: _, REDIS_URL: __, ...inherited } = process.env;
  let output = '';
  const child = spawn(process.execPath, [program, 'start'], {
    cwd: dataDir,
    env: { ...inherited, DUCTOR_DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout?.on('data', (chunk) => (output += chunk));
  child.stderr?.on('data', (chunk) => (output += chunk));
  const url = `http://127.0.0.1:${port}`;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await until(
    async () => {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the host ended: ${output}`);
      const response = await fetch(`${url}/readyz`).catch(() => null);
      return response?.ok === true;
    },
    'the host to be ready',
    120_000,
  ).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    url,
    dataDir,
    child,
    output: () => output,
    async call<T>(method: string, path: string, body?: unknown): Promise<T> {
      const key = (await readFile(join(dataDir, 'bootstrap-key'), 'utf8')).trim();
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return JSON.parse(text) as T;
    },
    async kill(signal) {
      child.kill(signal);
      await exited;
    },
  };
}
