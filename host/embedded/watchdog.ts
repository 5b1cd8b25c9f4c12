import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Place } from './program.ts';

/**
 * Waits for the end of its input, which comes when the host is gone, however it went; then stops the postmaster, unless
 * postmaster.pid says that this process id is another program's by now. Built-ins only: it depends on no PATH.
 */
const script = 'read -r _; read -r pid < postmaster.pid && [ "$pid" = "$0" ] && kill -INT "$pid"';

/** Starts the shell that stops this postmaster when the host has died. Answers with what dismisses it. */
export function startWatchdog(postmasterPid: number, { cluster, account }: Place): () => void {
  const child = spawn('/bin/sh', ['-c', script, String(postmasterPid)], {
    ...account,
    cwd: cluster,
    detached: true,
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without it the next start still finds and stops an orphan.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  return () => child.stdin.end();
}
