import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { openSession } from '../support/session.ts';
import { ductor, type RunOptions, startTestHost } from './cli-support.ts';

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly found: string;
  readonly remedy: string | null;
}

/** What `ductor doctor` finds, by check. */
async function examine(options: RunOptions): Promise<{ code: number | null; by: ReadonlyMap<string, Finding> }> {
  const { code, stdout, stderr } = await ductor(['doctor', '--json'], options);
  expect(stderr).to.equal('');
  const { ok, checks }: { ok: boolean; checks: readonly Finding[] } = JSON.parse(stdout);
  expect(ok).to.equal(code === 0);
  return { code, by: new Map(checks.map((finding) => [finding.check, finding])) };
}

const not = (by: ReadonlyMap<string, Finding>, status: string): readonly string[] =>
  [...by.values()].filter((finding) => finding.status !== status).map(({ check }) => check);

describe('ductor doctor', function () {
  this.timeout(60_000);
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ductor-doctor-'));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('finds nothing broken where nothing was started yet, and makes nothing', async () => {
    const { code, by } = await examine({ cwd: folder, env: { PORT: '0' } });
    expect(code).to.equal(0);
    expect(not(by, 'ok')).to.deep.equal([]);
    expect(by.get('database')?.found).to.equal('none yet; the first start makes one');
    const { stdout } = await ductor(['doctor'], { cwd: folder, env: { PORT: '0' } });
    expect(stdout)
      .to.match(/^ok +Node\.js +v\d+/)
      .and.match(/\n\nNothing is broken\.\n$/);
    await rm(join(folder, '.ductor')).catch((error) => expect(error.code).to.equal('ENOENT'));
  });

  it('looks into the database of a running host, and asks the host how it is', async () => {
    const host = await startTestHost();
    try {
      const env = {
        DATABASE_URL: host.databaseUrl,
        DUCTOR_MODE: 'development',
        DUCTOR_DATA_DIR: host.dataDir,
        PORT: new URL(host.url).port,
      };
      const { code, by } = await examine({ cwd: folder, env });
      expect(code).to.equal(0);
      expect([...by.keys()]).to.include.members([
        'migrations',
        'API keys',
        'credentials',
        'hosts',
        'parked runs',
        'clock',
      ]);
      expect(not(by, 'ok')).to.deep.equal(['embedded PostgreSQL']);
      expect(by.get('port')?.found).to.include('a host answers at').and.include('is ready');

      await chmod(host.dataDir, 0o755);
      await changeHosts(host.databaseUrl);
      const later = await examine({ cwd: folder, env: { ...env, DUCTOR_MASTER_KEY: 'ab'.repeat(32) } });
      expect(later.code).to.equal(1);
      expect(later.by.get('data directory')).to.include({ status: 'warning', remedy: `chmod 700 ${host.dataDir}` });
      expect(later.by.get('hosts')).to.include({ status: 'warning' });
      expect(later.by.get('hosts')?.found).to.include('lacks gone-away 9.9.9');
      expect(later.by.get('port')).to.include({ status: 'warning' });
      expect(later.by.get('port')?.found).to.include('plugins degraded');
      expect(later.by.get('credentials')).to.include({ status: 'broken' });
      expect(later.by.get('credentials')?.found).to.include('1 are sealed by master keys that are not here (lost-key)');
    } finally {
      await host.stop();
    }
  });

  describe('names what is broken, and what to do', () => {
    let database: TestDatabase;

    before(async () => {
      database = await createTestDatabase();
    });

    after(() => database.drop());

    it('in the configuration, by file and line', async () => {
      await writeFile(join(folder, 'ductor.yaml'), 'server:\n  prot: 8080\n');
      const { code, by } = await examine({ cwd: folder });
      expect(code).to.equal(1);
      expect(by.get('configuration')?.found).to.include('ductor.yaml:2:3  server.prot: unknown key');
      expect([...by.keys()]).to.deep.equal(['Node.js', 'configuration']);
    });

    it('on the machine: keys, port and plugins', async () => {
      const other = createServer((socket) => socket.end('no HTTP'));
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      try {
        const { port } = other.address() as AddressInfo;
        await mkdir(join(folder, '.ductor'), { mode: 0o700 });
        await writeFile(join(folder, '.ductor/master-key'), 'no key', { mode: 0o600 });
        await writeFile(
          join(folder, 'ductor.yaml'),
          'plugins:\n  correlation-labels: { options: { max_labels: many } }\n',
        );
        const env = { DATABASE_URL: database.url, DUCTOR_MODE: 'development', PORT: String(port) };
        const { code, by } = await examine({ cwd: folder, env });
        expect(code).to.equal(1);
        expect(by.get('master key')).to.include({ status: 'broken', remedy: 'restore it from a backup' });
        expect(by.get('port')?.found).to.equal(`another program than Ductor listens at 127.0.0.1, port ${port}`);
        expect(by.get('plugins')?.found).to.include('max_labels');
        expect(by.get('parked runs')).to.include({ status: 'skipped' });
        expect(by.get('clock')).to.include({ status: 'ok' });
      } finally {
        other.close();
      }
    });

    it('of a production: no master key, no API key, migrations that are pending', async () => {
      const { code, by } = await examine({ cwd: folder, env: { DATABASE_URL: database.url, PORT: '0' } });
      expect(code).to.equal(1);
      expect(by.get('master key')?.remedy).to.include('openssl rand -base64 32');
      expect(by.get('API keys')).to.include({ status: 'broken' });
      // The plugins' tables: a test's database has those of the core.
      expect(by.get('migrations')).to.include({ status: 'warning' });
      expect(by.get('migrations')?.remedy).to.include('ductor migrate');
    });

    it('of a database that cannot be reached', async () => {
      const env = { DATABASE_URL: 'postgres://ductor:hush@127.0.0.1:1/ductor', DUCTOR_MODE: 'development', PORT: '0' };
      const { code, by } = await examine({ cwd: folder, env });
      expect(code).to.equal(1);
      expect(by.get('database')?.found).to.include('ECONNREFUSED');
      expect(by.get('database')?.remedy).to.include('DATABASE_URL');
      expect(JSON.stringify([...by])).to.not.include('hush');
    });
  });
});

/** A second host with a plugin more, and a credential that another master key has sealed. */
async function changeHosts(databaseUrl: string): Promise<void> {
  const session = await openSession(databaseUrl);
  try {
    await session.query(
      `insert into eec_host (id, name, data_id, plugins, lease_until)
       values (gen_random_uuid(), 'other', gen_random_uuid(), '[{"id":"gone-away","version":"9.9.9"}]', now() + interval '1 hour')`,
    );
    await session.query(
      `insert into eec_credential (id, tenant_id, name, connector, auth, fields, secret_fields, config, key_id, sealed)
       values (gen_random_uuid(), 'default', 'crm', 'http', 'bearer', '{}', '{}', '{}', 'lost-key', '')`,
    );
  } finally {
    await session.end();
  }
}
