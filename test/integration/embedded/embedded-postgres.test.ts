import { spawn } from 'node:child_process';
import { chown, cp, lstat, mkdir, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { pino } from 'pino';
import { makeLinks, runnableBy } from '#host/embedded/binaries.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#host/embedded/embedded-postgres.js';
import { rejection } from '../../support/rejection.ts';
import {
  isGone,
  killHosts,
  postmasterPid,
  query,
  queryAgain,
  removeSocketFolders,
  startHost,
  watchdogsOf,
} from './hosts.ts';

const log = pino({ level: 'silent' });
const nobody = { uid: 65534, gid: 65534 };
const isRoot = process.getuid?.() === 0;

describe('the embedded database', function () {
  // Making a cluster takes a second alone, and several when the machine is busy.
  this.timeout(30_000);
  /** As mkdtemp makes it, nobody but its owner can pass: what a data directory below /root is like. */
  let place: string;
  let dataDir: string;
  let embedded: EmbeddedPostgres | undefined;
  const urls: string[] = [];

  const start = async (): Promise<EmbeddedPostgres> => {
    embedded = await startEmbeddedPostgres({ dataDir, log });
    urls.push(embedded.url);
    return embedded;
  };
  const stop = async (): Promise<void> => {
    await embedded?.stop();
    embedded = undefined;
  };
  const rows = async (url: string) => (await queryAgain(url, 'select n from kept order by n')).map(({ n }) => n);

  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'ductor-embedded-'));
    dataDir = join(place, 'new', 'data');
    const { url } = await start();
    await query(url, 'create table kept (n int)');
  });

  afterEach(async () => {
    killHosts();
    await stop();
  });

  after(async () => {
    await rm(place, { recursive: true, force: true });
    await removeSocketFolders(urls);
  });

  it('is durable, private and UTF-8 from its first start', async () => {
    const { url } = embedded ?? (await start());
    const settings = `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes',
      'listen_addresses', 'jit', 'server_encoding', 'TimeZone', 'data_checksums')`;
    const found = Object.fromEntries((await query(url, settings)).map(({ name, setting }) => [name, setting]));
    expect(found).to.eql({
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      data_checksums: 'on',
      listen_addresses: '',
      jit: 'off',
      server_encoding: 'UTF8',
      TimeZone: 'UTC',
    });
    const socketFolder = decodeURIComponent(new URL(url).host);
    expect((await lstat(socketFolder)).mode & 0o777).to.equal(0o700);
    expect(Buffer.byteLength(`${socketFolder}/.s.PGSQL.5432`)).to.be.at.most(103);
  });

  it('keeps its rows, and its URL, over a stop and a start', async () => {
    const { url } = await start();
    await query(url, 'insert into kept values (1)');
    await stop();
    expect((await start()).url).to.equal(url);
    expect(await rows(url)).to.eql([1]);
  });

  it('is brought up again when its server is killed', async () => {
    const { url } = await start();
    await query(url, 'insert into kept values (2)');
    process.kill(await postmasterPid(dataDir), 'SIGKILL');
    expect(await rows(url)).to.eql([1, 2]);
  });

  it('is brought up again however often it is killed while it comes up', async () => {
    const { url } = await start();
    await query(url, 'insert into kept values (11)');
    const first = await postmasterPid(dataDir);
    process.kill(first, 'SIGKILL');
    for (let killed = 0, last = first; killed < 4; ) {
      const pid = await postmasterPid(dataDir).catch(() => last);
      if (pid === last) await delay(2);
      else {
        try {
          process.kill(pid, 'SIGKILL');
        } catch (error) {
          expect(error).to.have.property('code', 'ESRCH');
        }
        killed += 1;
        last = pid;
      }
    }
    expect(await rows(url)).to.include(11);
    await query(url, 'delete from kept where n = 11');
  });

  it('stays claimed when one of its sessions is killed and all others with it', async () => {
    const { url } = await start();
    const [session] = await query(url, "select pid from pg_stat_activity where backend_type = 'checkpointer'");
    process.kill(Number(session?.pid), 'SIGKILL');
    expect(await rows(url)).to.eql([1, 2]);
    expect((await startHost(dataDir)).refused).to.contain('in use');
  });

  it('stops when its host is killed, and starts again with all rows', async () => {
    const host = await startHost(dataDir);
    await query(host.url ?? '', 'insert into kept values (3)');
    const server = await postmasterPid(dataDir);
    host.child.kill('SIGKILL');
    await isGone(server);
    expect(await rows((await start()).url)).to.eql([1, 2, 3]);
  });

  it('starts at once after its host was killed', async () => {
    (await startHost(dataDir)).child.kill('SIGKILL');
    expect(await rows((await start()).url)).to.eql([1, 2, 3]);
  });

  it('recovers when host, watchdog and server are killed together', async () => {
    const host = await startHost(dataDir);
    await query(host.url ?? '', 'insert into kept values (4)');
    const doomed = [...(await watchdogsOf(dataDir)), await postmasterPid(dataDir)];
    host.child.kill('SIGKILL');
    for (const pid of doomed) process.kill(pid, 'SIGKILL');
    expect(await rows((await start()).url)).to.eql([1, 2, 3, 4]);
  });

  it('replaces a server that outlived its host', async () => {
    const host = await startHost(dataDir);
    const orphan = await postmasterPid(dataDir);
    const watchdogs = await watchdogsOf(dataDir);
    expect(watchdogs).to.have.length(1);
    for (const pid of watchdogs) process.kill(pid, 'SIGKILL');
    host.child.kill('SIGKILL');
    const { url } = await start();
    await isGone(orphan);
    expect(await postmasterPid(dataDir)).to.not.equal(orphan);
    expect(await rows(url)).to.eql([1, 2, 3, 4]);
  });

  it('leaves no watchdog behind', async () => {
    await start();
    expect(await watchdogsOf(dataDir)).to.have.length(1);
    const watchdogs = await watchdogsOf(dataDir);
    await stop();
    for (const pid of watchdogs) await isGone(pid);
  });

  it('is refused to a second host, by the name of the first', async () => {
    const host = await startHost(dataDir);
    const error = await rejection(startEmbeddedPostgres({ dataDir, log }));
    expect(error.message).to.contain(`in use by another process (ductor host ${host.child.pid})`);
    expect(await rows(host.url ?? '')).to.eql([1, 2, 3, 4]);
    await host.stop();
  });

  it('goes to exactly one of several hosts that start together, also on a new data directory', async () => {
    for (const shared of [dataDir, join(place, 'contested')]) {
      const hosts = await Promise.all([1, 2].map(() => startHost(shared)));
      const winners = hosts.filter(({ url }) => url !== undefined);
      expect(winners).to.have.length(1);
      for (const { refused } of hosts.filter((host) => !winners.includes(host)))
        expect(refused).to.contain('in use', refused);
      expect(await query(winners[0]?.url ?? '', 'select 1 as one')).to.eql([{ one: 1 }]);
      await winners[0]?.stop();
    }
  });

  it('is not held up by a process id that another program got', async () => {
    await start();
    const file = join(dataDir, 'postgres', 'postmaster.pid');
    const lines = (await readFile(file, 'utf8')).split('\n');
    const { uid, gid } = await lstat(file);
    await stop();
    const stranger = spawn('sleep', ['60'], { uid, gid, stdio: 'ignore' });
    await writeFile(file, [stranger.pid, ...lines.slice(1)].join('\n'));
    await chown(file, uid, gid);
    expect(await rows((await start()).url)).to.eql([1, 2, 3, 4]);
    expect(stranger.exitCode).to.equal(null);
    stranger.kill();
  });

  it('makes the links that its package lacks, also twice at once', async () => {
    const root = join(place, 'package');
    await mkdir(join(root, 'native', 'lib'), { recursive: true });
    const links = [{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so.1' }];
    await writeFile(join(root, 'native', 'pg-symlinks.json'), JSON.stringify(links));
    await Promise.all([makeLinks(root), makeLinks(root)]);
    expect(await readlink(join(root, 'native', 'lib', 'libx.so.1'))).to.equal('libx.so.1.2');
  });

  it('says why its server cannot start', async () => {
    const file = join(dataDir, 'postgres', 'postgresql.conf');
    const conf = await readFile(file, 'utf8');
    await writeFile(file, `${conf}\nnonsense = 1\n`);
    const error = await rejection(startEmbeddedPostgres({ dataDir, log }));
    await writeFile(file, conf);
    expect(error.message).to.contain('PostgreSQL cannot start').and.contain('"nonsense"');
  });

  describe('for root', () => {
    before(function () {
      if (!isRoot) this.skip();
    });

    it('runs as nobody, below folders that nobody can pass', async () => {
      await start();
      expect((await lstat(place)).mode & 0o777).to.equal(0o700);
      expect((await lstat(`/proc/${await postmasterPid(dataDir)}`)).uid).to.equal(nobody.uid);
    });

    it('takes over files that root restored', async () => {
      const restored = join(place, 'restored');
      await cp(join(dataDir, 'postgres'), join(restored, 'postgres'), { recursive: true });
      const other = await startEmbeddedPostgres({ dataDir: restored, log });
      urls.push(other.url);
      expect(await rows(other.url)).to.eql([1, 2, 3, 4]);
      await other.stop();
    });

    it('copies binaries that the account cannot reach, once', async () => {
      const hidden = join(place, 'hidden');
      await mkdir(join(hidden, 'bin'), { recursive: true, mode: 0o700 });
      await writeFile(join(hidden, 'bin', 'postgres'), '#!/bin/sh\n', { mode: 0o700 });
      const version = `test-${process.pid}`;
      const [one, two] = await Promise.all([runnableBy(nobody, hidden, version), runnableBy(nobody, hidden, version)]);
      expect(one).to.equal(two).and.not.equal(hidden);
      expect(await runnableBy(nobody, one, version)).to.equal(one);
      await rm(one, { recursive: true });
    });

    it('says so when the account cannot run even the copy', async () => {
      const version = `broken-${process.pid}`;
      const hidden = join(place, 'unusable');
      await mkdir(hidden);
      expect((await rejection(runnableBy(nobody, hidden, version))).message).to.contain('can run PostgreSQL neither');
      await rm(join('/var/cache/ductor', `postgres-${version}`), { recursive: true });
    });
  });

  describe('for an ordinary user', () => {
    let own: string;

    before(async function () {
      if (!isRoot) this.skip();
      own = await mkdtemp(join(tmpdir(), 'ductor-ordinary-'));
      await chown(own, nobody.uid, nobody.gid);
    });

    after(async () => {
      if (isRoot) await rm(own, { recursive: true });
    });

    it('runs as that user', async () => {
      const host = await startHost(join(own, 'data'), { ...nobody, cwd: '/' });
      expect(await query(host.url ?? '', 'select 1 as one')).to.eql([{ one: 1 }]);
      expect((await lstat(`/proc/${await postmasterPid(join(own, 'data'))}`)).uid).to.equal(nobody.uid);
      await host.stop();
    });

    it("is refused another user's files, with what to do", async () => {
      await mkdir(join(own, 'foreign', 'postgres'), { recursive: true });
      const { refused } = await startHost(join(own, 'foreign'), { ...nobody, cwd: '/' });
      expect(refused).to.contain('belongs to user id 0').and.contain('chown');
    });
  });
});
