import { setTimeout as delay } from 'node:timers/promises';
import { DuctorError } from '@ductor/core';
import type { BaseLogger } from 'pino';
import { serverAccount } from './account.ts';
import { locateBinaries } from './binaries.ts';
import { type Claim, claim, isAway, isClaimed } from './claim.ts';
import { clusterOf, ensureCluster, ensureSocketFolder, user } from './cluster.ts';
import { errorCode } from './error-code.ts';
import { type Postmaster, type PostmasterOptions, startPostmaster } from './postmaster.ts';
import { type PostmasterFile, readPostmasterFile } from './postmaster-file.ts';

const database = 'ductor';
const pollMs = 20;
/** A host that serves tries again after so long, as often as it takes. */
const againMs = 500;
/** How long another host's server, or what is left of it, may be in the way. */
const othersWithinMs = 60_000;
/** What PostgreSQL says when another postmaster was faster, and when a dead one's sessions have not all noticed yet. */
const isPassing = /lock file ".*" already exists|pre-existing shared memory block/;
/** Nobody but another host that claimed it does this to a server that is just starting. */
const wasTakenOver = /received fast shutdown request/;

/** The database that the host runs itself. */
export interface EmbeddedPostgres {
  /** Connects as the owner of the database `ductor`, by Unix socket. */
  readonly url: string;
  readonly dataDir: string;
  /** Ends all sessions and the server, in order; resolves when it is gone. */
  stop(): Promise<void>;
}

/** The server that this host has: its process and its claim. */
interface Server {
  readonly postmaster: Postmaster;
  readonly claim: Claim;
}

/**
 * Starts PostgreSQL on `<dataDir>/postgres`, which is made if missing, and keeps it running until `stop`.
 *
 * @throws DuctorError `failed_precondition`: another host has this data directory, there are no binaries for this
 *   platform, or the server cannot start; the message says what to do.
 */
export async function startEmbeddedPostgres({
  dataDir,
  log,
}: {
  readonly dataDir: string;
  readonly log: BaseLogger;
}): Promise<EmbeddedPostgres> {
  const cluster = await clusterOf(dataDir);
  const account = await serverAccount(cluster);
  const { initdb, postgres } = await locateBinaries(account);
  await ensureCluster({ cluster, account }, initdb);
  const socketFolder = await ensureSocketFolder({ cluster, account });
  const options = { cluster, account, postgres, socketFolder, recycledPid: undefined, log };

  let stopping = false;
  let serving = bringUp(options);
  const stop = async (): Promise<void> => {
    stopping = true;
    const server = await serving.catch(() => undefined);
    await server?.postmaster.stop();
  };
  /** What ends it may strike again before it is up. */
  const bringUpAgain = async (failed: Postmaster): Promise<Server> => {
    for (let own: Postmaster | undefined = failed; ; own = undefined) {
      try {
        return await bringUp(options, own);
      } catch (error) {
        if (stopping) throw error;
        log.error({ err: error }, 'the embedded database could not be brought up; it is tried again');
        await delay(againMs);
      }
    }
  };
  const keepUp = async (): Promise<void> => {
    for (;;) {
      const { postmaster, claim: held } = await serving;
      await held.lost;
      if (stopping) return;
      log.error({ postgres: postmaster.said }, 'the embedded database failed and is brought up again');
      serving = bringUpAgain(postmaster);
    }
  };

  await serving;
  // Rejects only while it is being stopped.
  keepUp().catch((error) => log.debug({ err: error }, 'the embedded database was stopped while it was brought up'));
  return { url: urlAt(socketFolder), dataDir, stop };
}

/**
 * Where another process serves the database of this data directory, for a visitor that starts and stops nothing; `null`:
 * nobody does just now.
 *
 * @throws DuctorError `failed_precondition`: it belongs to another account.
 */
export async function embeddedUrlOfRunning(dataDir: string): Promise<string | null> {
  const cluster = await clusterOf(dataDir);
  await serverAccount(cluster);
  const found = await readPostmasterFile(cluster);
  // Unclaimed, its host is dead, and it is about to be stopped.
  if (found?.alive !== true || !(await isClaimed(found.socketFolder))) return null;
  return urlAt(found.socketFolder);
}

const urlAt = (socketFolder: string): string => `postgres://${user}@${encodeURIComponent(socketFolder)}/${database}`;

/** Answers with a server of our own that we have claimed; `own`: the one that had been claimed, if it still lives. */
async function bringUp(options: PostmasterOptions, own?: Postmaster): Promise<Server> {
  const { cluster, log } = options;
  let postmaster = own;
  const othersMayStayUntil = Date.now() + othersWithinMs;
  try {
    for (;;) {
      if (postmaster?.alive === false) {
        if (postmaster !== own) judgeEnd(cluster, postmaster.said, Date.now() < othersMayStayUntil);
        postmaster = undefined;
      }
      const found = await readPostmasterFile(cluster);
      if (found?.alive !== true) postmaster ??= startPostmaster({ ...options, recycledPid: found?.pid });
      const answer = await claim(found?.alive === true ? found.socketFolder : options.socketFolder);
      if (answer !== undefined && 'takenBy' in answer) throw inUse(cluster, answer.takenBy);
      if (answer !== undefined) {
        // Only now is it certain whose server it is: of two that start at once, one is about to give up.
        const claimed = await readPostmasterFile(cluster);
        if (claimed !== undefined && claimed.pid === postmaster?.pid) {
          if (await ensureDatabase(answer)) return served(postmaster, answer);
        } else {
          await stopOrphan(claimed, answer, log);
        }
      } else if (found?.alive === true && found.pid !== postmaster?.pid && Date.now() > othersMayStayUntil) {
        throw unresponsive(cluster, found.pid);
      }
      // A server of our own is waited for as long as it lives: recovery takes as long as it takes.
      await delay(pollMs);
    }
  } catch (error) {
    // If another host has claimed it, that host is about to stop it too.
    await postmaster?.stop();
    throw error;
  }
}

function served(postmaster: Postmaster, claim: Claim): Server {
  claim.unref();
  return { postmaster, claim };
}

/** Throws unless it makes sense to start another server after one that ended while it was starting. */
function judgeEnd(cluster: string, said: string, othersMayStay: boolean): void {
  // To give way here keeps two hosts from stopping each other's servers in turn.
  if (wasTakenOver.test(said)) throw inUse(cluster, 'a host that starts at the same time');
  if (!isPassing.test(said) || !othersMayStay) throw cannotStart(cluster, said);
}

/** Its host is dead, or we could not have claimed it. It ends the claim's session with all others. */
async function stopOrphan(
  orphan: PostmasterFile | undefined,
  { lost, session }: Claim,
  log: BaseLogger,
): Promise<void> {
  if (orphan?.alive !== true) return session.end();
  log.warn({ pid: orphan.pid }, 'the embedded database outlived its host; it is stopped and started anew');
  try {
    process.kill(orphan.pid, 'SIGINT');
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
  await lost;
}

/** Answers false if the server went away meanwhile. */
async function ensureDatabase({ session }: Claim): Promise<boolean> {
  try {
    const { rowCount } = await session.query('select from pg_database where datname = $1', [database]);
    if (rowCount === 0) await session.query(`create database ${database}`);
    return true;
  } catch (error) {
    if (isAway(error)) return false;
    throw error;
  }
}

const inUse = (cluster: string, owner: string): DuctorError =>
  new DuctorError(
    'failed_precondition',
    `The data directory of ${cluster} is in use by another process (${owner}): ` +
      'stop that one, choose another DUCTOR_DATA_DIR, or let both use one server by DATABASE_URL',
  );

const unresponsive = (cluster: string, pid: number): DuctorError =>
  new DuctorError(
    'failed_precondition',
    `A PostgreSQL (process ${pid}) already runs on ${cluster} and does not answer: stop it (kill -INT ${pid})`,
  );

const cannotStart = (cluster: string, said: string): DuctorError =>
  new DuctorError('failed_precondition', `PostgreSQL cannot start on ${cluster}:\n${said}`);
