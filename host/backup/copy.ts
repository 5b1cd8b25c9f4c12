import { createHash } from 'node:crypto';
import { type FileHandle, lstat, mkdir, open, readdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../embedded/error-code.ts';
import type { Contents } from './manifest.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer Item)[] ? Item[] : T[K] };
/** What has been copied so far. */
export type Copied = Writable<Contents>;

const chunkBytes = 1024 * 1024;
/** Their waits for the disk overlap. */
const filesAtOnce = 8;

export const nothingCopied = (): Copied => ({ folders: [], files: [], links: [] });

/** Where a copy comes from and goes to: two folders, and paths that mean the same in both. */
export interface Ways {
  readonly from: string;
  readonly to: string;
}

/**
 * Copies what lies at `path`, and all below it, and notes it in `copied`. Only the owner's permissions are kept.
 * What vanishes meanwhile is left out: PostgreSQL removes files while it runs, and knows from its log which.
 *
 * @param skips tells what is not wanted.
 */
export async function copyTree(
  { from, to }: Ways,
  path: string,
  { copied, skips }: { readonly copied: Copied; readonly skips: (path: string) => boolean },
): Promise<void> {
  const found: { readonly path: string; readonly mode: number }[] = [];
  const visit = async (at: string): Promise<void> => {
    if (skips(at)) return;
    const stats = await lstat(join(from, at)).catch(ignoreMissing);
    const mode = (stats?.mode ?? 0) & 0o700;
    if (stats?.isFile()) found.push({ path: at, mode });
    if (stats?.isSymbolicLink()) {
      const target = await readlink(join(from, at));
      await symlink(target, join(to, at));
      copied.links.push({ path: at, target });
    }
    if (stats?.isDirectory()) {
      await mkdir(join(to, at), { mode: 0o700 });
      copied.folders.push({ path: at, mode });
      for (const name of await readdir(join(from, at))) await visit(`${at}/${name}`);
    }
  };
  await visit(path);
  await forEach(found, async (file) => {
    const result = await copyFile({ from, to }, file.path, file.mode).catch(ignoreMissing);
    if (result !== undefined) copied.files.push({ ...file, ...result });
  });
}

/**
 * Copies one file, durably. What is read meanwhile may be cut off or written to; a system call that copies whole files
 * takes that badly.
 */
export async function copyFile(
  { from, to }: Ways,
  path: string,
  mode: number,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const source = await open(join(from, path));
  try {
    return await writeDurably(join(to, path), mode, async (target) => {
      const hash = createHash('sha256');
      const buffer = Buffer.allocUnsafe(chunkBytes);
      let bytes = 0;
      for (;;) {
        const { bytesRead } = await source.read(buffer, 0, chunkBytes);
        if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') };
        const chunk = buffer.subarray(0, bytesRead);
        hash.update(chunk);
        await target.writeFile(chunk);
        bytes += bytesRead;
      }
    });
  } finally {
    await source.close();
  }
}

/** Writes a new file, and notes it as if it had been copied. */
export async function writeCopy(
  to: string,
  path: string,
  { content, copied }: { content: string | Buffer; copied: Copied },
) {
  await writeDurably(join(to, path), 0o600, (target) => target.writeFile(content));
  const sha256 = createHash('sha256').update(content).digest('hex');
  copied.files.push({ path, mode: 0o600, bytes: Buffer.byteLength(content), sha256 });
}

/** Makes a new file that outlives a power cut once this has answered, but for its name: see `syncFolder`. */
export async function writeDurably<T>(
  file: string,
  mode: number,
  write: (target: FileHandle) => Promise<T>,
): Promise<T> {
  const target = await open(file, 'wx', 0o600);
  try {
    const result = await write(target);
    await target.chmod(mode);
    await target.sync();
    return result;
  } finally {
    await target.close();
  }
}

/** Makes the names in each of the folders outlive a power cut. */
export async function syncFolders(folders: readonly string[]): Promise<void> {
  await forEach(folders, async (folder) => {
    const handle = await open(folder);
    await handle.sync().finally(() => handle.close());
  });
}

/** A few at a time; the first error ends it once those under way have ended. */
export async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const lane = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  const lanes = await Promise.allSettled(Array.from({ length: filesAtOnce }, lane));
  for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason;
}

function ignoreMissing(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error;
}
