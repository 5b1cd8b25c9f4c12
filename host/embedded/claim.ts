import { Socket } from 'node:net';
import pg from 'pg';
import { port, user } from './cluster.ts';
import { errorCode, errorText } from './error-code.ts';

/** The advisory lock on a cluster: "ductor", as a number. */
const claimKey = 0x647563746f72;
/** Where the claim is kept: a database that each cluster has. */
const database = 'postgres';
/** No socket, nobody behind it, cut while connecting; and PostgreSQL's codes while it stops, crashes, starts or recovers. */
const awayCodes = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03'];

/** The session that holds a claim; the claim ends with it, and so with the host. */
export interface Claim {
  readonly session: pg.Client;
  /** From now on it keeps no host alive that has nothing left to do. */
  unref(): void;
  /** Resolves when the session has ended. */
  readonly lost: Promise<void>;
}

/** A claim, or the process id of the host that has it, or nothing while the server takes no connections. */
export type ClaimAnswer = Claim | { readonly takenBy: string } | undefined;

/**
 * Claims the cluster of a running server.
 *
 * The lock is kept by the server that it guards and by a connection of this process: it cannot outlive the process, and
 * a process id that is used again means nothing to it.
 */
export async function claim(socketFolder: string): Promise<ClaimAnswer> {
  const socket = new Socket();
  const session = sessionOn(socketFolder, socket);
  const lost = new Promise<void>((resolve) => session.once('end', resolve));
  try {
    await session.connect();
    const { rows } = await session.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [claimKey]);
    if (rows[0]?.held === true) {
      return { session, lost, unref: () => socket.unref() };
    }
    const takenBy = (await holder(session)) ?? 'a host that is just ending';
    await session.end();
    return { takenBy };
  } catch (error) {
    await session.end().catch(() => undefined);
    if (isAway(error)) return undefined;
    throw error;
  }
}

/** Whether a host owns the cluster of a running server; false too while it takes no connections. Claims nothing. */
export async function isClaimed(socketFolder: string): Promise<boolean> {
  const session = sessionOn(socketFolder, new Socket());
  try {
    await session.connect();
    return (await holder(session)) !== undefined;
  } catch (error) {
    if (isAway(error)) return false;
    throw error;
  } finally {
    await session.end().catch(() => undefined);
  }
}

function sessionOn(socketFolder: string, socket: Socket): pg.Client {
  const session = new pg.Client({
    stream: () => socket,
    host: socketFolder,
    port,
    user,
    database,
    ssl: false,
    application_name: `ductor host ${process.pid}`,
  });
  // Its end says all there is to know about an error.
  session.on('error', () => undefined);
  return session;
}

async function holder(session: pg.Client): Promise<string | undefined> {
  const { rows } = await session.query<{ name: string }>(
    `select a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.granted and (l.classid::bigint << 32) + l.objid::bigint = $1`,
    [claimKey],
  );
  return rows[0]?.name;
}

/** Whether an error means no more than that the server takes no connections just now, or lost this one. */
export function isAway(error: unknown): boolean {
  const code = errorCode(error);
  return code === undefined ? /^(Connection terminated|Client )/.test(errorText(error)) : awayCodes.includes(code);
}
