import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type pg from 'pg';
import { pino } from 'pino';
import { backUp } from '#host/backup/backup.js';
import { restore } from '#host/backup/restore.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#host/embedded/embedded-postgres.js';
import { openSession } from '../../support/session.ts';

const log = pino({ level: 'silent' });

describe('A copy of a database that works', function () {
  this.timeout(60_000);
  let folder: string;
  const running: EmbeddedPostgres[] = [];
  const sessions: pg.Client[] = [];

  async function start(dataDir: string): Promise<EmbeddedPostgres> {
    const postgres = await startEmbeddedPostgres({ dataDir, log });
    running.push(postgres);
    return postgres;
  }

  async function connect(url: string): Promise<pg.Client> {
    const session = await openSession(url);
    sessions.push(session);
    return session;
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ductor-hot-'));
  });

  afterEach(async () => {
    for (const session of sessions.splice(0)) await session.end();
    for (const postgres of running.splice(0)) {
      await postgres.stop();
      await rm(decodeURIComponent(new URL(postgres.url).host), { recursive: true, force: true });
    }
    await rm(folder, { recursive: true, force: true });
  });

  it('has all that was acknowledged, whatever is written, dropped, recycled and rewritten meanwhile', async () => {
    const { url } = await start(join(folder, 'from'));
    const session = await connect(url);
    await session.query('create table entry (n int primary key, padding text)');
    await session.query("insert into entry select -n, repeat('x', 500) from generate_series(1, 20000) n");

    const acknowledged: { readonly n: number; readonly at: string }[] = [];
    let isOver = false;
    const work = async (): Promise<void> => {
      for (let n = 1; !isOver; n++) {
        await session.query('insert into entry values ($1, $2)', [n, 'y'.repeat(5_000)]);
        acknowledged.push({ n, at: new Date().toISOString() });
        await session.query('update entry set padding = repeat(n::text, 50) where n between $1 and $1 + 50', [-n * 50]);
        await session.query(`create table passing_${n} as select * from entry limit 1000`);
        await session.query(`drop table passing_${n}`);
        // The log is recycled up to each checkpoint, unless somebody still needs it.
        if (n % 3 === 0) await session.query('select pg_switch_wal()');
        if (n % 5 === 0) await session.query('checkpoint');
      }
    };
    const working = work();
    const target = join(folder, 'backup');
    const manifest = await backUp({ dataDir: join(folder, 'from'), url, target, ductorVersion: '0.0.0' });
    isOver = true;
    await working;

    await restore({ backup: target, dataDir: join(folder, 'to') });
    const copy = await connect((await start(join(folder, 'to'))).url);
    const { rows } = await copy.query<{ n: number }>('select n from entry where n > 0 order by n');
    const expected = acknowledged.filter(({ at }) => at < manifest.complete_until).map(({ n }) => n);
    expect(expected.length).to.be.greaterThan(5);
    expect(rows.map(({ n }) => n)).to.include.members(expected);
    // Every page is read, and each has a checksum.
    const { rows: all } = await copy.query(
      'select count(*)::int as count, sum(length(padding)) from entry where n < 0',
    );
    expect(all[0]).to.have.property('count', 20_000);
    expect((await session.query('select from pg_replication_slots')).rowCount).to.equal(0);
  });

  it('is nobody else’s to read, and has no identity of its own', async () => {
    const { url } = await start(join(folder, 'from'));
    const target = join(folder, 'backup');
    await backUp({ dataDir: join(folder, 'from'), url, target, ductorVersion: '0.0.0' });
    await restore({ backup: target, dataDir: join(folder, 'to') });
    for (const place of [target, join(folder, 'to')]) {
      const open: string[] = [];
      for (const entry of await readdir(place, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        if (((await stat(path)).mode & 0o077) !== 0) open.push(path);
      }
      expect(open).to.deep.equal([]);
      expect((await stat(place)).mode & 0o777).to.equal(0o700);
    }
    expect(await readdir(join(folder, 'to'))).to.deep.equal(['postgres']);
    expect(await readFile(join(folder, 'to/postgres/backup_label'), 'utf8')).to.match(/^START WAL LOCATION/);
  });
});
