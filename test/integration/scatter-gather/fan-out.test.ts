import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Gate, type TestAction, type TestEngine } from '../../support/engine.ts';
import { until } from '../../support/until.ts';
import { act, eachItem, outcomeOf, startWorld } from './world.ts';

/** Items of the large fan-outs: the one is ten times the other. */
const LARGE = process.env.FULL === '1' ? 10_000 : 1_000;
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

describe('Branches on a real database', () => {
  let test: TestEngine;
  let gate = new Gate();
  const reversed: number[] = [];
  const actions: { readonly [name: string]: TestAction } = {
    'test.do': async (args, control) => {
      if (args === 'wait') await gate.pass(control);
      if (args === 'large') return 'x'.repeat(100_000);
      return [args];
    },
    // The last to come is the first to go.
    'test.reversed': async (args) => {
      reversed.push(args as number);
      await until(() => (reversed.at(-1) === args ? true : null), 'its turn');
      reversed.pop();
      return args;
    },
  };
  before(async () => {
    test = await startWorld({ actions });
  });
  after(() => test.stop());
  beforeEach(() => {
    gate = new Gate();
  });

  const control = async (runId: string, word: string) => {
    await test.query(
      `insert into eec_workflow_inbox (id, tenant_id, chain_id, run_id, kind, request_id, actor, body)
       values ($1::uuid, 'default', $2, $2, 'control', $1::uuid::text, 'key:ops', $3)`,
      randomUUID(),
      runId,
      JSON.stringify({ control: word }),
    );
    test.engine.wakeups.push([runId]);
  };

  it('C18 of no items: what gathers them has an empty list at once', async () => {
    const run = await test.start(test.define(eachItem(act())), { items: [] });
    expect(await outcomeOf(test, run)).to.deep.include({ status: 'completed', output: [] });
  });

  it('C18 of no items: what gathers them has an empty list also when a redrive sets both back', async () => {
    const { steps, edges = [], ...rest } = eachItem(act());
    // A redrive sets back what is downstream of a cancelled step.
    const id = test.define({
      ...rest,
      steps: [
        { ref: 'a', type: 'TRANSFORM', value: [] },
        { ref: 'w', type: 'WAIT', signal: 'never' },
        ...steps.map((step) => (step.ref === 'each' ? { ...step, items: 'steps.a.output', join: 'any' } : step)),
        { ref: 'hold', type: 'WAIT', signal: 'go' },
      ],
      edges: [...edges, { from: 'a', to: 'each' }, { from: 'w', to: 'each' }, { from: 'all', to: 'hold' }],
    });
    const run = await test.start(id);
    for (const generation of [1, 2]) {
      const state = await until(async () => {
        const now = await test.state(run);
        return now.open.get('hold')?.generation === generation ? now : null;
      }, `generation ${generation}`);
      expect(state.ended.get('all'))
        .to.include({ status: 'completed', generation })
        .and.have.deep.property('output', []);
      await control(run, generation === 1 ? 'cancel' : 'terminate');
      await test.ended(run);
      if (generation === 1) await control(run, 'redrive');
    }
  });

  it('C18 of twelve items: outputs come in the order of the items though they completed in reverse', async () => {
    const run = await test.start(test.define(eachItem(act({ action: 'test.reversed' }))), { items: numbers(12) });
    expect(await outcomeOf(test, run)).to.deep.include({ status: 'completed', output: numbers(12) });
  });

  it('C18 of what is no list: the step fails and says so', async () => {
    for (const [items, is] of [
      [null, 'null'],
      ['text', 'a string'],
      [{ a: 1 }, 'an object'],
    ] as const) {
      const run = await test.start(test.define(eachItem(act())), { items });
      const { status, error } = await outcomeOf(test, run);
      expect([status, error?.code]).to.eql(['failed', 'expression_error']);
      expect(error).to.deep.include({
        message: `It yields ${is}; an array is needed.`,
        details: { step_ref: 'each', expression: 'input.items' },
      });
    }
  });

  it('C18 of very many items are admitted whole, and the run row stays small', async () => {
    const definition = test.define(eachItem(act(), { gather: { reduce: 'results.size()' } }));
    const run = await test.start(definition, { items: numbers(LARGE) });
    const [admitted] = await test.query<{ n: number }>(
      'select count(*)::int n from eec_workflow_branch where run_id = $1',
      run,
    );
    expect(admitted?.n).to.equal(LARGE);
    let largest = 0;
    await until(async () => {
      const [row] = await test.query<{ bytes: number; is_over: boolean }>(
        'select length(node_states::text) bytes, ended_at is not null is_over from eec_workflow_run where id = $1',
        run,
      );
      largest = Math.max(largest, row?.bytes ?? 0);
      return row?.is_over || null;
    }, 'the run to end');
    expect(largest).to.be.below(1_000);
    expect(await outcomeOf(test, run)).to.deep.include({ status: 'completed', output: LARGE });
    const ends = await test.query(
      'select status, count(*)::int n from eec_workflow_branch where run_id = $1 group by 1',
      run,
    );
    expect(ends).to.deep.equal([{ status: 'completed', n: LARGE }]);
  });

  it('whose steps end at once take no more than the window at a time', async () => {
    const definition = test.define(
      eachItem({ ref: 'do', type: 'TRANSFORM', value: '${item + 1}' }, { scatter: { max_in_flight: 50 } }),
    );
    const run = await test.start(definition, { items: numbers(500) });
    const { output } = await outcomeOf(test, run);
    expect(output).to.deep.equal(numbers(501).slice(1));
    const [most] = await test.query<{ most: number }>(
      `select max(n)::int most from (
         select count(*) n from eec_workflow_transition t, json_array_elements(t.changes) c
         where t.run_id = $1 and c ->> 'type' = 'branch' and c -> 'branch' ->> 'variables' is null group by t.version) counted`,
      run,
    );
    expect(most?.most).to.be.most(50);
  });

  it('keep large outputs beside their rows', async () => {
    const run = await test.start(test.define(eachItem(act())), { items: ['large', 1] });
    const { output } = await outcomeOf(test, run);
    expect((output as string[])[0]).to.have.length(100_000);
    const rows = await test.query<{ bytes: number }>(
      'select length(output::text) bytes from eec_workflow_branch where run_id = $1',
      run,
    );
    for (const { bytes } of rows) expect(bytes).to.be.below(200);
  });

  it('go on where they were on the next host', async () => {
    const { database, definitions } = test;
    const dataId = randomUUID();
    const first = await startWorld({ actions, database, definitions, dataId });
    const definition = first.define(eachItem(act(), { scatter: { max_in_flight: 2 } }));
    const run = await first.start(definition, { items: [1, 'wait', 3, 'wait', 5] });
    await until(() => (gate.arrived >= 2 ? true : null), 'two of them to wait');
    await first.crash();
    gate.release();
    const second = await startWorld({ actions, database, definitions, dataId });
    expect(await outcomeOf(second, run)).to.deep.include({ output: [[1], ['wait'], [3], ['wait'], [5]] });
    await second.stop({ keep: true });
  });
});
