import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { hostCore } from '#host/boot/host-core.js';
import { ductor, run } from './cli-support.ts';

const NAME = '@acme/ductor-plugin-hello';

describe('ductor plugin', function () {
  this.timeout(120_000);
  let cwd: string;
  /** A package that `plugin new` has made. */
  let made: string;
  let env: NodeJS.ProcessEnv;
  const installed = () => join(cwd, 'data', 'plugins');

  before(async () => {
    made = join(await mkdtemp(join(tmpdir(), 'ductor-new-')), 'ductor-plugin-hello');
    const { code, stderr } = await ductor(['plugin', 'new', NAME], { cwd: join(made, '..') });
    expect(code, stderr).to.equal(0);
  });
  after(() => rm(join(made, '..'), { recursive: true }));
  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'ductor-plugins-'));
    await cp(made, join(cwd, 'hello'), { recursive: true });
    env = { DUCTOR_DATA_DIR: join(cwd, 'data'), npm_config_cache: join(cwd, 'npm') };
  });
  afterEach(() => rm(cwd, { recursive: true }));

  const plugin = (...args: readonly string[]) => ductor(['plugin', ...args], { cwd, env });
  const json = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await plugin(...args, '--json');
    expect(code, stderr).to.equal(0);
    return JSON.parse(stdout);
  };
  const yaml = () => readFile(join(cwd, 'ductor.yaml'), 'utf8');
  /** Changes the plugin's package.json. */
  const edit = async (change: (manifest: { version: string; ductor: { plugin: Record<string, unknown> } }) => void) => {
    const file = join(cwd, 'hello', 'package.json');
    const manifest = JSON.parse(await readFile(file, 'utf8'));
    change(manifest);
    await writeFile(file, JSON.stringify(manifest));
  };

  it('new writes a package that npm installs, whose tests pass, and that is not overwritten', async () => {
    const folder = join(cwd, 'hello');
    const npm = (...args: readonly string[]) => run('npm', args, { cwd: folder, env });
    const npmInstall = await npm('install');
    expect(npmInstall.code, npmInstall.stderr).to.equal(0);
    expect(await realpath(join(folder, 'node_modules/@ductor/core'))).to.equal(hostCore);
    const tested = await npm('test');
    expect(tested.code, tested.stdout).to.equal(0);
    expect(await plugin('new', './hello')).to.deep.include({ code: 2 });
    expect(await plugin('new', './Not A Name')).to.deep.include({ code: 2 });
  });

  it('add installs a copy, shows what it brings, and names it in ductor.yaml as that was written', async () => {
    const before = '# ours\nplugins:      # all of them\n  correlation-labels: {options: {max_labels: 8}}\n';
    await writeFile(join(cwd, 'ductor.yaml'), before);
    const added = await json('add', './hello');
    expect(added).to.deep.include({
      package: NAME,
      id: 'acme-hello',
      version: '0.1.0',
      step_types: ['STEP_TYPE_ACME_HELLO'],
      routes: ['GET /api/plugins/acme-hello/greeting'],
    });
    expect(await yaml()).to.equal(before.replace('  corr', `  "${NAME}": { version: 0.1.0 }\n  corr`));
    expect(await realpath(join(installed(), 'node_modules', NAME))).to.include(await realpath(installed()));
    // One core: the host's.
    expect(await realpath(join(installed(), 'node_modules/@ductor/core'))).to.equal(hostCore);
    expect((await ductor(['config', 'check'], { cwd, env })).code).to.equal(0);
    const { items } = await json('list');
    expect(items.find(({ id }: { id: string }) => id === 'acme-hello')).to.deep.include({
      ...{ name: NAME, version: '0.1.0', state: 'on', own: false, problems: [] },
      step_types: ['STEP_TYPE_ACME_HELLO'],
    });

    // Another version takes its place.
    await edit((manifest) => {
      manifest.version = '0.2.0';
    });
    await json('add', './hello', '--options', '{"greeting":"Good morning"}');
    expect(await yaml())
      .to.include('version: 0.2.0')
      .and.include('greeting: Good morning');
    expect(await readdir(join(installed(), 'packages'))).to.deep.equal(['acme-ductor-plugin-hello-0.2.0.tgz']);

    const { package: removed } = await json('remove', 'acme-hello');
    expect(removed).to.equal(NAME);
    expect(await yaml()).to.equal(before);
    expect(existsSync(join(installed(), 'node_modules', NAME))).to.equal(false);
    expect(await readdir(join(installed(), 'packages'))).to.deep.equal([]);
    expect(await plugin('remove', 'acme-hello')).to.deep.include({ code: 1 });
    expect(await plugin('remove', 'correlation-labels')).to.deep.include({ code: 2 });
  });

  it('add leaves nothing of what a host would not start with, and says all that is wrong', async () => {
    await edit(({ ductor }) => {
      Object.assign(ductor.plugin, { pluginApi: '^9.0.0', requires: { ledger: '^1.0.0' } });
    });
    const refused = await plugin('add', './hello');
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.include('is written for plugin API ^9.0.0').and.include('requires the plugin ledger');
    const unknown = await plugin('add', './hello', '--options', '{"greetin":1}');
    expect(unknown.code).to.equal(1);
    const nothing = await plugin('add', './nowhere');
    expect(nothing.code).to.equal(1);
    expect(nothing.stderr).to.include('npm pack failed');
    expect(existsSync(join(cwd, 'ductor.yaml'))).to.equal(false);
    expect(await readdir(join(cwd, 'data'))).to.deep.equal([]);
  });

  it('add takes a name and range from the registry that npm is configured with', async () => {
    const archive = join(cwd, 'acme-ductor-plugin-hello-0.1.0.tgz');
    await run('npm', ['pack', './hello', '--ignore-scripts'], { cwd, env });
    const registry = await startRegistry(await readFile(archive));
    try {
      env.npm_config_registry = registry.url;
      const added = await json('add', `${NAME}@^0.1.0`);
      expect(added).to.deep.include({ package: NAME, version: '0.1.0' });
      const { dependencies } = JSON.parse(await readFile(join(installed(), 'package.json'), 'utf8'));
      expect(dependencies[NAME]).to.equal('0.1.0');
      expect((await plugin('add', `${NAME}@^9.0.0`)).code).to.equal(1);
      expect(await yaml()).to.include('version: 0.1.0');
    } finally {
      registry.close();
    }
  });
});

/** An npm registry with one package in it. */
async function startRegistry(archive: Buffer): Promise<{ readonly url: string; close(): void }> {
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  const server: Server = createServer((request, response) => {
    if (request.url?.endsWith('.tgz')) return response.end(archive);
    const url = `http://${request.headers.host}`;
    const version = { name: NAME, version: '0.1.0', dist: { tarball: `${url}/hello.tgz`, integrity } };
    response.setHeader('content-type', 'application/json');
    return response.end(
      JSON.stringify({ name: NAME, 'dist-tags': { latest: '0.1.0' }, versions: { '0.1.0': version } }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
