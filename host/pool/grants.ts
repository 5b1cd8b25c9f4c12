import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Permissions } from './manifest.ts';

export interface GrantOptions {
  /** The connector's package folder. */
  readonly dir: string;
  readonly permissions: Permissions;
  /** The pool's own temporary folder; `null` where the manifest asks for none. */
  readonly tmp: string | null;
}

/**
 * Node's permission flags for a connector's threads: it reads its own folder and those of its dependencies, and what
 * the thread itself is made of. Nothing else unless its manifest declares it.
 */
export const permissionFlags = ({ dir, permissions, tmp }: GrantOptions): string[] => [
  ...basicFlags([...packageFolders(dir), ...shimFolders(), ...(tmp === null ? [] : [tmp])]),
  ...(tmp === null ? [] : [`--allow-fs-write=${tmp}`]),
  ...(permissions.childProcess ? ['--allow-child-process'] : []),
  ...(permissions.native ? ['--allow-addons'] : []),
];

/**
 * A thread that may read these folders or files, and do no other harm.
 * Each must stand there once: Node 20 aborts the whole process over a path granted twice, with or without a slash.
 */
export const basicFlags = (readable: readonly string[]): string[] => [
  Number(process.versions.node.split('.')[0]) < 22 ? '--experimental-permission' : '--permission',
  '--disable-warning=ExperimentalWarning',
  ...[...new Set(readable.map(bare))].map((path) => `--allow-fs-read=${path}`),
];

/** The package's folder and, transitively, those of its installed dependencies: as linked, and as they really lie. */
export const packageFolders = (dir: string): string[] => {
  const found = new Set<string>();
  const visited = new Set<string>();
  const visit = (linked: string): void => {
    const real = realpathSync(linked);
    found.add(linked);
    if (visited.has(real)) return;
    visited.add(real);
    found.add(real);
    for (const name of dependencies(real)) {
      const next = installedAt(name, real);
      if (next !== null) visit(next);
    }
  };
  visit(dir);
  return [...found];
};

const dependencies = (dir: string): string[] => {
  const manifest: unknown = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
  const kinds = ['dependencies', 'optionalDependencies', 'peerDependencies'] as const;
  return kinds.flatMap((kind) => Object.keys((manifest as Partial<Record<typeof kind, object>>)[kind] ?? {}));
};

/** Where Node would find a package from `dir`; `null` if it is not installed. */
const installedAt = (name: string, dir: string): string | null => {
  for (let at = dir; ; at = dirname(at)) {
    const candidate = join(at, 'node_modules', name);
    if (isPackage(candidate)) return candidate;
    if (dirname(at) === at) return null;
  }
};

const isPackage = (dir: string): boolean => {
  try {
    return realpathSync(join(dir, 'package.json')) !== '';
  } catch {
    return false;
  }
};

/** The thread's own code: the pool's modules, and what runs or serves them. */
const shimFolders = (): string[] => {
  const here = dirname(fileURLToPath(import.meta.url));
  const require = createRequire(import.meta.url);
  const packages = ['piscina', 'undici'].map((name) => packageRoot(require.resolve(name), name));
  const manifest = join(here, '..', '..', 'package.json');
  return [here, manifest, ...packages.flatMap((root) => [root, realpathSync(root)])];
};

const packageRoot = (file: string, name: string): string => {
  const marker = `${sep}node_modules${sep}${name}${sep}`;
  return file.slice(0, file.lastIndexOf(marker) + marker.length - 1);
};

const bare = (path: string): string => (path.endsWith(sep) ? path.slice(0, -1) : path);
