import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Account } from './account.ts';

/** Says which cluster a program works on, and as whom. */
export interface Place {
  readonly cluster: string;
  readonly account: Account | undefined;
}

/** Where the first descriptor after the standard three is found; only Linux has it, and only there is the account another. */
const inheritedFolder = '/proc/self/fd/3';

/**
 * Starts one of PostgreSQL's programs on a cluster, in a session of its own: Ctrl-C is the host's to handle.
 *
 * Another account often cannot pass the folders above the data directory (`/root`, a private temporary folder). So it
 * gets the cluster as an open descriptor, which no permission above it can close.
 *
 * The environment is emptied: it holds the host's secrets, and variables such as PGDATA which would mislead.
 */
export function startProgram(
  program: string,
  args: readonly string[],
  { cluster, account, env = {} }: Place & { readonly env?: Readonly<Record<string, string>> },
): ChildProcess {
  const descriptor = openSync(cluster, 'r');
  try {
    return spawn(program, ['-D', account === undefined ? cluster : inheritedFolder, ...args], {
      ...account,
      cwd: cluster,
      detached: true,
      env: { LC_ALL: 'C', ...env },
      stdio: ['ignore', 'ignore', 'pipe', descriptor],
    });
  } finally {
    closeSync(descriptor);
  }
}
