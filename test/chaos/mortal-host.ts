import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCode } from '#host/embedded/error-code.js';
import { explainRun } from '../support/explain-run.js';
import { freePort, type HostProcess, startHostProcess } from '../support/host-process.js';

/** Small, seeded, good enough to choose moments. */
export function random(seed: number): () => number {
  let state = seed * 2654435761;
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2246822519);
    state = Math.imul(state ^ (state >>> 13), 3266489917);
    state ^= state >>> 16;
    return (state >>> 0) / 2 ** 32;
  };
}

/** The database in a host's data directory; its host starts it again. One that is dead already is let be. */
export async function killPostgres(dataDir: string): Promise<void> {
  const [pid] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  try {
    process.kill(Number(pid), 'SIGKILL');
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

interface Page<T> {
  readonly items: readonly T[];
  readonly next_page_token: string | null;
}

/** A host with a data directory and port of its own, which comes back after each kill. */
export class MortalHost {
  readonly #where: { readonly dataDir: string; readonly port: number };
  #host: HostProcess;

  private constructor(where: { readonly dataDir: string; readonly port: number }, host: HostProcess) {
    this.#where = where;
    this.#host = host;
  }

  static async start(): Promise<MortalHost> {
    const where = { dataDir: await mkdtemp(join(tmpdir(), 'ductor-mortal-')), port: await freePort() };
    return new MortalHost(where, await startHostProcess(where));
  }

  call<T>(method: string, path: string, body?: unknown): Promise<T> {
    return this.#host.call<T>(method, path, body);
  }

  get<T>(path: string): Promise<T> {
    return this.call<T>('GET', path);
  }

  /** Every item of a list, page by page. */
  async list<T>(path: string): Promise<readonly T[]> {
    const items: T[] = [];
    let after = '';
    for (;;) {
      const page = await this.get<Page<T>>(`${path}${path.includes('?') ? '&' : '?'}page_size=500${after}`);
      items.push(...page.items);
      if (page.next_page_token === null) return items;
      after = `&page_token=${page.next_page_token}`;
    }
  }

  /** All that is known of a run that does not go on. */
  explain(runId: string): Promise<string> {
    return explainRun(this.#host, runId);
  }

  async kill(what: 'host' | 'database'): Promise<void> {
    if (what === 'database') return killPostgres(this.#where.dataDir);
    await this.#host.kill('SIGKILL');
    this.#host = await startHostProcess(this.#where);
  }

  async stop(): Promise<void> {
    await this.#host.kill('SIGTERM');
    await rm(this.#where.dataDir, { recursive: true, force: true });
  }
}
