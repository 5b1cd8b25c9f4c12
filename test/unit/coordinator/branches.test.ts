import type { Json, JsonObject } from '@ductor/core';
import { expect } from 'chai';
import { pagesToRead, wantsBranches } from '#core/coordinator/branch-pages.js';
import type { TestWorkflow } from '../../support/workflow.ts';
import { MemoryRun } from './memory-run.ts';

const act = (ref: string, more: object = {}) => ({
  ref,
  type: 'ACTION',
  action: 'test.do',
  args: '${item}',
  retry: { max_attempts: 1 },
  ...more,
});

const each = (more: object = {}, rest: Partial<TestWorkflow> = {}): TestWorkflow => ({
  steps: [
    { ref: 'each', type: 'SCATTER', items: 'input.items', ...more },
    act('do'),
    { ref: 'all', type: 'GATHER', scatter: 'each' },
    ...(rest.steps ?? []),
  ],
  edges: [{ from: 'each', to: 'do' }, { from: 'do', to: 'all' }, ...(rest.edges ?? [])],
});

const over = (items: Json, workflow: TestWorkflow = each()): MemoryRun => new MemoryRun(workflow, { input: { items } });

const keys = (run: MemoryRun) => run.open.map(({ ref, branch }) => `${branch.join('.')}/${ref}`);
const counts = (run: MemoryRun, key = 'each') => {
  const { total, started, open, completed, failed, cancelled } = run.state.fans.get(key)!;
  return { total, started, open, completed, failed, cancelled };
};

describe('Branches', () => {
  it('run the region once for each item, and their outputs are put together in the order of the items', () => {
    const run = over(['a', 'b', 'c']);
    expect(keys(run)).to.deep.equal(['0/do', '1/do', '2/do']);
    expect(run.open.map(({ task }) => task.args)).to.deep.equal(['a', 'b', 'c']);
    for (const key of ['2/do', '1/do', '0/do']) run.complete(key, `did ${key}`);
    expect(run.status('each')).to.equal('completed');
    run.settle();
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: ['did 0/do', 'did 1/do', 'did 2/do'] });
    expect([...run.state.ended.keys()]).to.deep.equal(['each', 'all']);
  });

  it('of an empty list are none: what gathers them has an empty list at once', () => {
    expect(over([]).state.ending).to.deep.equal({ status: 'completed', output: [] });
  });

  it('of something that is no list fail the step with what it is', () => {
    for (const items of [null, 'text', { a: 1 }]) {
      const run = over(items);
      expect(run.state.ending).to.have.nested.property('error.code', 'expression_error');
      expect(run.state.ending).to.have.nested.property('error.details.step_ref', 'each');
    }
  });

  it('are in flight as many as may be, and the next starts when one is over', () => {
    const run = over([1, 2, 3, 4, 5, 6, 7, 8], each({ max_in_flight: 2 }));
    expect(keys(run)).to.deep.equal(['0/do', '1/do']);
    expect(run.why()[0]?.reason).to.deep.equal({ code: 'branches_open', total: 8, open: 2, pending: 6 });
    run.complete('1/do');
    expect(keys(run)).to.deep.equal(['0/do', '2/do']);
    for (const key of ['2/do', '3/do', '4/do', '5/do', '6/do', '7/do']) run.complete(key);
    expect(keys(run)).to.deep.equal(['0/do']);
    run.complete('0/do');
    run.settle();
    expect(run.state.status).to.equal('completed');
  });

  it('whose steps end at once go on by ticks of at most as many as may be in flight', () => {
    const run = new MemoryRun(
      {
        steps: [
          { ref: 'each', type: 'SCATTER', items: 'input.items', max_in_flight: 2 },
          { ref: 'do', type: 'TRANSFORM', value: '${item * 10 + index}' },
          { ref: 'all', type: 'GATHER', scatter: 'each', reduce: 'results.map(r, r + 1)' },
        ],
        edges: [
          { from: 'each', to: 'do' },
          { from: 'do', to: 'all' },
        ],
      },
      { input: { items: [1, 2, 3, 4, 5] } },
    );
    expect(counts(run)).to.include({ started: 2, completed: 2 });
    run.settle();
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: [11, 22, 33, 44, 55] });
  });

  it('fail the step with the first failure, which gives the others up', () => {
    const run = over([1, 2, 3], each({ max_in_flight: 2 }));
    run.fail('1/do');
    expect(run.node('each')).to.have.nested.property('error.code', 'branch_failed');
    expect(run.node('each')).to.have.nested.property('error.details.index', 1);
    expect(new Set(run.aborted).size).to.equal(1);
    expect(run.state.status).to.equal('running');
    const payload = run.outcome('0/do', { status: 'stopped' });
    expect(payload?.attempts.folded[0]?.outcomeUnknown, 'nobody tries it again').to.equal(true);
    expect(run.state.status).to.equal('failed');
    expect(run.status('all')).to.equal('skipped');
    expect(counts(run)).to.deep.equal({ total: 3, started: 2, open: 0, completed: 0, failed: 1, cancelled: 1 });
  });

  it('that fail are collected where that is wanted', () => {
    const run = over(['a', 'b'], each({ on_branch_failure: 'collect' }));
    run.fail('0/do', { code: 'boom' });
    run.complete('1/do', 'fine');
    run.settle();
    const { output } = run.state.ending as unknown as { output: { status: string }[] };
    expect(output[0]).to.deep.include({ index: 0, status: 'failed' });
    expect(output[0]).to.have.nested.property('error.code', 'boom');
    expect(output[1]).to.deep.equal({ index: 1, status: 'completed', output: 'fine' });
  });

  it('may fail up to the number or share that is tolerated', () => {
    for (const limit of [{ count: 1 }, { percent: 50 }]) {
      const run = over([1, 2, 3], each({ on_branch_failure: { tolerate: limit } }));
      run.fail('0/do');
      expect(run.status('each')).to.equal('waiting');
      run.fail('1/do');
      expect(run.status('each')).to.equal('failed');
    }
  });

  it('start in batches, each an interval after the last', () => {
    const run = over([1, 2, 3, 4, 5], each({ batch: { size: 2, interval: 'PT10S' } }));
    expect(keys(run)).to.have.length(2);
    run.complete('0/do');
    run.complete('1/do');
    expect(keys(run)).to.deep.equal([]);
    run.advance(9_999);
    expect(keys(run)).to.deep.equal([]);
    run.advance(1);
    expect(keys(run)).to.deep.equal(['2/do', '3/do']);
    run.advance(10_000);
    for (const key of ['2/do', '3/do', '4/do']) run.complete(key);
    run.settle();
    expect(run.state.status).to.equal('completed');
  });

  it('are given up with their run: those that have not started never do', () => {
    const run = over(
      [1, 2, 3, 4, 5],
      each({ max_in_flight: 2 }, { steps: [{ ref: 'w', type: 'WAIT', duration: 'PT1H' }] }),
    );
    run.complete('0/do');
    run.control('cancel');
    expect(run.waits.map(({ node }) => node)).to.deep.equal([]);
    expect(run.aborted).to.have.length(2);
    run.outcome('1/do', { status: 'stopped' });
    run.complete('2/do', 'late');
    expect(run.state.status).to.equal('cancelled');
    expect(counts(run)).to.deep.equal({ total: 5, started: 3, open: 0, completed: 1, failed: 0, cancelled: 2 });
  });

  it('start nothing while the run is paused, and go on when it is resumed', () => {
    const run = over([1, 2, 3], each({ max_in_flight: 1 }));
    run.control('pause');
    run.complete('0/do', 'a');
    expect(keys(run)).to.deep.equal([]);
    run.control('resume');
    expect(keys(run)).to.deep.equal(['1/do']);
  });

  it('of a failed step are run again, under other keys, when the run is redriven', () => {
    const run = over([1, 2]);
    run.fail('0/do');
    run.outcome('1/do', { status: 'stopped' });
    const before = run.attemptsOf('do').map(({ task }) => task.idempotencyKey);
    run.control('redrive');
    expect(keys(run)).to.deep.equal(['0/do', '1/do']);
    expect(before).to.not.include.members(run.open.map(({ task }) => task.idempotencyKey));
    run.complete('0/do', 'a');
    run.complete('1/do', 'b');
    run.settle();
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: ['a', 'b'] });
  });

  it('may have conditions, handled failures and several ends', () => {
    const run = new MemoryRun(
      {
        steps: [
          { ref: 'each', type: 'SCATTER', items: '[1, 2, 3, 4]' },
          act('odd'),
          act('even'),
          { ref: 'saved', type: 'TRANSFORM', value: '${[item, steps.even.error.code, scatters.each.index]}' },
          { ref: 'all', type: 'GATHER', scatter: 'each' },
        ],
        edges: [
          { from: 'each', to: 'odd', condition: 'item % 2 == 1 && item < 3' },
          { from: 'each', to: 'even', condition: 'item % 2 == 0' },
          { from: 'odd', to: 'all' },
          { from: 'even', to: 'all' },
          { from: 'even', to: 'saved', type: 'ERROR' },
          { from: 'saved', to: 'all' },
        ],
      },
      {},
    );
    expect(keys(run)).to.deep.equal(['0/odd', '1/even', '3/even']);
    run.complete('0/odd', 'o');
    run.complete('1/even', 'e');
    run.fail('3/even');
    run.settle();
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: ['o', 'e', null, [4, 'boom', 3]] });
  });

  it('see their own steps only, and are not seen from outside', () => {
    const run = over(
      ['a', 'b'],
      each(
        {},
        {
          steps: [{ ref: 'after', type: 'TRANSFORM', value: '${[steps.do.output, steps.all.output]}' }],
          edges: [{ from: 'all', to: 'after' }],
        },
      ),
    );
    run.complete('0/do', 1);
    run.complete('1/do', 2);
    run.settle();
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: [null, [1, 2]] });
  });

  it('may branch again, and know what is around them', () => {
    const run = new MemoryRun(
      {
        steps: [
          { ref: 'rows', type: 'SCATTER', items: 'input', max_in_flight: 1 },
          { ref: 'cells', type: 'SCATTER', items: 'item' },
          act('do', { args: '${[item, index, scatters.rows.index, scatters.cells.index]}' }),
          { ref: 'row', type: 'GATHER', scatter: 'cells' },
          { ref: 'table', type: 'GATHER', scatter: 'rows' },
        ],
        edges: [
          { from: 'rows', to: 'cells' },
          { from: 'cells', to: 'do' },
          { from: 'do', to: 'row' },
          { from: 'row', to: 'table' },
        ],
      },
      { input: [['a', 'b'], [], ['c']] },
    );
    expect(keys(run)).to.deep.equal(['0.0/do', '0.1/do']);
    expect(run.open[1]?.task.args).to.deep.equal(['b', 1, 0, 1]);
    run.complete('0.1/do', 'B');
    run.complete('0.0/do', 'A');
    run.settle();
    expect(keys(run)).to.deep.equal(['2.0/do']);
    run.complete('2.0/do', 'C');
    run.settle();
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: [['A', 'B'], [], ['C']] });
  });

  it('fail from within: an inner failure that nothing handles fails the outer branch', () => {
    const run = new MemoryRun(
      {
        steps: [
          { ref: 'rows', type: 'SCATTER', items: 'input', on_branch_failure: 'collect' },
          { ref: 'cells', type: 'SCATTER', items: 'item' },
          act('do'),
          { ref: 'row', type: 'GATHER', scatter: 'cells' },
          { ref: 'table', type: 'GATHER', scatter: 'rows', reduce: 'results.map(r, r.status)' },
        ],
        edges: [
          { from: 'rows', to: 'cells' },
          { from: 'cells', to: 'do' },
          { from: 'do', to: 'row' },
          { from: 'row', to: 'table' },
        ],
      },
      { input: [['a', 'b'], ['c']] },
    );
    run.fail('0.0/do');
    run.outcome('0.1/do', { status: 'stopped' });
    run.complete('1.0/do');
    run.settle();
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: ['failed', 'completed'] });
  });

  it('hold races, waits and retries of their own', () => {
    const run = new MemoryRun(
      {
        steps: [
          { ref: 'each', type: 'SCATTER', items: '[1, 2]' },
          { ref: 'race', type: 'RACE', arms: ['a', 'w'] },
          act('a', { retry: { max_attempts: 2 } }),
          { ref: 'w', type: 'WAIT', signal: 'go' },
          { ref: 'all', type: 'GATHER', scatter: 'each' },
        ],
        edges: [
          { from: 'each', to: 'race' },
          { from: 'race', to: 'all' },
        ],
      },
      {},
    );
    run.fail('0/a', { retryable: true });
    run.signal('0/w', { verb: 'resolve', payload: 'signalled' });
    run.complete('1/a', 'acted');
    run.settle();
    expect(run.state.ending).to.deep.equal({
      status: 'completed',
      output: [
        { winner: 'w', output: 'signalled' },
        { winner: 'a', output: 'acted' },
      ],
    });
  });

  it('go with their step when that passes its deadline', () => {
    const run = over([1, 2], each({ timeout: 'PT5S', max_in_flight: 1 }));
    run.advance(5_000);
    expect(run.status('each')).to.equal('failed');
    run.outcome('0/do', { status: 'stopped' });
    expect(run.state.ending).to.have.nested.property('error.code', 'timeout');
  });

  it('that their step gives up are cancelled: also where the tick that started them has withdrawn them', () => {
    const run = new MemoryRun(
      {
        steps: [
          { ref: 'each', type: 'SCATTER', items: '[0, 1]' },
          act('do'),
          { ref: 'no', type: 'FAIL', code: 'no' },
          { ref: 'all', type: 'GATHER', scatter: 'each' },
        ],
        edges: [
          { from: 'each', to: 'do', condition: 'item == 0' },
          { from: 'each', to: 'no', condition: 'item == 1' },
          { from: 'do', to: 'all' },
          { from: 'no', to: 'all' },
        ],
      },
      {},
    );
    expect(run.state.status).to.equal('failed');
    expect(counts(run)).to.deep.equal({ total: 2, started: 2, open: 0, completed: 0, failed: 1, cancelled: 1 });
  });

  it('that their step gives up are cancelled though the last of their steps completes all the same', () => {
    const run = over([1, 2]);
    run.fail('1/do');
    run.complete('0/do', 'all the same');
    expect(run.state.status).to.equal('failed');
    expect(counts(run)).to.deep.equal({ total: 2, started: 2, open: 0, completed: 0, failed: 1, cancelled: 1 });
    expect(run.branches.get('each 1')?.[0]?.end).to.deep.equal({ status: 'cancelled' });
  });

  it('and arms are let finish what is in flight where the policy is to drain', () => {
    const run = over([1, 2], {
      ...each(
        { max_in_flight: 1 },
        {
          steps: [
            act('other', { args: null }),
            { ref: 'race', type: 'RACE', arms: ['arm'] },
            act('arm', { args: null }),
          ],
        },
      ),
      settings: { failure_policy: 'drain' },
    });
    run.fail('other');
    expect(run.aborted).to.deep.equal([]);
    expect(run.why().map(({ reason }) => reason.code)).to.deep.equal(['attempt_running', 'attempt_running']);
    run.complete('arm');
    run.complete('0/do');
    expect(run.state.status).to.equal('failed');
    expect(counts(run)).to.deep.equal({ total: 2, started: 1, open: 0, completed: 0, failed: 0, cancelled: 1 });
    run.control('redrive');
    expect(keys(run)).to.deep.equal(['/other', '/arm', '0/do']);
  });

  const joined: TestWorkflow = {
    steps: [
      { ref: 'each', type: 'SCATTER', items: '[1]', on_branch_failure: 'collect' },
      act('a'),
      act('b'),
      { ref: 'both', type: 'TRANSFORM', value: 1 },
      { ref: 'all', type: 'GATHER', scatter: 'each', reduce: 'results.map(r, r.status)' },
    ],
    edges: [
      { from: 'each', to: 'a' },
      { from: 'each', to: 'b' },
      { from: 'a', to: 'both' },
      { from: 'b', to: 'both' },
      { from: 'both', to: 'all' },
    ],
  };

  it('that fail leave no join behind that waits for what is given up', () => {
    const run = new MemoryRun(joined, {});
    run.fail('0/a');
    run.complete('0/b', 'all the same');
    run.settle();
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: ['failed'] });
  });

  it('that fail, and whose last step in flight ends while their run is paused, are over when it is resumed', () => {
    const run = new MemoryRun(joined, {});
    run.fail('0/a');
    run.control('pause');
    run.complete('0/b', 'all the same');
    expect(counts(run)).to.include({ open: 1, failed: 0 });
    run.control('resume');
    expect(counts(run)).to.include({ open: 0, failed: 1 });
    run.settle();
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: ['failed'] });
  });

  it('that fail when their run is resumed take no further edges', () => {
    const run = new MemoryRun(joined, {});
    run.control('pause');
    run.fail('0/a');
    run.advance(1);
    run.complete('0/b');
    run.control('resume');
    run.settle();
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: ['failed'] });
  });

  it('that start next are not looked for while enough of them are at hand, however many may be in flight', () => {
    const { state } = over([1, 2], each({ max_in_flight: 5_000 }));
    const fan = state.fans.get('each')!;
    const far = { ...fan, total: 100_000, released: 100_000, started: 5_000, open: 5_000 };
    const busy = { ...state, fans: new Map([['each', far]]) };
    const atHand = (count: number) =>
      new Map([['each', { generation: 1, from: 5_000, variables: Array<JsonObject>(count).fill({}) }]]);
    expect(wantsBranches(busy, atHand(1_024))).to.equal(false);
    expect(pagesToRead(busy, atHand(1_024))).to.deep.equal([]);
    expect(wantsBranches(busy, atHand(1_023))).to.equal(true);
    expect(pagesToRead(busy, atHand(1_023))).to.deep.equal([
      { node: 'each', generation: 1, from: 5_000, count: 2_048 },
    ]);
  });
});
