import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { expect } from 'chai';
import { freePort, startHostProcess } from '../support/host-process.ts';
import { processesMs, root, run } from './repository.ts';

interface Packed {
  readonly name: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly bin?: Readonly<Record<string, string>>;
}

/** What npm would publish of each workspace; `args`: `--dry-run`, or where to. */
async function pack(...args: string[]): Promise<readonly Packed[]> {
  const { code, output } = await run({
    command: 'npm',
    args: ['pack', '--json', '--workspaces', '--loglevel=silent', '--ignore-scripts', ...args],
  });
  expect(code, output).to.equal(0);
  const packed: readonly Packed[] | Readonly<Record<string, Packed>> = JSON.parse(output);
  return Object.values(packed);
}

describe('the packages', function () {
  this.timeout(processesMs);
  let packages: readonly { readonly dir: string; readonly paths: readonly string[]; readonly manifest: Manifest }[];

  before(async () => {
    const { packages: locked }: { packages: Record<string, { name?: string; link?: boolean; resolved?: string }> } =
      JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    const packed = await pack('--dry-run');
    packages = packed.map(({ name, files }) => {
      const dir = locked[`node_modules/${name}`]?.resolved ?? '';
      const manifest: Manifest = JSON.parse(readFileSync(join(root, dir, 'package.json'), 'utf8'));
      return { dir, manifest, paths: files.map(({ path }) => path) };
    });
    expect(packages.map(({ manifest: { name } }) => name)).to.include.members(['@ductor/core', '@ductor/host']);
  });

  /** Every packed file of every package for which `isWrong` holds, such as `core/dist/a.js`. */
  const filesThat = (isWrong: (path: string, dir: string) => boolean): readonly string[] =>
    packages.flatMap(({ dir, paths }) => paths.filter((path) => isWrong(path, dir)).map((path) => join(dir, path)));

  it('hold no sources, tests or state of the build', () => {
    const isWrong = /(?<!\.d)\.tsx?$|\.test\.|(^|\/)(tsconfig.*\.json|\.tsbuildinfo|node_modules|.*\.log)(\/|$)/;
    expect(filesThat((path) => isWrong.test(path))).to.deep.equal([]);
  });

  it('have a README and the licence', () => {
    const licence = readFileSync(join(root, 'LICENSE'), 'utf8');
    for (const { dir, paths } of packages) {
      expect(paths, dir).to.include.members(['README.md', 'LICENSE']);
      expect(readFileSync(join(root, dir, 'LICENSE'), 'utf8'), dir).to.equal(licence);
    }
  });

  it('have every file that they export or run', () => {
    const missing = packages.flatMap(({ dir, manifest: { exports = {}, bin = {} }, paths }) => {
      const exported = Object.values(exports).flatMap((target) =>
        typeof target === 'string' ? [target] : Object.values(target),
      );
      const targets = [...exported, ...Object.values(bin)].map((target) => normalize(target));
      return targets
        .filter((target) => !target.includes('*') && !paths.includes(target))
        .map((path) => join(dir, path));
    });
    expect(missing).to.deep.equal([]);
  });

  it('have every file that they look for beside their own', () => {
    const located = /new URL\('(\.[^']+\.\w+)', import\.meta\.url\)/g;
    const missing = packages.flatMap(({ dir, paths }) =>
      paths
        .filter((path) => path.endsWith('.js'))
        .flatMap((path) =>
          [...readFileSync(join(root, dir, path), 'utf8').matchAll(located)]
            .map(([, target = '']) => join(dirname(path), target))
            .filter((target) => !paths.includes(target))
            .map((target) => `${join(dir, path)}: ${target}`),
        ),
    );
    expect(missing).to.deep.equal([]);
  });

  it('have source maps that need nothing else', () => {
    const dangling = filesThat((path, dir) => {
      if (!path.endsWith('.map')) return false;
      const map: { sources: readonly string[]; sourcesContent?: readonly (string | null)[] } = JSON.parse(
        readFileSync(join(root, dir, path), 'utf8'),
      );
      return map.sources.some((_, at) => typeof map.sourcesContent?.[at] !== 'string');
    });
    expect(dangling).to.deep.equal([]);
  });

  it('have the migrations', () => {
    const { paths } = packages.find(({ manifest }) => manifest.name === '@ductor/migrations')!;
    expect(paths).to.include('0001_core.sql').and.not.include('schema.sql');
  });

  it('install without the workspace, and a host starts there', async function () {
    if (process.env.FULL !== '1') this.skip();
    this.timeout(5 * 60_000);
    const dir = await mkdtemp(join(tmpdir(), 'ductor-pack-'));
    try {
      await pack('--pack-destination', dir);
      const tarballs = (await readdir(dir)).map((name) => join(dir, name));
      const installed = await run({
        command: 'npm',
        args: ['install', '--prefix', dir, '--no-audit', '--no-fund', '--ignore-scripts', ...tarballs],
        cwd: dir,
      });
      expect(installed.code, installed.output).to.equal(0);
      const host = await startHostProcess({
        dataDir: await mkdtemp(join(dir, 'data-')),
        port: await freePort(),
        program: join(dir, 'node_modules', '.bin', 'ductor'),
      });
      try {
        expect(await host.call('GET', '/api/workflow-definitions')).to.have.property('items');
      } finally {
        await host.kill('SIGTERM');
      }
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });
});

describe('the given libraries', () => {
  const given = ['@hapi/hapi', '@hapi/joi', 'cron-parser', 'ioredis', 'knex', 'pg', 'piscina', 'tsyringe'];

  it('are there once each', () => {
    const { packages }: { packages: Record<string, unknown> } = JSON.parse(
      readFileSync(join(root, 'package-lock.json'), 'utf8'),
    );
    const copies = given.map((name) => ({
      name,
      places: Object.keys(packages).filter((path) => path.endsWith(`node_modules/${name}`)),
    }));
    expect(copies.filter(({ places }) => places.length > 1)).to.deep.equal([]);
    expect(copies.find(({ name }) => name === 'pg')?.places).to.have.length(1);
  });
});
