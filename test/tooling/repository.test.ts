import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { root } from './repository.ts';

interface Locked {
  resolved?: string;
  link?: boolean;
}
const lock: { packages: Record<string, Locked> } = readJson('package-lock.json');
const unread = new Set(['.git', '.ductor', 'dist', 'node_modules']);
const text = /\.([cm]?[jt]sx?|json|md|ya?ml|sql|sh|html|css)$|^[^.]+$/;

function readJson(file: string) {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}

function filesBelow(dir: string): string[] {
  return readdirSync(join(root, dir), { withFileTypes: true }).flatMap((entry) => {
    if (unread.has(entry.name)) return [];
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() && text.test(entry.name) ? [path] : [];
  });
}

describe('the repository', () => {
  const files = filesBelow('.');
  const manifests = files.filter((file) => /(^|\/)package\.json$/.test(file));

  it('locks every package to a version of the registry, whichever registry that is', () => {
    // Links are our own workspaces.
    const resolved = Object.entries(lock.packages).filter(([, { resolved, link }]) => resolved !== undefined && !link);
    expect(resolved.map(([name]) => name)).to.deep.equal([]);
  });

  it('depends on no git repository, folder or archive', () => {
    const elsewhere = manifests.flatMap((file) => {
      const { dependencies, devDependencies, optionalDependencies, peerDependencies } = readJson(file);
      const all = { ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies };
      return Object.entries<string>(all)
        .filter(([, range]) => /^(file|link|git|github|https?)|\//.test(range.replace(/^npm:@[^/]+\//, '')))
        .map(([name, range]) => `${file}: ${name}@${range}`);
    });
    expect(elsewhere).to.deep.equal([]);
  });

  it('is licensed under Apache-2.0 in each of its packages', () => {
    expect(manifests).to.include.members(['package.json', 'core/package.json', 'host/package.json']);
    expect(manifests.filter((file) => readJson(file).license !== 'Apache-2.0')).to.deep.equal([]);
    expect(readFileSync(join(root, 'LICENSE'), 'utf8')).to.include('Apache License');
  });

  it('names no folder of the machine it was written on', () => {
    // In parts, so that this file does not name them either.
    const folders = ['work', 'root'].map((name) => `/${name}/`);
    const named = files.filter((file) => {
      const words = readFileSync(join(root, file), 'utf8');
      return folders.some((folder) => new RegExp(`(^|[\\s'"\`(=:])${folder}`, 'm').test(words));
    });
    expect(named).to.deep.equal([]);
  });
});
