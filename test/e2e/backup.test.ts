import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { freePort, type HostProcess, startHostProcess } from '../support/host-process.ts';
import { until } from '../support/until.ts';
import { cleanEnv, ductor, program } from './cli-support.ts';

/** Triggers before the backup starts, and after it has ended. */
const LEAD = process.env.FULL === '1' ? 500 : 50;
const AT_ONCE = 4;
/** Leaves the machine some time for the backup. */
const PAUSE_MS = 20;

interface Acknowledged {
  readonly runId: string;
  readonly at: string;
}

interface Page<T> {
  readonly items: readonly T[];
}

describe('ductor backup and restore', function () {
  // Seconds alone; a busy machine takes its time to start so many processes.
  this.timeout(300_000);
  let folder: string;
  let from: string;
  let to: string;
  let target: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ductor-backup-'));
    [from, to, target] = [join(folder, 'from'), join(folder, 'to'), join(folder, 'backup')];
    await mkdir(from, { mode: 0o700 });
  });

  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  const onData = (dataDir: string, ...args: string[]) =>
    ductor(args, { cwd: folder, env: { DUCTOR_DATA_DIR: dataDir } });

  describe('while a host works under load', () => {
    let service: Server;

    beforeEach(async () => {
      service = createServer((request, response) => {
        request.resume().on('end', () => setTimeout(() => response.end('{"ok":true}'), 30));
      });
      await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    });

    afterEach(() => {
      service.closeAllConnections();
      service.close();
    });

    it('lose nothing that was acknowledged, and every run goes on elsewhere', async () => {
      const host = await startHostProcess({ dataDir: from, port: await freePort() });
      const acknowledged: Acknowledged[] = [];
      try {
        await publish(host, `http://127.0.0.1:${(service.address() as AddressInfo).port}/`);
        const stopTriggering = triggerAll(host, acknowledged);
        await until(() => acknowledged.length >= LEAD, 'the first triggers', 60_000);
        expect(await onData(from, 'backup', target)).to.include({ code: 0, stderr: '' });
        const atEnd = acknowledged.length;
        await until(() => acknowledged.length >= atEnd + LEAD, 'triggers after the backup', 60_000);
        await stopTriggering();
      } finally {
        await host.kill('SIGKILL');
      }
      expect(await onData(to, 'restore', target)).to.include({ code: 0, stderr: '' });

      const { started_at, complete_until } = JSON.parse(await readFile(join(target, 'backup.json'), 'utf8'));
      const kept = acknowledged.filter(({ at }) => at < complete_until);
      expect(
        kept.filter(({ at }) => at > started_at),
        'triggers during the backup',
      ).to.not.deep.equal([]);
      const other = await startHostProcess({ dataDir: to, port: await freePort() });
      try {
        await Promise.all(kept.map(({ runId }) => checkRun(other, runId)));
        expect(await readFile(join(to, 'data-id'), 'utf8')).to.not.equal(await readFile(join(from, 'data-id'), 'utf8'));
      } finally {
        await other.kill('SIGTERM');
      }
    });
  });

  describe('without a host', () => {
    it('keep all that the data directory holds; an interrupted or damaged backup is refused', async () => {
      expect((await onData(from, 'migrate')).code).to.equal(0);
      await writeFile(join(from, 'bootstrap-key'), 'a key', { mode: 0o600 });
      await mkdir(join(from, 'plugins/node_modules'), { recursive: true });
      await writeFile(join(from, 'plugins/entry.txt'), 'a file');
      await symlink('../entry.txt', join(from, 'plugins/node_modules/entry.txt'));
      await writeFile(join(from, 'data-id'), 'the identity of the original');
      const config = join(folder, 'ductor.yaml');
      await writeFile(config, 'version: 1\n');
      const env = { DUCTOR_DATA_DIR: from, DUCTOR_MASTER_KEY: 'ab'.repeat(32) };

      const inside = join(from, 'backups/today');
      expect((await onData(from, 'backup', inside)).stderr).to.include('lies in the data directory');
      expect(existsSync(join(from, 'backups'))).to.equal(false);

      const left = join(folder, 'left');
      const interrupted = spawn(process.execPath, [program, 'backup', left], { cwd: folder, env: cleanEnv(env) });
      await until(() => existsSync(join(left, 'data/postgres/base')), 'files of the backup', 60_000);
      interrupted.kill('SIGKILL');
      await once(interrupted, 'close');
      expect((await onData(to, 'restore', left)).stderr).to.include('holds no finished backup');
      expect(existsSync(to)).to.equal(false);
      expect((await onData(from, 'backup', left)).stderr).to.include('holds a backup that was interrupted');

      const made = await ductor(['backup', target, '--json'], { cwd: folder, env });
      expect(made.code, made.stderr).to.equal(0);
      const missing = ['the master key, which you set by DUCTOR_MASTER_KEY', config];
      expect(JSON.parse(made.stdout)).to.deep.include({ backup: target, format: 1, missing });
      expect((await onData(from, 'backup', target)).stderr).to.include(`${target} is not empty`);
      expect((await onData(from, 'restore', target)).stderr).to.include(`${from} is not empty`);

      await refusesIfChanged(target, to, (dataDir) => onData(dataDir, 'restore', target));
      expect((await onData(from, 'restore', target, '--data-dir', to)).code).to.equal(0);
      expect((await readdir(to)).sort()).to.deep.equal(['bootstrap-key', 'plugins', 'postgres']);
      expect(await readFile(join(to, 'plugins/node_modules/entry.txt'), 'utf8')).to.equal('a file');
      expect((await onData(to, 'migrate', '--check')).stdout).to.equal('The database is up to date.\n');
    });

    it('refuse a database of your own, and a data directory without one', async () => {
      const env = { DATABASE_URL: 'postgres://ductor@db.internal/ductor', DUCTOR_DATA_DIR: from };
      const own = await ductor(['backup', target], { cwd: folder, env });
      expect(own.code).to.equal(1);
      expect(own.stderr).to.include('pg_dump').and.include('DUCTOR_MASTER_KEY').and.include('(DATABASE_URL)');
      expect((await onData(from, 'backup', target)).stderr).to.include('holds no database yet');
      expect(existsSync(target)).to.equal(false);
    });
  });
});

/** Changes a backup in one way after the other, and back. */
async function refusesIfChanged(
  target: string,
  to: string,
  restore: (dataDir: string) => Promise<{ readonly code: number | null; readonly stderr: string }>,
): Promise<void> {
  const changed = async (file: string, content: string | Buffer): Promise<string> => {
    const before = await readFile(join(target, file));
    await writeFile(join(target, file), content);
    const { code, stderr } = await restore(to);
    expect(code).to.equal(1);
    await writeFile(join(target, file), before);
    return stderr;
  };
  const control = await readFile(join(target, 'data/postgres/global/pg_control'));
  control[100] = (control[100] ?? 0) ^ 1;
  expect(await changed('data/postgres/global/pg_control', control)).to.include(
    'The backup is damaged: data/postgres/global/pg_control',
  );
  expect(await readdir(to)).to.deep.equal([]);

  const manifest = JSON.parse(await readFile(join(target, 'backup.json'), 'utf8'));
  const older = JSON.stringify({ ...manifest, postgres_version: 170_002 });
  expect(await changed('backup.json', older)).to.include('The backup is one of PostgreSQL 17');
  const outside = JSON.stringify({ ...manifest, files: [{ ...manifest.files[0], path: '../outside' }] });
  expect(await changed('backup.json', outside)).to.include('is not what this version of Ductor writes');
}

async function publish(host: HostProcess, url: string): Promise<void> {
  const call = (ref: string) => ({ ref, type: 'ACTION', action: 'http.request', args: { method: 'POST', url } });
  const steps = [call('a'), { ref: 'b', type: 'TRANSFORM', value: '${steps.a.output.status}' }, call('c')];
  const edges = steps.slice(1).map(({ ref }, at) => ({ from: steps[at]?.ref, to: ref, type: 'SUCCESS' }));
  const graph = { steps, edges };
  const definition = { family_slug: 'backup', title: 'Backup', graph };
  const { id } = await host.call<{ id: string }>('POST', '/api/workflow-definitions', definition);
  await host.call('POST', `/api/workflow-definitions/${id}/publish`);
}

/** Triggers runs without a break, and notes each that was acknowledged. Answers with what ends it. */
function triggerAll(host: HostProcess, acknowledged: Acknowledged[]): () => Promise<void> {
  let isOver = false;
  const lane = async (): Promise<void> => {
    while (!isOver) {
      const path = '/api/v2/workflow-definitions/backup:trigger';
      const { run_id } = await host.call<{ run_id: string }>('POST', path, { input: {} });
      acknowledged.push({ runId: run_id, at: new Date().toISOString() });
      await delay(PAUSE_MS);
    }
  };
  const lanes = Promise.all(Array.from({ length: AT_ONCE }, lane));
  return async () => {
    isOver = true;
    await lanes;
  };
}

async function checkRun(host: HostProcess, runId: string): Promise<void> {
  const path = `/api/workflows/runs/${runId}`;
  await until(
    async () => (await host.call<{ status: string }>('GET', path)).status === 'completed',
    `run ${runId} to complete`,
    60_000,
  );
  const { items } = await host.call<Page<{ type: string; to?: string; step_ref?: string }>>('GET', `${path}/events`);
  const completed = items.filter(({ type, to }) => type === 'node' && to === 'completed');
  expect(completed.map(({ step_ref }) => step_ref)).to.deep.equal(['a', 'b', 'c']);
}
