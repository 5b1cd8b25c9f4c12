import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from './error-code.ts';

/** What a cluster's postmaster.pid says. */
export interface PostmasterFile {
  readonly pid: number;
  readonly socketFolder: string;
  /** Whether that process is a server of this cluster, and not another program that got its id since. */
  readonly alive: boolean;
}

/** Reads postmaster.pid; `undefined`: there is none, or it is being written. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(ignoreMissing))?.split('\n');
  const pid = Number(lines?.[0]);
  const socketFolder = lines?.[4];
  if (!Number.isInteger(pid) || pid <= 0 || socketFolder === undefined) return undefined;
  return { pid, socketFolder, alive: await worksOn(pid, cluster) };
}

/** A postmaster's working directory is its cluster; where there is no /proc, its command line names it. */
async function worksOn(pid: number, cluster: string): Promise<boolean> {
  if (process.platform === 'linux') return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === cluster;
  const command = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => undefined);
  return command?.stdout.includes(cluster) ?? false;
}

function ignoreMissing(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error;
}
