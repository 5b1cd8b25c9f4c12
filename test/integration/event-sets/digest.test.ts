import type { Definition } from '@ductor/core';
import { expect } from 'chai';
import type { TestDatabase } from '../../support/database.ts';
import { faultyPool } from '../../support/faulty-pool.ts';
import { until } from '../../support/until.ts';
import {
  type DigestEngine,
  digestDatabase,
  HOUR_MS,
  isPlaced,
  leaderOf,
  startDigestEngine,
  together,
  windowIn,
} from './world.ts';

describe('DIGEST', () => {
  let engine: DigestEngine;
  before(async () => {
    engine = await startDigestEngine({ database: await digestDatabase() });
  });
  afterEach(() => {
    engine.onDeed = null;
  });
  after(() => engine.stop());

  let customers = 0;
  /** A definition of its own keeps the windows of a test apart from those of others. */
  const world = (fields: object = {}) => {
    const id = engine.define(together(fields));
    customers += 1;
    const customer = `c-${customers}`;
    return {
      start: (n: number, input: object = {}) => engine.start(id, { customer, n, ...input }),
      placed: async (n: number, input: object = {}) => {
        const runId = await engine.start(id, { customer, n, ...input });
        await engine.stands(runId, isPlaced, 'to be placed');
        return runId;
      },
    };
  };
  const unflushed = (leaderId: string) =>
    engine.query<{ arrivals: number; is_open: boolean }>(
      `select w.is_open, (select count(*)::int from eec_workflow_digest_arrival a where a.window_id = w.id and a.ended_at is null) arrivals
       from eec_workflow_digest w where w.leader_run_id = $1 and w.flushed_at is null`,
      leaderId,
    );

  it('gathers the runs of a window into the first, in the order in which they came; the others are merged', async () => {
    const { placed } = world();
    const runs = [await placed(1), await placed(2), await placed(3)];
    const [leader, ...others] = runs;
    for (const runId of runs) expect(leaderOf(await engine.state(runId))).to.equal(leader);
    await engine.passes(HOUR_MS - 60_000);
    expect((await engine.state(leader!)).status).to.equal('waiting');
    await engine.passes(60_000);
    const led = await engine.ended(leader!);
    expect(led.ended.get('d')).to.deep.include({
      status: 'completed',
      output: {
        count: 3,
        items: [1, 2, 3].map((n) => ({ customer: `c-${customers}`, n })),
      },
    });
    expect(led.ending).to.deep.equal({ status: 'completed', output: [1, 2, 3] });
    for (const runId of others) {
      const run = await engine.ended(runId);
      expect(run.ending).to.deep.equal({ status: 'merged', into: leader });
      expect(run.ended.get('d')).to.include({ status: 'completed', output: null });
      expect(run.ended.has('after'), 'goes on').to.equal(false);
    }
  });

  it('keeps keys apart, and those who come when the window is over', async () => {
    const { placed } = world();
    const first = await placed(1);
    const other = await placed(2, { customer: 'somebody else' });
    expect(leaderOf(await engine.state(other))).to.equal(other);
    await engine.passes(HOUR_MS);
    await engine.ended(first);
    const next = await placed(3);
    expect(leaderOf(await engine.state(next))).to.equal(next);
    await engine.control(next, 'terminate');
  });

  it('is over at once when it is full', async () => {
    const { placed, start } = world({ max_count: 3 });
    const leader = await placed(1);
    const others = [await start(2), await start(3)];
    expect((await engine.ended(leader)).status).to.equal('completed');
    for (const runId of others) expect((await engine.ended(runId)).status).to.equal('merged');
    expect((await engine.ended(leader)).ended.get('d')).to.have.nested.property('output.count', 3);
  });

  it('of one is no wait at all', async () => {
    const { start } = world({ max_count: 1 });
    const runs = [await start(1), await start(2)];
    for (const runId of runs) expect((await engine.ended(runId)).ending).to.have.property('status', 'completed');
  });

  it('drops doubles, which do not count, and merges their runs as well', async () => {
    const { placed, start } = world({ dedupe_key: 'input.order', max_count: 2 });
    const leader = await placed(1, { order: 'a' });
    const doubles = await Promise.all([2, 3, 4].map((n) => placed(n, { order: 'a' })));
    const last = await start(5, { order: 'b' });
    expect((await engine.ended(leader)).ending).to.deep.equal({ status: 'completed', output: [1, 5] });
    for (const runId of [...doubles, last]) expect((await engine.ended(runId)).status).to.equal('merged');
  });

  it('keeps the item of a double whose first is gone', async () => {
    const { placed } = world({ dedupe_key: 'input.order' });
    const leader = await placed(1, { order: 'a' });
    const first = await placed(2, { order: 'b' });
    const double = await placed(3, { order: 'b' });
    await engine.control(first, 'cancel');
    await engine.ended(first);
    await engine.passes(HOUR_MS);
    expect((await engine.ended(leader)).ending).to.deep.equal({ status: 'completed', output: [1, 3] });
    expect((await engine.ended(double)).status).to.equal('merged');
  });

  it('leaves out who was cancelled meanwhile; redriven, that one comes again', async () => {
    const { placed } = world();
    const leader = await placed(1);
    const gone = await placed(2);
    await engine.control(gone, 'cancel');
    expect((await engine.ended(gone)).status).to.equal('cancelled');
    await engine.control(gone, 'redrive');
    await engine.stands(gone, isPlaced, 'to be placed again');
    await engine.control(gone, 'terminate');
    expect((await engine.ended(gone)).status).to.equal('terminated');
    await engine.passes(HOUR_MS);
    expect((await engine.ended(leader)).ending).to.deep.equal({ status: 'completed', output: [1] });
    await engine.control(gone, 'redrive');
    const again = await engine.stands(gone, isPlaced, 'to be placed once more');
    expect(leaderOf(again)).to.equal(gone);
    await engine.passes(HOUR_MS);
    await engine.stands(gone, ({ status }) => status === 'completed', 'to complete');
  });

  for (const control of ['cancel', 'terminate'] as const) {
    it(`whose leader is over (${control}) takes nobody more; those in it wait until the leader is redriven`, async () => {
      const { placed } = world();
      const leader = await placed(1);
      const follower = await placed(2);
      await engine.control(leader, control);
      await engine.ended(leader);
      expect(await unflushed(leader)).to.deep.equal([{ arrivals: 1, is_open: true }]);
      const next = await placed(3);
      expect(leaderOf(await engine.state(next)), 'a new window').to.equal(next);
      expect(await unflushed(leader)).to.deep.equal([{ arrivals: 1, is_open: false }]);
      await engine.passes(HOUR_MS);
      expect((await engine.ended(next)).ending).to.deep.equal({ status: 'completed', output: [3] });
      expect((await engine.state(follower)).status).to.equal('waiting');
      await engine.control(leader, 'redrive');
      await engine.stands(leader, ({ status }) => status === 'completed', 'to complete');
      // It has come again, behind the other.
      expect((await engine.state(leader)).ending).to.deep.equal({ status: 'completed', output: [2, 1] });
      expect((await engine.ended(follower)).ending).to.deep.equal({ status: 'merged', into: leader });
      expect(await unflushed(leader)).to.deep.equal([]);
    });
  }

  it('whose leader is paused is over on time, and flushed when that is resumed', async () => {
    const { placed } = world();
    const leader = await placed(1);
    const follower = await placed(2);
    await engine.control(leader, 'pause');
    await engine.stands(leader, ({ status }) => status === 'paused', 'to be paused');
    await engine.passes(HOUR_MS);
    const next = await placed(3);
    expect(leaderOf(await engine.state(next))).to.equal(next);
    await engine.control(leader, 'resume');
    expect((await engine.ended(leader)).ending).to.deep.equal({ status: 'completed', output: [1, 2] });
    expect((await engine.ended(follower)).status).to.equal('merged');
    await engine.control(next, 'terminate');
  });

  it('merges who is paused when that is resumed', async () => {
    const { placed } = world();
    const leader = await placed(1);
    const follower = await placed(2);
    await engine.control(follower, 'pause');
    await engine.stands(follower, ({ status }) => status === 'paused', 'to be paused');
    await engine.passes(HOUR_MS);
    expect((await engine.ended(leader)).ending).to.deep.equal({ status: 'completed', output: [1, 2] });
    expect((await engine.state(follower)).status).to.equal('paused');
    await engine.control(follower, 'resume');
    expect((await engine.ended(follower)).ending).to.deep.equal({ status: 'merged', into: leader });
  });

  it('takes nobody twice: cancelled after the flush and redriven, it is merged all the same', async () => {
    const { placed } = world();
    const leader = await placed(1);
    const follower = await placed(2);
    await engine.control(follower, 'pause');
    await engine.stands(follower, ({ status }) => status === 'paused', 'to be paused');
    await engine.passes(HOUR_MS);
    await engine.ended(leader);
    await engine.control(follower, 'cancel');
    expect((await engine.ended(follower)).status).to.equal('cancelled');
    await engine.control(follower, 'redrive');
    await engine.stands(follower, ({ status }) => status === 'merged', 'to be merged');
    expect((await engine.state(follower)).ending).to.deep.equal({ status: 'merged', into: leader });
  });

  it('gives up at its timeout, and lets the others be', async () => {
    const { placed } = world({ timeout: 'PT30M' });
    const first = await placed(1);
    await engine.passes(HOUR_MS / 2);
    const failed = await engine.ended(first);
    expect(failed.ending).to.have.nested.property('error.code', 'timeout');
    const next = await placed(2);
    expect(leaderOf(await engine.state(next))).to.equal(next);
    await engine.control(next, 'terminate');
  });

  it('asks for a key that can be one', async () => {
    const { start } = world();
    for (const customer of ['', 'x'.repeat(257)]) {
      const run = await engine.ended(await start(1, { customer }));
      expect(run.ending).to.have.nested.property('error.code', 'invalid_digest_key');
    }
  });

  it('looks at neither effects nor edges of a run that is merged', async () => {
    const id = engine.define({
      steps: [
        {
          ...{ ref: 'd', type: 'DIGEST', digest_key: '"k"', window: 'PT1H' },
          effects: { context: { n: '${output.count}' } },
        },
        { ref: 'many', type: 'TRANSFORM', value: '${context.n}' },
      ],
      edges: [{ from: 'd', to: 'many', condition: 'output.count > 1' }],
    });
    const leader = await engine.start(id);
    await engine.stands(leader, isPlaced, 'to be placed');
    const follower = await engine.start(id);
    await engine.stands(follower, isPlaced, 'to be placed');
    await engine.passes(HOUR_MS);
    expect((await engine.ended(leader)).ending).to.deep.equal({ status: 'completed', output: 2 });
    expect((await engine.ended(follower)).status).to.equal('merged');
  });

  it('finds its window although the host was lost between the commit and its deed', async () => {
    const { start, placed } = world();
    engine.onDeed = (text) => {
      if (text.includes('insert into eec_workflow_digest')) throw new Error('the host is lost');
    };
    const first = await start(1);
    await until(async () => {
      const rows = await engine.query('select from eec_workflow_digest_arrival where run_id = $1', first);
      return rows.length === 1;
    }, 'the arrival');
    engine.onDeed = null;
    const leader = await placed(2);
    await engine.recover();
    expect(windowIn(await engine.stands(first, isPlaced, 'to be placed'))).to.equal(
      windowIn(await engine.state(leader)),
    );
    await engine.passes(HOUR_MS);
    expect((await engine.ended(leader)).ending).to.deep.equal({ status: 'completed', output: [2, 1] });
    expect((await engine.ended(first)).status).to.equal('merged');
  });

  it('tells of a full window although the host was lost before it could', async () => {
    const { start, placed } = world({ max_count: 2 });
    const leader = await placed(1);
    let joined = 0;
    engine.onDeed = (text) => {
      joined += text.includes('insert into eec_workflow_digest') ? 1 : 0;
      if (text.includes('set told')) throw new Error('the host is lost');
    };
    const last = await start(2);
    await engine.ended(leader);
    expect((await engine.ended(last)).status).to.equal('merged');
    expect(joined).to.equal(1);
    engine.onDeed = null;
    await engine.recover();
    expect((await engine.state(leader)).ending).to.deep.equal({ status: 'completed', output: [1, 2] });
  });
});

describe('A DIGEST of a hundred runs', () => {
  it('under two hosts is one, exactly', async () => {
    const database: TestDatabase = await digestDatabase();
    const definitions = new Map<string, Definition>();
    const [one, two] = await Promise.all([
      startDigestEngine({ database, definitions }),
      startDigestEngine({ database, definitions }),
    ]);
    const id = one.define(together({ max_count: 100 }));
    const runs = await Promise.all(
      Array.from({ length: 100 }, (_, n) => (n % 2 === 0 ? one : two).start(id, { customer: 'c', n })),
    );
    await until(async () => {
      const open = await one.query('select from eec_workflow_run where ended_at is null');
      return open.length === 0;
    }, 'all runs to end');
    const ends = await Promise.all(runs.map((runId) => one.ended(runId)));
    const leaders = ends.filter(({ status }) => status === 'completed');
    expect(leaders).to.have.length(1);
    const [leader] = leaders;
    expect(ends.filter(({ status }) => status === 'merged')).to.have.length(99);
    for (const { ending } of ends) if (ending?.status === 'merged') expect(ending.into).to.equal(leader?.header.id);
    const output = leader?.ending?.status === 'completed' ? leader.ending.output : null;
    expect(output).to.have.members(Array.from({ length: 100 }, (_, n) => n));
    await two.stop({ keep: true });
    await one.stop();
  });
});

describe('The flush of a DIGEST', () => {
  /** What happens in the database between the leader's look at its window and its commit, once. */
  let before: (() => Promise<unknown>) | null = null;
  let engine: DigestEngine;
  beforeEach(async () => {
    engine = await startDigestEngine({
      database: await digestDatabase(),
      through: (hot) =>
        faultyPool(hot, async ({ name, text, run }) => {
          if (name.startsWith('commit_') && text.includes('update eec_workflow_digest w')) {
            const happens = before;
            before = null;
            await happens?.();
          }
          return run();
        }),
    });
  });
  afterEach(() => engine.stop());

  const start = (id: string, n: number) => engine.start(id, { customer: 'c', n });
  const placed = async (id: string, n: number) => {
    const runId = await start(id, n);
    await engine.stands(runId, isPlaced, 'to be placed');
    return runId;
  };

  it('sees who has come since it looked', async () => {
    const id = engine.define(together());
    const leader = await placed(id, 1);
    engine.onDeed = () => {
      throw new Error('the host is lost');
    };
    const late = await start(id, 2);
    // As its arrival would have, in its last moment.
    before = () =>
      engine.query(
        `with w as (update eec_workflow_digest set revision = revision + 1 where leader_run_id = $1 returning id, revision)
         update eec_workflow_digest_arrival a set window_id = w.id, place = w.revision, counts = true from w where a.run_id = $2`,
        leader,
        late,
      );
    await engine.passes(HOUR_MS);
    expect((await engine.ended(leader)).ending).to.deep.equal({ status: 'completed', output: [1, 2] });
    expect((await engine.ended(late)).ending).to.deep.equal({ status: 'merged', into: leader });
  });

  it('sees who has left since it looked', async () => {
    const id = engine.define(together());
    const leader = await placed(id, 1);
    const gone = await placed(id, 2);
    // As the commit of its cancel would have it, on another host.
    before = () =>
      engine.query(
        `update eec_workflow_digest_arrival set outcome = 'left', ended_at = clock_timestamp() where run_id = $1`,
        gone,
      );
    await engine.passes(HOUR_MS);
    expect((await engine.ended(leader)).ending).to.deep.equal({ status: 'completed', output: [1] });
    expect((await engine.state(gone)).status).to.equal('waiting');
  });
});
