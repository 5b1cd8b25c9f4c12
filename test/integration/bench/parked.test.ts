import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';
import { until } from '../../support/until.ts';

const RUNS = process.env.FULL === '1' ? 20_000 : 2_000;
const IDLE_SECONDS = 6;

describe('Thousands of parked runs', function () {
  this.timeout(120_000);
  let test: TestEngine;
  let statements = 0;
  before(async () => {
    test = await startTestEngine({});
    test.db.hot.on('acquire', () => {
      statements += 1;
    });
    const event = { event_name: 'e', correlation_key: 'input.key' };
    const kinds = [
      test.define({ steps: [{ ref: 'w', type: 'WAIT', event }] }),
      test.define({ steps: [{ ref: 'w', type: 'WAIT', until: '"2099-01-01T00:00:00Z"' }] }),
    ];
    await Promise.all(Array.from({ length: RUNS }, (_, i) => test.start(kinds[i % 2]!, { key: `k${i}` })));
    const parked = async () => {
      const [row] = await test.query<{ n: number }>('select count(*)::int as n from eec_workflow_wait');
      return row?.n === RUNS;
    };
    await until(parked, 'all to park');
  });
  after(() => test.stop());

  it('cost an idle host no more statements than none, and are not read by any of them', async () => {
    // A session tells what it read with its next statement, a second later or more.
    const rowsRead = async () => {
      const [row] = await test.query<{ n: number }>(
        'select coalesce(sum(idx_tup_read), 0)::int as n from pg_stat_user_indexes',
      );
      return row?.n ?? 0;
    };
    await delay(2_000);
    const before = { statements, rows: await rowsRead() };
    await delay(IDLE_SECONDS * 1_000);
    const rows = (await rowsRead()) - before.rows;
    expect((statements - before.statements) / IDLE_SECONDS).to.be.within(0.5, 2.5);
    expect(rows / IDLE_SECONDS).to.be.lessThan(50);
  });
});
