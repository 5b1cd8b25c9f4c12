import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/** A host in a process of its own; `url` or `refused` is what it said. */
export interface HostProcess {
  readonly child: ChildProcess;
  readonly url?: string;
  readonly refused?: string;
  stop(): Promise<void>;
}

const script = fileURLToPath(new URL('./host-process.js', import.meta.url));

const started = new Set<ChildProcess>();
const urls = new Set<string>();

/** Ends what a failed test left. */
export function killHosts(): void {
  for (const child of started) child.kill('SIGKILL');
  started.clear();
}

export async function startHost(dataDir: string, options: SpawnOptions = {}): Promise<HostProcess> {
  const child = spawn(process.execPath, [script, dataDir], { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
  started.add(child);
  const exit = once(child, 'exit');
  const [line] = child.stdout === null ? [] : await once(createInterface(child.stdout), 'line');
  const said: { url?: string; refused?: string } = JSON.parse(String(line));
  if (said.url !== undefined) urls.add(said.url);
  return {
    child,
    ...said,
    async stop() {
      child.stdin?.end();
      await exit;
    },
  };
}

export async function query(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Removes what the hosts, and a server of the test's own, left in the system's temporary directory. */
export async function removeSocketFolders(own: readonly string[]): Promise<void> {
  for (const url of [...urls, ...own])
    await rm(decodeURIComponent(new URL(url).host), { recursive: true, force: true });
}

/** Asks again while the server is away. */
export async function queryAgain(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  return until('the server answers', () => query(url, sql).catch(() => undefined));
}

export async function postmasterPid(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

/** Also a process that nobody has reaped yet is gone: it has no working directory. */
export async function isGone(pid: number): Promise<void> {
  await until(`process ${pid} is gone`, () =>
    readlink(`/proc/${pid}/cwd`).then(
      () => undefined,
      () => true,
    ),
  );
}

/** The shells that watch over this data directory's server. */
export async function watchdogsOf(dataDir: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const folder = await readlink(`/proc/${pid}/cwd`).catch(() => '');
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return folder === join(dataDir, 'postgres') && command.startsWith('/bin/sh') ? pid : undefined;
    }),
  );
  return found.filter((pid) => pid !== undefined);
}

async function until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const giveUpAt = Date.now() + 8_000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > giveUpAt) throw new Error(`${what}: not within 8 s`);
    await delay(10);
  }
}
