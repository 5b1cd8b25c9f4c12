import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createTestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { cleanEnv, ductor, program } from './cli-support.ts';

/** `ductor start` in a process of its own. */
class HostProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<number | null>;
  #log = '';

  constructor(cwd: string, env: NodeJS.ProcessEnv) {
    this.child = spawn(process.execPath, [program, 'start'], { cwd, env: cleanEnv({ PORT: '0', ...env }) });
    this.child.stdout.on('data', (chunk) => (this.#log += chunk));
    this.child.stderr.on('data', (chunk) => (this.#log += chunk));
    this.ended = once(this.child, 'close').then(([code]) => code as number | null);
  }

  get log(): string {
    return this.#log;
  }

  /** Its log has this message. */
  async says(message: string): Promise<{ readonly url?: string }> {
    const line = await until(
      () => this.#log.split('\n').find((each) => each.includes(`"msg":"${message}`)) ?? null,
      message,
    );
    return JSON.parse(line);
  }
}

describe('ductor, on the host’s machine', function () {
  this.timeout(120_000);
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ductor-cli-host-'));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('migrates the embedded database, then starts a host on it that a client finds, and stops in order', async () => {
    const check = await ductor(['migrate', '--check'], { cwd: folder });
    expect(check).to.include({ code: 1, stderr: '' });
    expect(check.stdout).to.match(/^Pending:\n {2}eec_migration_core {2}0001_core\.sql \(compatible\)/);
    const migrated = await ductor(['migrate', '--json'], { cwd: folder });
    expect(migrated.code).to.equal(0);
    expect(JSON.parse(migrated.stdout).applied.map(({ history }: { history: string }) => history)).to.include.members([
      'eec_migration_core',
      'eec_migration_correlation_labels',
    ]);

    const host = new HostProcess(folder, {});
    const { url } = await host.says('ready');
    const listed = await ductor(['definition', 'list'], { cwd: folder, env: { DUCTOR_URL: url } });
    expect(listed).to.deep.equal({ code: 0, stdout: '(none)\n', stderr: '' });

    const beside = await ductor(['migrate', '--check'], { cwd: folder });
    expect(beside).to.deep.equal({ code: 0, stdout: 'The database is up to date.\n', stderr: '' });
    const create = ['api-key', 'create', '--name', 'reader', '--scopes', 'workflow:read', '--json'];
    const { key } = JSON.parse((await ductor(create, { cwd: folder })).stdout);
    const runs = await ductor(['run', 'list'], { cwd: folder, env: { DUCTOR_URL: url, DUCTOR_API_KEY: key } });
    expect(runs).to.deep.equal({ code: 0, stdout: '(none)\n', stderr: '' });

    host.child.kill('SIGTERM');
    expect(await host.ended).to.equal(0);
    await host.says('stopped');
    // Only a terminal is shown the key.
    const keyFile = join(folder, '.ductor/bootstrap-key');
    expect(host.log).to.not.include(readFileSync(keyFile, 'utf8').trim());
    expect((await stat(keyFile)).mode & 0o777).to.equal(0o600);
    expect((await ductor(['migrate', '--check'], { cwd: folder })).stdout).to.equal('The database is up to date.\n');
  });

  it('drains at the first signal and ends at once at the second', async () => {
    const asked: Server = createServer(() => undefined);
    await new Promise<void>((resolve) => asked.listen(0, '127.0.0.1', resolve));
    const isAsked = once(asked, 'request');
    const database = await createTestDatabase();
    const host = new HostProcess(folder, { DATABASE_URL: database.url, DUCTOR_MODE: 'development' });
    try {
      const env = { DUCTOR_URL: (await host.says('ready')).url };
      const args = { url: `http://127.0.0.1:${(asked.address() as AddressInfo).port}` };
      const steps = [{ ref: 'ask', type: 'ACTION', action: 'http.request', args }];
      await writeFile(join(folder, 'ask.json'), JSON.stringify({ family_slug: 'ask', graph: { steps } }));
      expect((await ductor(['definition', 'apply', 'ask.json', '--publish'], { cwd: folder, env })).code).to.equal(0);
      expect((await ductor(['trigger', 'ask'], { cwd: folder, env })).code).to.equal(0);
      await isAsked;
      host.child.kill('SIGINT');
      await host.says('stopping');
      host.child.kill('SIGINT');
      expect(await host.ended).to.equal(130);
      expect(host.log).to.not.include('"msg":"stopped"');
    } finally {
      host.child.kill('SIGKILL');
      await host.ended;
      asked.closeAllConnections();
      asked.close();
      await database.drop();
    }
  });

  it('refuses to start on a port that is taken, and names the setting', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const database = await createTestDatabase();
    try {
      const env = { DATABASE_URL: database.url, DUCTOR_MODE: 'development', PORT: String(port) };
      const { code, stderr } = await ductor(['start'], { cwd: folder, env });
      expect(code).to.equal(1);
      expect(stderr).to.equal(
        `error: Cannot listen on 127.0.0.1, port ${port}: another process listens there already. ` +
          'Set PORT (server.port in the configuration) to a free port.\n',
      );
    } finally {
      other.close();
      await database.drop();
    }
  });

  it('checks the configuration: what is wrong by file, line and path, and what holds without its secrets', async () => {
    const file = join(folder, 'ductor.yaml');
    await writeFile(file, 'server:\n  prot: 8080\nplugins:\n  correlation-labels: { options: { max_labels: many } }\n');
    const wrong = await ductor(['config', 'check'], { cwd: folder });
    expect(wrong).to.include({ code: 1, stdout: '' });
    expect(wrong.stderr).to.include('ductor.yaml:2:3  server.prot: unknown key; did you mean port?');

    await writeFile(file, 'plugins:\n  correlation-labels: { options: { max_labels: many } }\n');
    expect((await ductor(['config', 'check'], { cwd: folder })).stderr).to.include(
      'ductor.yaml:2:36  correlation-labels: plugins.correlation-labels.options.max_labels: ',
    );

    await writeFile(file, 'server: { port: 9090 }\nretention: { runs: P30D }\n');
    expect((await ductor(['config', 'check'], { cwd: folder })).stdout).to.include(
      '# accepted, not acted on yet: retention.runs\n',
    );
    const env = { DATABASE_URL: 'postgres://ductor:hush@db.internal/ductor' };
    const right = await ductor(['config', 'check', '--json'], { cwd: folder, env });
    expect(right.code).to.equal(0);
    expect(right.stdout).to.not.include('hush');
    expect(JSON.parse(right.stdout)).to.deep.include({ mode: 'production', file });
  });

  it('refuses a key for a database that is not migrated, and says what to do', async () => {
    const args = ['api-key', 'create', '--name', 'a', '--scopes', 'workflow:read'];
    const { code, stderr } = await ductor(args, { cwd: folder });
    expect(code).to.equal(1);
    expect(stderr).to.include('run `ductor migrate` first');
  });
});
