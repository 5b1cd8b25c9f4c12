import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { idleServices } from '#host/boot/contributions-of.js';
import { hostCore } from '#host/boot/host-core.js';
import { loadPlugins } from '#host/boot/load-plugins.js';
import { auditPackage, auditSource } from '../../support/audit-plugin.ts';
import { rejection } from '../../support/rejection.ts';

const readme = fileURLToPath(new URL('../../../../plugins/README.md', import.meta.url));

describe("a third party's plugin", () => {
  let dataDir: string;
  let folder: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'ductor-plugins-'));
    folder = join(dataDir, 'plugins', 'node_modules', '@acme', 'ductor-plugin-audit');
    await auditPackage(folder);
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  const load = (version = '1.0.0') =>
    loadPlugins({
      config: {
        plugins: new Map([['@acme/ductor-plugin-audit', { enabled: true, options: {}, version }]]),
        dataDir,
        baseDir: dirname(dataDir),
        locate: () => 'ductor.yaml',
      },
      services: idleServices,
    });

  it('is installed in the data directory, named in the file, and contributes on all six surfaces', async () => {
    const { migrations, plugins, steps, fields, tables, hooks, routes, services } = await load();
    expect(migrations.map(({ historyTable }) => historyTable)).to.include('eec_migration_acme_audit');
    // After what it requires.
    const order = plugins.map(({ id }) => id).filter((id) => ['acme-audit', 'correlation-labels'].includes(id));
    expect(order).to.eql(['correlation-labels', 'acme-audit']);
    expect(steps.map(({ type }) => type)).to.include('STEP_TYPE_ACME_AUDIT');
    expect(fields.map(({ of, name }) => `${of}.${name}`)).to.include.members(['step.audit', 'settings.audit']);
    expect(tables.map(({ name }) => name)).to.include('acme_audit');
    expect(hooks.map((hook) => Object.keys(hook))).to.deep.include(['start', 'settle']);
    expect(routes.map(({ plugin }) => plugin)).to.include('acme-audit');
    expect(services.map(({ plugin }) => plugin)).to.include('acme-audit');
  });

  it("imports the host's own core, wherever that has moved", async () => {
    const link = join(dataDir, 'plugins', 'node_modules', '@ductor', 'core');
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(dataDir, 'where the host was'), link);
    await load();
    expect(await realpath(link)).to.equal(hostCore);
  });

  it('is refused with a core of its own, whose errors the host would not know', async () => {
    const copy = join(folder, 'node_modules', '@ductor', 'core');
    await mkdir(copy, { recursive: true });
    await writeFile(join(copy, 'package.json'), '{ "name": "@ductor/core", "exports": "./index.js" }');
    await writeFile(join(copy, 'index.js'), '');
    const error = await rejection(load());
    expect(String(error)).to.include('imports a copy of @ductor/core of its own').and.include('peerDependencies');
  });

  it('has to have a version in the range that ductor.yaml asks for', async () => {
    expect(String(await rejection(load('^1.1.0')))).to.include(
      'acme-audit: is here in version 1.0.0, and ductor.yaml asks for ^1.1.0',
    );
    await load('^1.0.0');
  });

  it('is the one that plugins/README.md shows', async () => {
    const text = await readFile(readme, 'utf8');
    const shown = [...text.matchAll(/\n\n`([\w./-]+)` (?:(?!\n\n).)*\n\n```\w+\n(.*?)^```$/gms)];
    const names = shown.map(([, name = '']) => name);
    expect(names).to.include.members(['package.json', 'plugin.ts', 'entries.ts', 'fields.ts', 'audit.step.ts']);
    for (const [, name = '', code] of shown) {
      expect(code, name).to.equal(await readFile(join(auditSource, name), 'utf8'));
    }
  });
});
