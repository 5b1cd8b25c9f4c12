import { type Definition, defineStep, type Json } from '@ductor/core';
import { expect } from 'chai';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';
import { connectionLost, faultyPool, type Passing } from '../../support/faulty-pool.ts';
import { until } from '../../support/until.ts';

/** Takes what two subscriptions to one name and key want, then completes with what each has got. */
const bothStep = defineStep({
  type: 'STEP_TYPE_BOTH',
  schema: { type: 'object', properties: { first: { type: 'integer', default: 1 }, lookback: { type: 'integer' } } },
  start: ({ config: { first, lookback } }) => ({
    to: 'waiting',
    memo: { left: first + 1, got: [] as readonly Json[] },
    wait: {
      kind: 'event',
      subscriptions: [
        { name: 'first', count: first },
        { name: 'second', count: 1 },
      ].map((each) => ({
        ...each,
        eventName: 'thing',
        correlationKey: 'k',
        match: null,
        ...(lookback !== undefined && { lookbackMs: lookback }),
      })),
    },
  }),
  on: {
    event({ memo }, { subscription, payload }) {
      const got = [...memo.got, [subscription, payload]];
      return memo.left === 1
        ? { to: 'completed', outcome: 'SUCCESS', output: got }
        : { to: 'same', memo: { left: memo.left - 1, got } };
    },
  },
});

const waitFor = (key: string, match?: string) => ({
  steps: [
    { ref: 'w', type: 'WAIT', event: { event_name: 'thing', correlation_key: `'${key}'`, ...(match && { match }) } },
  ],
  output: '${steps.w.output}',
});

describe('Published events', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  const definitions = new Map<string, Definition>();
  const engines: TestEngine[] = [];
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    for (const engine of engines.splice(0)) await engine.stop({ keep: true });
    await database.drop();
  });

  /** `on`: what stands between an engine and its database. */
  async function engine(on?: (statement: Passing) => ReturnType<Passing['run']>): Promise<TestEngine> {
    const test = await startTestEngine({
      database,
      definitions,
      steps: [bothStep],
      ...(on && { through: (hot) => faultyPool(hot, on) }),
    });
    engines.push(test);
    return test;
  }

  const publish = (test: TestEngine, payload: Json, more: { key?: string; eventId?: string; tenantId?: string } = {}) =>
    test.engine.events.publish(more.tenantId ?? 'default', {
      eventName: 'thing',
      correlationKey: more.key ?? 'k',
      eventId: more.eventId ?? null,
      payload,
    });
  const parked = (test: TestEngine, count: number) =>
    until(async () => {
      const [row] = await test.query<{ n: number }>(
        'select count(distinct run_id)::int n from eec_workflow_wait where event_name is not null',
      );
      return row?.n === count;
    }, `${count} runs to wait`);
  const outputOf = async (test: TestEngine, runId: string) => {
    const { ending } = await test.ended(runId);
    return ending?.status === 'completed' ? ending.output : ending;
  };
  /** As if it had been published long ago. */
  const age = (test: TestEngine) =>
    test.query(
      `update eec_workflow_event set published_at = published_at - interval '1 minute' where matched_at is null`,
    );

  it('C39 are taken once by every wait of their name and key, and by none of another tenant', async () => {
    const test = await engine();
    const id = test.define(waitFor('k'));
    const other = test.define(waitFor('other'));
    const own = await Promise.all([test.start(id), test.start(id)]);
    const foreign = await test.start(id, {}, { tenantId: 'other' });
    await test.start(other);
    await parked(test, 4);
    expect(await publish(test, 1)).to.include({ matched: 2 });
    expect(await publish(test, 2)).to.include({ matched: 0 });
    for (const runId of own) expect(await outputOf(test, runId)).to.equal(1);
    expect((await test.state(foreign)).endedAt).to.equal(null);
    expect(await publish(test, 3, { tenantId: 'other' })).to.include({ matched: 1 });
    expect(await outputOf(test, foreign)).to.equal(3);
  });

  it('of one event_id do something once', async () => {
    const test = await engine();
    const id = test.define(waitFor('k'));
    await test.start(id);
    await parked(test, 1);
    const both = await Promise.all([1, 2].map((n) => publish(test, n, { eventId: 'e' })));
    expect(both.map(({ matched }) => matched).sort()).to.deep.equal([0, 1]);
    await test.start(id);
    await parked(test, 1);
    expect(await publish(test, 3, { eventId: 'e' })).to.deep.equal({ eventId: 'e', matched: 0 });
    expect(await publish(test, 4, { eventId: 'e', tenantId: 'other' })).to.deep.equal({ eventId: 'e', matched: 0 });
    expect(await publish(test, 5, { eventId: 'f' })).to.include({ matched: 1 });
  });

  it('are for those whose match is true; one that fails is shown, and waits on', async () => {
    const test = await engine();
    const fits = await test.start(test.define(waitFor('k', 'event.payload.amount > 10')));
    const faulty = await test.start(test.define(waitFor('k', 'event.payload.nothing.at_all == 1')));
    await parked(test, 2);
    expect(await publish(test, { amount: 5 })).to.include({ matched: 0 });
    expect(await publish(test, { amount: 50 })).to.include({ matched: 1 });
    expect(await outputOf(test, fits)).to.deep.equal({ amount: 50 });
    expect((await test.state(faulty)).endedAt).to.equal(null);
    const [row] = await test.query<{ matches: readonly { run_id: string; error?: { code: string } }[] }>(
      `select matches from eec_workflow_event where payload ->> 'amount' = '50'`,
    );
    expect(row?.matches.find(({ run_id }) => run_id === faulty)?.error?.code).to.equal('expression_error');
  });

  it('fill the first subscription of a node that has room', async () => {
    const test = await engine();
    const id = test.define({ steps: [{ ref: 'b', type: 'BOTH', first: 2 }], output: '${steps.b.output}' });
    const runId = await test.start(id);
    await parked(test, 1);
    for (const n of [1, 2, 3]) expect(await publish(test, n)).to.include({ matched: 1 });
    const [one, two] = ['first', 'first'];
    expect(await outputOf(test, runId)).to.deep.equal([
      [one, 1],
      [two, 2],
      ['second', 3],
    ]);
    expect(await publish(test, 4)).to.include({ matched: 0 });
  });

  it('that two hosts publish at once are each taken, and no room is used twice', async () => {
    const [a, b] = [await engine(), await engine()];
    const id = a.define({ steps: [{ ref: 'b', type: 'BOTH', first: 9 }], output: '${steps.b.output}' });
    const runs = await Promise.all(Array.from({ length: 5 }, () => a.start(id)));
    await parked(a, 5);
    const events = Array.from({ length: 10 }, (_, n) => publish(n % 2 === 0 ? a : b, n));
    for (const { matched } of await Promise.all(events)) expect(matched).to.equal(5);
    for (const runId of runs) {
      const got = (await outputOf(b, runId)) as [string, number][];
      expect(got.map(([, n]) => n).sort()).to.deep.equal(Array.from({ length: 10 }, (_, n) => n));
      expect(got.filter(([name]) => name === 'second')).to.have.length(1);
    }
  });

  it('reach more waits than one page has, and each of them once, though the host dies between two pages', async () => {
    let pages = 0;
    const first = await engine(async ({ name, run }) => {
      if (name === 'deliver_event' && ++pages > 1) throw connectionLost();
      return run();
    });
    const id = first.define(waitFor('k'));
    const count = process.env.FULL === '1' ? 2_000 : 600;
    const runs = await Promise.all(Array.from({ length: count }, () => first.start(id)));
    await parked(first, count);
    expect(await publish(first, 1)).to.include({ matched: 500 });
    engines.splice(0);
    await first.crash();
    const [second] = [await startTestEngine({ database, definitions })];
    engines.push(second);
    await age(second);
    for (const runId of runs) await second.ended(runId);
    const [row] = await second.query<{ matched: number; isDone: boolean }>(
      'select matched, matched_at is not null as "isDone" from eec_workflow_event',
    );
    expect(row).to.deep.equal({ matched: count, isDone: true });
  });

  it('are matched by another host where the one that kept them died first', async () => {
    const first = await engine(async ({ name, run }) => {
      if (name === 'waiting_for') throw connectionLost();
      return run();
    });
    const runId = await first.start(first.define(waitFor('k')));
    await parked(first, 1);
    expect(await publish(first, 7)).to.include({ matched: 0 });
    await age(first);
    engines.splice(0);
    await first.crash();
    const second = await engine();
    expect(await outputOf(second, runId)).to.equal(7);
  });

  it('of an EMIT reach those that wait, also if the host dies right after the commit', async () => {
    let isDead = false;
    const first = await engine(async ({ name, run }) => {
      if (isDead && name === 'find_events') throw connectionLost();
      return run();
    });
    const emit = first.define({
      steps: [
        { ref: 'e', type: 'EMIT', event_name: 'thing', correlation_key: 'input.key', payload: { n: '${input.n}' } },
      ],
    });
    const [k, l] = [await first.start(first.define(waitFor('k'))), await first.start(first.define(waitFor('l')))];
    await parked(first, 2);
    const publisher = await first.start(emit, { key: 'k', n: 1 });
    expect(await outputOf(first, k)).to.deep.equal({ n: 1 });
    isDead = true;
    await first.ended(await first.start(emit, { key: 'l', n: 2 }));
    await age(first);
    engines.splice(0);
    await first.crash();
    const second = await engine();
    expect(await outputOf(second, l)).to.deep.equal({ n: 2 });
    const [row] = await second.query<{ run_id: string }>(
      `select run_id from eec_workflow_event where correlation_key = 'k'`,
    );
    expect(row?.run_id).to.equal(publisher);
  });

  it('from before a wait are taken by one that looks back, oldest first, as far as it looks', async () => {
    const test = await engine();
    for (const n of [0, 1, 2]) await publish(test, n);
    await test.query(
      `update eec_workflow_event set published_at = published_at - interval '1 hour' where payload::text = '0'`,
    );
    const looks = { steps: [{ ref: 'b', type: 'BOTH', lookback: 600_000 }], output: '${steps.b.output}' };
    const runId = await test.start(test.define(looks));
    expect(await outputOf(test, runId)).to.deep.equal([
      ['first', 1],
      ['second', 2],
    ]);
    const rows = await test.query<{ matched: number }>('select matched from eec_workflow_event order by published_at');
    expect(rows.map(({ matched }) => matched)).to.deep.equal([0, 1, 1]);
  });

  it('from before a wait are looked for by another host where the one that parked it died', async () => {
    const first = await engine(async ({ name, run }) => {
      if (name === 'pending_look_backs') throw connectionLost();
      return run();
    });
    await publish(first, 1);
    const looks = { steps: [{ ref: 'b', type: 'BOTH', lookback: 600_000 }], output: '${steps.b.output}' };
    const runId = await first.start(first.define(looks));
    await parked(first, 1);
    engines.splice(0);
    await first.crash();
    const second = await engine();
    await until(async () => {
      const open = await second.query('select from eec_workflow_wait where look_back_from is not null');
      return open.length === 0;
    }, 'the look back');
    await publish(second, 2);
    expect(await outputOf(second, runId)).to.deep.equal([
      ['first', 1],
      ['second', 2],
    ]);
  });

  it('are looked for at once by all the nodes of a run, however many there are', async () => {
    const test = await engine(async ({ name, values: [runId], run }) => {
      if (name === 'pending_look_backs' && runId === null) throw connectionLost();
      return run();
    });
    const steps = Array.from({ length: 120 }, (_, n) => ({ ref: `b${n}`, type: 'BOTH', lookback: 600_000 }));
    await test.start(test.define({ steps }));
    await parked(test, 1);
    await until(async () => {
      const open = await test.query('select from eec_workflow_wait where look_back_from is not null');
      return open.length === 0;
    }, 'all to look back');
  });

  it('and look backs at once give a node each event once', async () => {
    const [a, b] = [await engine(), await engine()];
    const looks = { steps: [{ ref: 'b', type: 'BOTH', first: 20, lookback: 600_000 }], output: '${steps.b.output}' };
    const id = a.define(looks);
    const events = Array.from({ length: 21 }, (_, n) => n);
    const published = Promise.all(events.map((n) => publish(n % 2 === 0 ? a : b, n)));
    const runs = await Promise.all(Array.from({ length: 5 }, () => a.start(id)));
    await published;
    for (const runId of runs) {
      const got = (await outputOf(b, runId)) as [string, number][];
      expect(got.map(([, n]) => n).sort((x, y) => x - y)).to.deep.equal(events);
    }
  });
});
