import { chown, lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuctorError } from '@ductor/core';

/** Whom the server runs as, where that is not the host's own account. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Chooses the server's account; `undefined` is the host's own.
 *
 * PostgreSQL refuses to run as root, so root runs it as whoever owns the cluster, and a new one as `nobody`.
 *
 * @throws DuctorError `failed_precondition`: this account cannot run this cluster.
 */
export async function serverAccount(cluster: string): Promise<Account | undefined> {
  const uid = process.getuid?.();
  const owner = await ownerOf(cluster);
  if (uid !== 0) {
    if (owner === undefined || owner.uid === uid) return undefined;
    throw new DuctorError(
      'failed_precondition',
      `${cluster} belongs to user id ${owner.uid}, but this process runs as user id ${uid}: ` +
        'start it as the owner, or give the folder to this user (chown -R)',
    );
  }
  if (process.platform !== 'linux') {
    throw new DuctorError(
      'failed_precondition',
      'The embedded database does not run as root on this system: start as an ordinary user, or set DATABASE_URL',
    );
  }
  return owner !== undefined && owner.uid !== 0 ? owner : nobody();
}

/** Gives root's folder and all in it to the account; the folder itself last, so that a half-done job is seen and redone. */
export async function giveTo(account: Account, folder: string): Promise<void> {
  if ((await lstat(folder)).uid !== 0) return;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    // A link is kept as it is: what it points at is the operator's.
    if (!entry.isSymbolicLink()) await chown(join(entry.parentPath, entry.name), account.uid, account.gid);
  }
  await chown(folder, account.uid, account.gid);
}

async function ownerOf(folder: string): Promise<Account | undefined> {
  const found = await lstat(folder).catch(() => undefined);
  return found === undefined ? undefined : { uid: found.uid, gid: found.gid };
}

async function nobody(): Promise<Account> {
  const line = /^nobody:[^:]*:(\d+):(\d+):/m.exec(await readFile('/etc/passwd', 'utf8'));
  if (line === null) {
    throw new DuctorError(
      'failed_precondition',
      'PostgreSQL refuses to run as root, and there is no account "nobody" to run it as: ' +
        'start as an ordinary user, or set DATABASE_URL',
    );
  }
  return { uid: Number(line[1]), gid: Number(line[2]) };
}
