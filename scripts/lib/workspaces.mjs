import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';

/**
 * @typedef {'core' | 'host' | 'migrations' | 'client' | 'plugin' | 'sdk' | 'connector'} Kind what a package is in the house
 * @typedef {{name: string, dir: string, kind: Kind, manifest: object}} Workspace
 */

/**
 * The workspaces of the repository at `root`, the innermost folders first.
 * @returns {Workspace[]}
 */
export function readWorkspaces(root) {
  const { workspaces } = readManifest(root);
  return workspaces
    .flatMap((pattern) => (pattern.endsWith('/*') ? foldersOf(root, pattern.slice(0, -2)) : [pattern]))
    .filter((dir) => existsSync(join(root, dir, 'package.json')))
    .map((dir) => {
      const manifest = readManifest(join(root, dir));
      return { name: manifest.name, dir, kind: kindOf(dir), manifest };
    })
    .sort((a, b) => b.dir.length - a.dir.length);
}

/** The workspace that a file lies in, `file` being relative to the root. */
export function ownerOf(workspaces, file) {
  return workspaces.find(({ dir }) => file.startsWith(`${dir}/`));
}

/**
 * Where an import leads: to a source file of a workspace, to Node, or to a package from the registry.
 * `byPath` tells that a relative path was used.
 */
export function resolveImport({ root, workspaces, from, specifier }) {
  if (specifier.startsWith('.')) {
    const file = relative(root, join(root, dirname(from), specifier));
    return { byPath: true, workspace: ownerOf(workspaces, file), file: sourceOf(root, file) };
  }
  if (isBuiltin(specifier)) return { builtin: specifier };
  const workspace = workspaces.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`));
  if (workspace === undefined) return { external: specifier };
  const target = exportTarget(workspace.manifest.exports, `.${specifier.slice(workspace.name.length)}`);
  return { workspace, file: target && sourceOf(root, join(workspace.dir, target)) };
}

function readManifest(dir) {
  return JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
}

function foldersOf(root, parent) {
  if (!existsSync(join(root, parent))) return [];
  return readdirSync(join(root, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${parent}/${entry.name}`);
}

function kindOf(dir) {
  if (dir === 'core' || dir === 'host' || dir === 'migrations') return dir;
  if (dir === 'host/client') return 'client';
  if (dir === 'connectors/sdk') return 'sdk';
  if (dir.startsWith('connectors/')) return 'connector';
  if (dir.startsWith('plugins/')) return 'plugin';
  throw new Error(`the workspace ${dir} has no place in the house: name its kind in scripts/lib/workspaces.mjs`);
}

function exportTarget(exports, subpath) {
  const target = typeof exports === 'string' ? (subpath === '.' ? exports : undefined) : exports?.[subpath];
  return typeof target === 'object' ? (target.import ?? target.default) : target;
}

/** Exports name outputs (`dist/api.js`) and so may scripts; rules are about what they are compiled from. */
function sourceOf(root, file) {
  const source = file.replace(/(^|\/)dist\//, '$1');
  const candidates = [source, source.replace(/\.js$/, '.ts'), source.replace(/\.js$/, '.tsx')];
  return candidates.find((candidate) => existsSync(join(root, candidate)));
}
