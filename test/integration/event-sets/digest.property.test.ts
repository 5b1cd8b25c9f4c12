import type { Definition, RunState } from '@ductor/core';
import { expect } from 'chai';
import fc from 'fast-check';
import { DatabaseClock } from '#host/engine/database-clock.js';
import type { TestDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';
import { type DigestEngine, digestDatabase, HOUR_MS, startDigestEngine, together } from './world.ts';

const FULL = process.env.FULL === '1';
const CONTROLS = ['pause', 'resume', 'cancel', 'terminate', 'redrive'] as const;

/** What happens; `run`: which of those started so far, counted around. */
type Happening =
  | { readonly do: 'arrive'; readonly key: string; readonly order: number; readonly lostAfter: number | null }
  | { readonly do: 'control'; readonly run: number; readonly control: (typeof CONTROLS)[number] }
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: 'crash' | 'recover' };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('arrive' as const),
      key: fc.constantFrom('a', 'b'),
      order: fc.integer({ min: 0, max: 4 }),
      // The host is lost after so many statements of the deed.
      lostAfter: fc.option(fc.integer({ min: 0, max: 2 }), { freq: 5 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('control' as const),
      run: fc.nat(100),
      control: fc.constantFrom(...CONTROLS),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(HOUR_MS / 2, HOUR_MS) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('crash' as const, 'recover' as const) }) },
);

describe('Arrivals at a DIGEST', function () {
  this.timeout(FULL ? 1_800_000 : 120_000);
  let database: TestDatabase;
  let clock: DatabaseClock;
  const definitions = new Map<string, Definition>();
  let one: DigestEngine;
  let two: DigestEngine;

  const start = () => startDigestEngine({ database, definitions, clock });
  before(async () => {
    database = await digestDatabase();
    clock = new DatabaseClock();
    [one, two] = await Promise.all([start(), start()]);
  });
  after(async () => {
    await two.stop({ keep: true });
    await one.stop();
  });

  interface Arrived {
    readonly runId: string;
    readonly key: string;
    readonly order: number;
  }

  async function happen(all: readonly Happening[], definitionId: string): Promise<readonly Arrived[]> {
    const arrived: Arrived[] = [];
    for (const [i, each] of all.entries()) {
      const host = i % 2 === 0 ? one : two;
      switch (each.do) {
        case 'arrive': {
          const { key, order, lostAfter } = each;
          let left = lostAfter ?? Number.POSITIVE_INFINITY;
          host.onDeed = () => {
            left -= 1;
            if (left < 0) throw new Error('the host is lost');
          };
          const runId = await host.start(definitionId, { customer: key, order: `${order}`, n: arrived.length });
          arrived.push({ runId, key, order });
          break;
        }
        case 'control': {
          const of = arrived[each.run % Math.max(1, arrived.length)];
          if (of) await host.control(of.runId, each.control);
          break;
        }
        case 'pass':
          await host.passes(each.ms);
          break;
        case 'recover':
          host.onDeed = null;
          await host.recover();
          break;
        case 'crash':
          await two.crash();
          two = await start();
          break;
      }
    }
    return arrived;
  }

  /** Resumes whoever is paused, and redrives leaders whom others wait for, until nobody waits. */
  async function settle(runs: readonly string[]): Promise<readonly RunState[]> {
    one.onDeed = null;
    two.onDeed = null;
    await until(
      async () => {
        await one.recover();
        await one.passes(HOUR_MS);
        const open = await one.query<{ id: string; status: string }>(
          'select id, status from eec_workflow_run where id = any($1::uuid[]) and ended_at is null',
          runs,
        );
        for (const { id, status } of open) if (status === 'paused') await one.control(id, 'resume');
        const leaders = await one.query<{ id: string }>(
          `select distinct r.id from eec_workflow_digest w join eec_workflow_run r on r.id = w.leader_run_id
           where r.id = any($1::uuid[]) and r.ended_at is not null and w.flushed_at is null and exists (
             select from eec_workflow_digest_arrival a where a.window_id = w.id and a.ended_at is null)`,
          runs,
        );
        for (const { id } of leaders) await one.control(id, 'redrive');
        return open.length === 0 && leaders.length === 0;
      },
      'all runs to end',
      60_000,
    );
    return Promise.all(runs.map((runId) => one.state(runId)));
  }

  it('each come out once, and nothing is lost, whatever happens in between', async () => {
    const happenings = fc.array(happening, { minLength: 10, maxLength: 30, size: 'max' });
    await fc.assert(
      fc.asyncProperty(happenings, async (all) => {
        const id = one.define(together({ dedupe_key: 'input.order', max_count: 4 }));
        const arrived = await happen(all, id);
        const states = await settle(arrived.map(({ runId }) => runId));
        // A leader may be cancelled by the tick that flushes its window: those in it share its fate.
        const digests = new Map(
          states.flatMap(({ header, ended }) => {
            const node = ended.get('d');
            const output = node?.status === 'completed' ? node.output : null;
            if (output === null) return [];
            const { items } = output as { items: readonly { n: number; customer: string; order: string }[] };
            return [[header.id, items] as const];
          }),
        );
        const taken = [...digests.values()].flat().map(({ n }) => n);
        expect(new Set(taken).size, 'an item is in one digest, once').to.equal(taken.length);
        for (const [n, { ending, header }] of states.entries()) {
          const { key, order } = arrived[n]!;
          const into = ending?.status === 'merged' ? ending.into : header.id;
          const items = digests.get(into);
          if (ending?.status === 'completed' || ending?.status === 'merged')
            expect(items, `run ${n} is in the digest of a run that has one`).not.to.equal(undefined);
          if (items === undefined) continue;
          const own = items.filter((item) => item.customer === key && item.order === `${order}`);
          expect(own, `run ${n}, or the one that it doubles`).to.have.length(1);
        }
        for (const items of digests.values()) {
          expect(items.length).to.be.at.most(4);
          expect(new Set(items.map(({ customer }) => customer)).size).to.equal(1);
        }
      }),
      { numRuns: FULL ? 100 : 8, endOnFailure: true },
    );
  });
});
