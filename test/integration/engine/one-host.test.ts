import { expect } from 'chai';
import { pino } from 'pino';
import { type Database, openDatabase } from '#host/postgres/connection.js';
import { onOneHost } from '#host/postgres/one-host.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';

describe('Work of one host', () => {
  let database: TestDatabase;
  let db: Database;
  const stop = new AbortController();
  before(async () => {
    database = await createTestDatabase();
    db = openDatabase({ connection: database.url, poolSize: 2, log: pino({ level: 'silent' }) });
  });
  after(async () => {
    await db.close();
    await database.drop();
  });

  it('is done by one at a time, and taken up again when its session is lost', async () => {
    let working = 0;
    let most = 0;
    let begun = 0;
    const work = async (signal: AbortSignal) => {
      begun += 1;
      working += 1;
      most = Math.max(most, working);
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      working -= 1;
    };
    const host = () =>
      onOneHost(() => db.session(), { name: 'test', work, signal: stop.signal, failed: () => undefined });
    const hosts = [host(), host()];
    await until(() => begun === 1, 'the first to begin');
    await db.hot.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
         and database = (select oid from pg_database where datname = current_database())`,
    );
    await until(() => begun === 2 && working === 1, 'one of them to begin again');
    stop.abort();
    await Promise.all(hosts);
    expect([most, working]).to.deep.equal([1, 0]);
  });
});
