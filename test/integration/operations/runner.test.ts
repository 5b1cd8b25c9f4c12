import { setTimeout as delay } from 'node:timers/promises';
import { DuctorError } from '@ductor/core';
import { expect } from 'chai';
import { pino } from 'pino';
import { randomIds } from '#host/engine/random-ids.js';
import type { OperationKind } from '#host/operations/operation-kind.js';
import { OperationRunner } from '#host/operations/operation-runner.js';
import { type Database, openDatabase } from '#host/postgres/connection.js';
import { cancelOperation, insertOperation, type OperationRow, readOperation } from '#host/postgres/operations.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';

const tenantId = 'default';

describe('The runner of operations', () => {
  let database: TestDatabase;
  let db: Database;
  const running: { stop: AbortController; ended: Promise<void> }[] = [];

  before(async () => {
    database = await createTestDatabase();
    db = openDatabase({ connection: database.url, poolSize: 4, log: pino({ level: 'silent' }) });
  });
  afterEach(async () => {
    for (const { stop } of running) stop.abort();
    await Promise.all(running.splice(0).map(({ ended }) => ended));
    await db.knex('eec_operation').del();
  });
  after(async () => {
    await db.close();
    await database.drop();
  });

  function run(kind: OperationKind, knex = db.knex): OperationRunner {
    const runner = new OperationRunner({ knex, kinds: [kind], failed: () => undefined });
    const stop = new AbortController();
    running.push({ stop, ended: runner.run(stop.signal) });
    return runner;
  }

  async function ask(kind: string): Promise<string> {
    const id = randomIds.uuidv7();
    await insertOperation(db.knex, { id, tenantId, kind, params: { n: 1 }, actor: 'key:ops' });
    return id;
  }

  const read = async (id: string): Promise<OperationRow> => {
    const row = await readOperation(db.knex, { tenantId, id });
    if (row === null) throw new Error(`no operation ${id}`);
    return row;
  };
  const ended = (id: string) =>
    until(async () => {
      const row = await read(id);
      return row.ended_at === null ? null : row;
    }, 'the operation to end');

  /** Counts to `last`, ten a page; `hold` may hold a page up, or fail it. */
  const counting = (last: number, hold: (from: number) => Promise<void> | void = () => undefined): OperationKind => ({
    name: 'count',
    total: async () => last,
    async step(_, operation, cursor) {
      expect(operation).to.include({ tenantId, actor: 'key:ops' });
      const from = typeof cursor === 'number' ? cursor : 0;
      await hold(from);
      const to = Math.min(from + 10, last);
      const failures = [{ id: String(from), code: 'odd', message: `${from} is odd.` }];
      return { cursor: to === last ? null : to, done: to - from, failures };
    },
  });

  it('goes on page by page, counts, and names the first hundred failures', async () => {
    const id = await ask('count');
    run(counting(1_500));
    const row = await ended(id);
    expect(row).to.include({ status: 'done', total: 1_500, done: 1_500, failed: 150, error: null });
    expect(row.failures).to.have.length(100);
    expect(row.failures[1]).to.eql({ id: '10', code: 'odd', message: '10 is odd.' });
  });

  it('starts at once what it is told of, and in time what it is not', async () => {
    const runner = run(counting(1));
    await delay(20);
    const id = await ask('count');
    const begun = performance.now();
    runner.wake();
    await ended(id);
    expect(performance.now() - begun).to.be.below(1_500);
    await ended(await ask('count'));
  });

  it('takes operations in turn, and leaves alone the kinds that it does not know', async () => {
    const [a, b, other] = [await ask('count'), await ask('count'), await ask('other')];
    const order: string[] = [];
    const kind = counting(50);
    run({
      ...kind,
      step(transaction, operation, cursor) {
        order.push(operation.id);
        return kind.step(transaction, operation, cursor);
      },
    });
    await Promise.all([ended(a), ended(b)]);
    expect(order).to.eql([a, b, a, b, a, b, a, b, a, b]);
    expect(await read(other)).to.include({ status: 'pending', total: null, started_at: null });
  });

  it('is never two at a page, however many there are', async () => {
    const id = await ask('count');
    const pages: number[] = [];
    const kind = counting(300, async (from) => {
      pages.push(from);
      await delay(1);
    });
    for (let i = 0; i < 3; i++) run(kind);
    expect(await ended(id)).to.include({ done: 300 });
    expect(pages).to.eql(Array.from({ length: 30 }, (_, i) => i * 10));
  });

  it('does again what failed for a while, from where it was', async () => {
    const id = await ask('count');
    const pages: number[] = [];
    run(
      counting(30, (from) => {
        pages.push(from);
        if (pages.length === 2) throw new Error('a hiccup');
      }),
    );
    expect(await ended(id)).to.include({ status: 'done', done: 30, error: null });
    expect(pages).to.eql([0, 10, 10, 20]);
  });

  it('fails what is refused, and what goes on failing', async () => {
    const refused = await ask('count');
    run(
      counting(30, (from) => {
        if (from === 10) throw new DuctorError('failed_precondition', 'The filter does not hold any more.');
      }),
    );
    expect(await ended(refused)).to.deep.include({
      status: 'failed',
      done: 10,
      error: { code: 'failed_precondition', message: 'The filter does not hold any more.' },
    });
    const broken = await ask('broken');
    await db.knex('eec_operation').where({ id: broken }).update({ faults: 7 });
    run({ name: 'broken', step: () => Promise.reject(new Error('no luck')) });
    const { status, error } = await ended(broken);
    expect([status, JSON.stringify(error)]).to.eql([
      'failed',
      JSON.stringify({ code: 'internal', message: 'A page failed 8 times; the log of the host has more.' }),
    ]);
  });

  it('is followed by no page once a cancellation is answered', async () => {
    const id = await ask('count');
    let pages = 0;
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    run(
      counting(1_000, async () => {
        pages += 1;
        if (pages === 2) await held;
      }),
    );
    await until(() => pages === 2, 'the second page');
    const cancelled = cancelOperation(db.knex, { tenantId, id });
    release();
    await cancelled;
    const row = await read(id);
    expect(row.status).to.equal('cancelled');
    expect(row.done).to.be.oneOf([20, 30]);
    await delay(50);
    expect((await read(id)).done).to.equal(row.done);
  });
});
