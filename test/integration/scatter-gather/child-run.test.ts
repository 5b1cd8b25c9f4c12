import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createTestDatabase } from '../../support/database.ts';
import { Gate, type TestAction, type TestEngine } from '../../support/engine.ts';
import { until } from '../../support/until.ts';
import { act, eachItem, outcomeOf, startWorld } from './world.ts';

const ITEMS = process.env.FULL === '1' ? 500 : 50;
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const APART = { mode: 'child_run' };

const childrenOf = (test: TestEngine, runId: string) =>
  test.query<{ id: string; status: string; kind: string; index: number }>(
    `select id, status, kind, (lineage -> 'parent' -> 'node' -> 'branch' ->> 0)::int index
     from eec_workflow_run where root_run_id = $1 and id <> $1 order by index, id`,
    runId,
  );

describe('Branches that are runs, on a real database', () => {
  let test: TestEngine;
  let gate = new Gate();
  let inFlight = 0;
  let most = 0;
  const calls: unknown[] = [];
  const actions: { readonly [name: string]: TestAction } = {
    'test.do': async (args, control) => {
      calls.push(args);
      if (args === 'fail') throw new Error('refused');
      if (args === 'wait') await gate.pass(control);
      if (args === 'large') return 'x'.repeat(100_000);
      return [args];
    },
    'test.counted': async (args) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await new Promise((resolve) => setTimeout(resolve, 2));
      inFlight -= 1;
      return args;
    },
  };
  before(async () => {
    test = await startWorld({ actions });
  });
  after(() => test.stop());
  beforeEach(() => {
    gate = new Gate();
    calls.length = 0;
  });

  it('keep to the window and the order of the items, and the run row stays small', async () => {
    const definition = test.define(
      eachItem(act({ action: 'test.counted' }), { scatter: { ...APART, max_in_flight: 10 } }),
    );
    const run = await test.start(definition, { items: numbers(ITEMS) });
    expect(await outcomeOf(test, run)).to.deep.include({ status: 'completed', output: numbers(ITEMS) });
    expect(most).to.be.most(10);
    const children = await childrenOf(test, run);
    expect(children).to.have.length(ITEMS);
    for (const { kind, status } of children)
      expect({ kind, status }).to.deep.equal({ kind: 'branch', status: 'completed' });
    const rows = await test.query<{ branch_run_id: string }>(
      'select branch_run_id from eec_workflow_branch where run_id = $1 order by index',
      run,
    );
    expect(rows.map(({ branch_run_id }) => branch_run_id)).to.deep.equal(children.map(({ id }) => id));
    const [versions] = await test.query<{ n: number }>(
      'select count(distinct definition_id)::int n from eec_workflow_run where root_run_id = $1 and id <> $1',
      run,
    );
    expect(versions?.n).to.equal(1);
  });

  it('keep large outputs beside their rows', async () => {
    const run = await test.start(test.define(eachItem(act(), { scatter: APART })), { items: ['large', 1] });
    const { output } = await outcomeOf(test, run);
    expect((output as string[])[0]).to.have.length(100_000);
  });

  it('lose and double nothing when the host goes away in between', async () => {
    const { database, definitions } = test;
    const dataId = randomUUID();
    const first = await startWorld({ actions, database, definitions, dataId });
    const definition = first.define(eachItem(act(), { scatter: { ...APART, max_in_flight: 2 } }));
    const run = await first.start(definition, { items: [1, 'wait', 3, 'wait', 5] });
    await until(() => (gate.arrived >= 2 ? true : null), 'two of them to wait');
    await first.crash();
    gate.release();
    const second = await startWorld({ actions, database, definitions, dataId });
    expect(await outcomeOf(second, run)).to.deep.include({ output: [[1], ['wait'], [3], ['wait'], [5]] });
    expect((await childrenOf(second, run)).map(({ index }) => index)).to.deep.equal([0, 1, 2, 3, 4]);
    await second.stop({ keep: true });
  });

  it('are cancelled when one fails; the others never start', async () => {
    const definition = test.define(
      eachItem(act({ retry: { max_attempts: 1 } }), { scatter: { ...APART, max_in_flight: 3 } }),
    );
    const run = await test.start(definition, { items: ['wait', 'wait', 'fail', 4, 5] });
    const { error } = await outcomeOf(test, run);
    expect(error).to.have.nested.property('details.error.code', 'connector_error');
    expect(error).to.have.nested.property('details.error.details.step_ref', 'do');
    expect((await childrenOf(test, run)).map(({ status }) => status)).to.deep.equal([
      'cancelled',
      'cancelled',
      'failed',
    ]);
    const rows = await test.query<{ status: string }>(
      'select status from eec_workflow_branch where run_id = $1 order by index',
      run,
    );
    expect(rows.map(({ status }) => status)).to.deep.equal(['cancelled', 'cancelled', 'failed', null, null]);
  });

  it('may be nested', async () => {
    const definition = test.define({
      steps: [
        { ref: 'rows', type: 'SCATTER', items: 'input.rows', ...APART },
        { ref: 'each', type: 'SCATTER', items: 'item', ...APART, on_branch_failure: 'collect' },
        act({ args: '${[input.who, scatters.rows.index, item]}' }),
        { ref: 'row', type: 'GATHER', scatter: 'each', reduce: 'results.map(r, r.output[0])' },
        { ref: 'all', type: 'GATHER', scatter: 'rows' },
      ],
      edges: [
        { from: 'rows', to: 'each' },
        { from: 'each', to: 'do' },
        { from: 'do', to: 'row' },
        { from: 'row', to: 'all' },
      ],
      actions: { 'test.do': { effect: 'read', idempotency: 'key' } },
    });
    const run = await test.start(definition, { who: 'me', rows: [['a', 'b'], [], ['c']] });
    const { output } = await outcomeOf(test, run);
    expect(output).to.deep.equal([
      [
        ['me', 0, 'a'],
        ['me', 0, 'b'],
      ],
      [],
      [['me', 2, 'c']],
    ]);
  });
});

describe('C05 cancel of branches that are runs', () => {
  it('C05 ends the run after them: queued branches never start, running ones are cancelled', async () => {
    const database = await createTestDatabase();
    const gate = new Gate();
    const called: unknown[] = [];
    const actions: { readonly [name: string]: TestAction } = {
      'test.do': async (args, control) => {
        called.push(args);
        if (args !== 0) await gate.pass(control);
        return args;
      },
    };
    const test = await startWorld({ actions, database });
    const definition = test.define(eachItem(act(), { scatter: { ...APART, max_in_flight: 2 } }));
    const run = await test.start(definition, { items: [0, 1, 2, 3, 4] });
    await until(() => (gate.arrived === 2 ? true : null), 'two branches to run beside the one that is over');
    await test.query(
      `insert into eec_workflow_inbox (id, tenant_id, chain_id, run_id, kind, request_id, actor, body)
       values ($1, 'default', $2, $2, 'control', 'r1', 'key:ops', '{"control": "cancel"}')`,
      randomUUID(),
      run,
    );
    test.engine.coordinator.wake([run]);
    expect((await test.ended(run)).status).to.equal('cancelled');
    expect(called.sort()).to.deep.equal([0, 1, 2]);
    expect((await childrenOf(test, run)).map(({ status }) => status)).to.deep.equal([
      'completed',
      'cancelled',
      'cancelled',
    ]);
    await test.stop();
  });
});
