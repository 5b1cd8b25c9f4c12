import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { BaseLogger } from 'pino';
import { port } from './cluster.ts';
import { errorText } from './error-code.ts';
import { type Place, startProgram } from './program.ts';
import { startWatchdog } from './watchdog.ts';

/** What the server is started with; durability is PostgreSQL's default, and said here because all else rests on it. */
const settings = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '128MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '',
  // A statement's error is told to whoever sent it; in the server's log it would only repeat tenants' data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
};

const linesKept = 30;

/** A server process that this host started. */
export interface Postmaster {
  readonly pid: number;
  /** False as soon as it has ended and `said` is complete. */
  readonly alive: boolean;
  /** The last lines of its log, which say why it ended. */
  readonly said: string;
  /** Ends all sessions, writes a checkpoint and waits for the end. */
  stop(): Promise<void>;
}

/** A new postmaster, and whose process id an old postmaster.pid may name in vain. */
export interface PostmasterOptions extends Place {
  readonly postgres: string;
  readonly socketFolder: string;
  readonly recycledPid: number | undefined;
  readonly log: BaseLogger;
}

export function startPostmaster(options: PostmasterOptions): Postmaster {
  const child = startProgram(
    options.postgres,
    settingsAs({ ...settings, unix_socket_directories: options.socketFolder }),
    {
      cluster: options.cluster,
      account: options.account,
      // PostgreSQL takes a lock file as stale if it names this process id; made for just this case.
      env: options.recycledPid === undefined ? {} : { PG_GRANDPARENT_PID: String(options.recycledPid) },
    },
  );
  const lines = keepLines(child, options.log);
  const pid = child.pid;
  if (pid === undefined) return unstarted(lines);
  // The server must not keep a host alive that has nothing left to do; the watchdog stops it then.
  child.unref();
  if (child.stderr instanceof Socket) child.stderr.unref();
  const dismissWatchdog = startWatchdog(pid, options);
  child.once('exit', dismissWatchdog);
  let closed = false;
  child.once('close', () => {
    closed = true;
  });
  return {
    pid,
    get alive() {
      return !closed;
    },
    get said() {
      return lines.join('\n');
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      const exit = once(child, 'exit');
      child.kill('SIGINT');
      await exit;
    },
  };
}

function settingsAs(values: Readonly<Record<string, string>>): string[] {
  return ['-p', String(port), ...Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

function keepLines(child: ChildProcess, log: BaseLogger): string[] {
  const lines: string[] = [];
  const keep = (line: string) => {
    lines.push(line);
    if (lines.length > linesKept) lines.shift();
    log[line.startsWith('PANIC') ? 'error' : 'debug']({ postgres: line }, 'embedded database');
  };
  child.on('error', (error) => keep(errorText(error)));
  if (child.stderr !== null) createInterface(child.stderr).on('line', keep);
  return lines;
}

/** A program that could not even be started: its error follows in the next turn. */
const unstarted = (lines: readonly string[]): Postmaster => ({
  pid: 0,
  alive: false,
  get said() {
    return lines.join('\n');
  },
  stop: async () => undefined,
});
