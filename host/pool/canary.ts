import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { basicFlags } from './grants.ts';

const CANARY = fileURLToPath(new URL('./thread/canary.js', import.meta.url));
const PATIENCE_MS = 10_000;

/**
 * Whether Node's permission flags really confine a thread on this host: one is started with them and tries to read a
 * file outside its grant, to write, and to start a process. `false` also if it cannot be told: fail closed.
 */
export const threadsAreConfined = async (
  flags: (readable: readonly string[]) => string[] = basicFlags,
): Promise<boolean> => {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'ductor-canary-')));
  try {
    const file = join(dir, 'canary');
    await writeFile(file, 'canary');
    return await holds(file, flags([CANARY, fileURLToPath(new URL('../../package.json', import.meta.url))]));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
};

const holds = (file: string, execArgv: readonly string[]): Promise<boolean> =>
  new Promise((resolve) => {
    const worker = new Worker(CANARY, { workerData: { file }, env: {}, execArgv: [...execArgv] });
    const answer = (held: boolean): void => {
      clearTimeout(timer);
      void worker.terminate();
      resolve(held);
    };
    const timer = setTimeout(() => answer(false), PATIENCE_MS);
    worker.once('message', (escapes: unknown) => answer(Array.isArray(escapes) && escapes.length === 0));
    worker.once('error', () => answer(false));
    worker.once('exit', () => answer(false));
  });
