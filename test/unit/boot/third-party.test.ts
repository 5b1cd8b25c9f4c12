import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { loadPlugins } from '#host/boot/load-plugins.js';
import { ownPluginFolders } from '#host/boot/own-plugins.js';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));
const source = join(repository, 'test/fixtures/plugins/audit');
const built = join(repository, 'test/dist/fixtures/plugins/audit');

describe("a third party's plugin", () => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'ductor-plugins-'));
    const modules = join(dataDir, 'plugins', 'node_modules');
    const folder = join(modules, '@acme', 'ductor-plugin-audit');
    await cp(source, folder, { recursive: true, filter: (path) => !path.endsWith('.ts') });
    await cp(join(built, 'plugin.js'), join(folder, 'plugin.js'));
    await mkdir(join(modules, '@ductor'));
    await symlink(join(repository, 'core'), join(modules, '@ductor', 'core'));
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  it('is installed in the data directory, named in the file, and contributes on all six surfaces', async () => {
    const contributed = await loadPlugins({
      config: {
        plugins: new Map([['@acme/ductor-plugin-audit', { enabled: true, options: {}, version: '1.0.0' }]]),
        dataDir,
        baseDir: dirname(dataDir),
        locate: () => 'ductor.yaml',
      },
      services: new Map(['database', 'clock'].map((id) => [id, {}])),
      own: ownPluginFolders(),
    });
    expect(contributed.migrations.map(({ historyTable }) => historyTable)).to.eql([
      'eec_migration_correlation_labels',
      'eec_migration_acme_audit',
    ]);
    expect(contributed.plugins.map(({ id }) => id)).to.eql(['correlation-labels', 'acme-audit']);
    expect(contributed.steps.map(({ type }) => type)).to.eql(['STEP_TYPE_ACME_AUDIT']);
    expect(contributed.fields.map(({ of, name }) => `${of}.${name}`)).to.include('step.audit');
    expect(contributed.tables.map(({ name }) => name)).to.include('acme_audit');
    expect(contributed.hooks).to.have.length(2);
    expect(contributed.routes.map(({ plugin }) => plugin)).to.eql(['acme-audit']);
    expect(contributed.services.map(({ plugin }) => plugin)).to.eql(['acme-audit']);
  });

  it('is the one that plugins/README.md shows', async () => {
    const readme = await readFile(join(repository, 'plugins/README.md'), 'utf8');
    const shown = /```ts\n(.*?)```/s.exec(readme)?.[1];
    expect(shown).to.equal(await readFile(join(source, 'plugin.ts'), 'utf8'));
  });
});
