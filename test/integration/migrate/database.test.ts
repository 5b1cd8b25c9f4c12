import { expect } from 'chai';
import { pino } from 'pino';
import { type Database, openDatabase } from '#host/postgres/connection.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { rejection } from '../../support/rejection.ts';
import { openSession } from '../../support/session.ts';

const log = pino({ level: 'silent' });

describe('a database connection', () => {
  let database: TestDatabase;
  let opened: Database;

  before(async () => {
    database = await createTestDatabase();
    opened = openDatabase({ connection: database.url, poolSize: 2, log });
  });

  after(async () => {
    await opened.close();
    await database.drop();
  });

  it('reads instants, big integers and JSON as plain data, by either way', async () => {
    const sql = `select timestamptz '2026-01-02 03:04:05.678901+02' as at, timestamptz '2026-01-02 03:04Z' as whole,
        'infinity'::timestamptz as never, array[null, timestamptz '2026-01-02 03:04:05Z'] as list, date '2026-01-02' as day,
        9007199254740991 as big, array[1, null]::int8[] as bigs, '{"a": [1]}'::jsonb as json`;
    const row = {
      at: '2026-01-02T01:04:05.678Z',
      whole: '2026-01-02T03:04:00.000Z',
      never: 'infinity',
      list: [null, '2026-01-02T03:04:05.000Z'],
      day: '2026-01-02',
      big: 9007199254740991,
      bigs: [1, null],
      json: { a: [1] },
    };
    expect((await opened.hot.query(sql)).rows).to.eql([row]);
    expect((await opened.knex.raw(sql)).rows).to.eql([row]);
  });

  it('plans hot statements by index even on an empty table, and others as PostgreSQL likes', async () => {
    await opened.knex.raw('create table item (id int primary key)');
    const explain = 'explain select from item where id = any(array[1, 2, 3])';
    const hotPlan = JSON.stringify((await opened.hot.query(explain)).rows);
    expect(hotPlan).to.contain('item_pkey').and.not.contain('Seq Scan');
    const settings = `select current_setting('plan_cache_mode') as plans, current_setting('jit') as jit,
        current_setting('enable_hashjoin') as hash, current_setting('enable_mergejoin') as merge`;
    expect((await opened.hot.query(settings)).rows).to.eql([
      { plans: 'force_generic_plan', jit: 'off', hash: 'off', merge: 'off' },
    ]);
    expect((await opened.knex.raw(settings)).rows[0]).to.include({ plans: 'auto', hash: 'on' });
  });

  it('keeps the settings that the URL itself asks for', async () => {
    const url = new URL(database.url);
    url.searchParams.set('options', '-c lock_timeout=1234');
    const other = openDatabase({ connection: url.href, poolSize: 1, log });
    const { rows } = await other.hot.query(
      `select current_setting('lock_timeout') as a, current_setting('enable_seqscan') as b`,
    );
    expect(rows).to.eql([{ a: '1234ms', b: 'off' }]);
    await other.close();
  });

  it('that is lost fails its statement, and the next one gets another', async () => {
    const admin = await openSession(database.url);
    const inUse = await opened.hot.connect();
    const idle = (await opened.knex.raw('select pg_backend_pid() as pid')).rows[0].pid;
    const used = (await inUse.query('select pg_backend_pid() as pid')).rows[0].pid;
    const statement = rejection(inUse.query('select pg_sleep(30)'));
    const terminate = 'select pg_terminate_backend(pid, 5000) from pg_stat_activity where pid = any($1)';
    expect((await admin.query(terminate, [[idle, used]])).rowCount).to.equal(2);
    expect((await statement).message).to.match(/terminat/);
    inUse.release(true);
    expect((await opened.hot.query('select 1 as one')).rows).to.eql([{ one: 1 }]);
    expect((await opened.knex.raw('select 1 as one')).rows).to.eql([{ one: 1 }]);
    await admin.end();
  });

  it('keeps values and passwords out of error messages', async () => {
    const failed = await rejection(opened.knex('item').insert({ id: 'tell-nobody' }));
    expect(failed.message).to.contain('insert into "item"').and.not.contain("($1) values ('tell-nobody')");
    const refused = openDatabase({ connection: 'postgres://me:tell-nobody@127.0.0.1:1/none', poolSize: 1, log });
    for (const attempt of [refused.hot.query('select 1'), refused.knex.raw('select 1')]) {
      const error = await rejection(attempt);
      expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).to.not.contain('tell-nobody');
    }
    await refused.close();
  });
});

describe('a test database', () => {
  it('fails its drop, naming them, when sessions are left open', async () => {
    const database = await createTestDatabase();
    const forgotten = await openSession(database.url, { application_name: 'forgetful test' });
    await forgotten.query('select 42');
    const error = await rejection(database.drop());
    expect(error.message).to.contain('forgetful test').and.contain('select 42');
  });
});
