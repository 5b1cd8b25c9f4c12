import type { ChildEnd, Json, JsonObject, RunState, Spawned } from '@ductor/core';
import { expect } from 'chai';
import fc from 'fast-check';
import type { TestWorkflow } from '../../support/workflow.ts';
import { branchRun, MemoryRun } from './memory-run.ts';

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
    { ref: 'each', type: 'SCATTER', items: 'input.items', mode: 'child_run', ...more },
    act('do'),
    { ref: 'all', type: 'GATHER', scatter: 'each' },
    ...(rest.steps ?? []),
  ],
  edges: [{ from: 'each', to: 'do' }, { from: 'do', to: 'all' }, ...(rest.edges ?? [])],
});

const over = (items: Json, workflow: TestWorkflow = each()) => new MemoryRun(workflow, { input: { items } });

const childOf = ({ seed }: Spawned) => branchRun(seed);

const COMPLETED: ChildEnd = { status: 'completed', output: null };
const FAILED: ChildEnd = { status: 'failed', error: { code: 'no', message: 'No.', party: 'user', details: 1 } };

/** The end that a branch's run has come to, told to its parent. */
const tell = (run: MemoryRun, index: number, end: ChildEnd = COMPLETED) => run.child(run.spawned[index]!.runId, end);

const ends = (run: MemoryRun) => run.branches.get('each 1')?.map(({ end }) => end?.status ?? null);
const controls = (run: MemoryRun) =>
  run.letters.flatMap((letter) => (letter.kind === 'control' ? [[letter.chainId, letter.control]] : []));

describe('Branches that are runs of their own', () => {
  it('are started as there is room, and their outputs are put together in the order of the items', () => {
    const run = over([1, 2, 3], each({ max_in_flight: 2 }));
    expect(run.spawned.map(({ seed }) => [seed.kind, seed.input])).to.deep.equal([
      ['branch', { item: 1, index: 0 }],
      ['branch', { item: 2, index: 1 }],
    ]);
    expect(run.why().map(({ reason }) => reason)).to.deep.equal([
      { code: 'branches_open', total: 3, open: 2, pending: 1 },
      ...run.spawned.map(({ runId }) => ({ code: 'waiting_for_child', run_id: runId })),
    ]);
    tell(run, 1, { status: 'completed', output: 'b' });
    expect(run.spawned).to.have.length(3);
    tell(run, 2, { status: 'completed', output: 'c' });
    tell(run, 0, { status: 'completed', output: 'a' });
    run.settle();
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: ['a', 'b', 'c'] });
    expect([...run.state.ended.keys()]).to.deep.equal(['each', 'all']);
    expect(run.state.children.size).to.equal(0);
  });

  it('run the steps up to the exit, and end with the output of the one that led there', () => {
    const child = childOf(over(['a']).spawned[0]!);
    expect(child.running('do').task.args).to.equal('a');
    child.complete('do', 'did a');
    expect(child.state.ending).to.deep.equal({ status: 'completed', output: 'did a' });
  });

  it('have no output where nothing led to the exit, and several by ref', () => {
    const steps: TestWorkflow['steps'] = [
      { ref: 'each', type: 'SCATTER', items: 'input.items', mode: 'child_run' },
      { ref: 'a', type: 'TRANSFORM', value: '${item}' },
      { ref: 'b', type: 'TRANSFORM', value: '${index}' },
      { ref: 'all', type: 'GATHER', scatter: 'each' },
    ];
    const edges = [
      { from: 'each', to: 'a', condition: 'item < 9' },
      { from: 'each', to: 'b' },
      { from: 'a', to: 'all', condition: 'output < 5' },
      { from: 'b', to: 'all', condition: 'item > 1' },
    ];
    const outputs = over([1, 2, 7, 9], { steps, edges }).spawned.map((spawned) => childOf(spawned).state.ending);
    expect(outputs).to.deep.equal([1, { a: 2, b: 1 }, 2, 3].map((output) => ({ status: 'completed', output })));
    const none = { steps, edges: edges.map((edge) => ({ ...edge, condition: 'false' })) };
    expect(childOf(over([1], none).spawned[0]!).state.ending).to.deep.equal({ status: 'completed', output: null });
  });

  it('are given what their expressions read of the place around, and no more', () => {
    const workflow: TestWorkflow = {
      steps: [
        { ref: 'load', type: 'TRANSFORM', value: { rate: 3, rows: [1] }, effects: { context: { by: 'me', not: 1 } } },
        { ref: 'outer', type: 'SCATTER', items: '[[10], [20]]' },
        { ref: 'each', type: 'SCATTER', items: 'item', mode: 'child_run' },
        {
          ref: 'do',
          type: 'TRANSFORM',
          value: {
            rate: '${steps.load.output.rate}',
            never: '${has(input.never) ? 1 : 0}',
            tax: '${input.tax}',
            by: '${context.by}',
            own: '${steps.each.status}',
            path: '${[scatters.outer.index, scatters.each.item, index]}',
            ids: '${input.lines.filter(line, line.of == index).map(line, line.id)}',
          },
        },
        { ref: 'last', type: 'TRANSFORM', value: '${steps["do"].output}' },
        { ref: 'inner', type: 'GATHER', scatter: 'each' },
        { ref: 'all', type: 'GATHER', scatter: 'outer' },
      ],
      edges: [
        ['load', 'outer'],
        ['outer', 'each'],
        ['each', 'do'],
        ['do', 'last'],
        ['last', 'inner'],
        ['inner', 'all'],
      ].map(([from = '', to = '']) => ({ from, to })),
    };
    const lines = [0, 1].map((of) => ({ id: `l${of}`, of, text: 'long' }));
    const run = new MemoryRun(workflow, { input: { tax: 7, items: [1, 2, 3], lines } });
    expect(run.spawned[1]?.seed.input).to.deep.equal({
      item: 20,
      index: 0,
      input: { tax: 7, lines: lines.map(({ id, of }) => ({ id, of })) },
      context: { by: 'me' },
      steps: { load: { output: { rate: 3 } } },
      scatters: { outer: { index: 1 }, each: { item: 20 } },
    });
    const output = { rate: 3, never: 0, tax: 7, by: 'me', own: 'completed', path: [1, 20, 0], ids: ['l0'] };
    const [, second] = run.spawned;
    expect(childOf(second!).state.ending).to.deep.equal({ status: 'completed', output });
    run.child(second!.runId, { status: 'completed', output });
    run.child(run.spawned[0]!.runId, { status: 'completed', output: 1 });
    run.settle();
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: [[1], [output]] });
  });

  it('may have branches of their own, inline or as runs', () => {
    for (const mode of ['inline', 'child_run']) {
      const workflow: TestWorkflow = {
        steps: [
          { ref: 'outer', type: 'SCATTER', items: 'input.groups', mode: 'child_run' },
          { ref: 'each', type: 'SCATTER', items: 'item', mode },
          { ref: 'do', type: 'TRANSFORM', value: '${[input.of, scatters.outer.index, item, index]}' },
          { ref: 'inner', type: 'GATHER', scatter: 'each' },
          { ref: 'all', type: 'GATHER', scatter: 'outer' },
        ],
        edges: [
          ['outer', 'each'],
          ['each', 'do'],
          ['do', 'inner'],
          ['inner', 'all'],
        ].map(([from = '', to = '']) => ({ from, to })),
      };
      const run = new MemoryRun(workflow, { input: { of: 'x', groups: [['a'], ['b', 'c']] } });
      const child = childOf(run.spawned[1]!);
      for (const spawned of child.spawned) {
        const { ending } = childOf(spawned).state;
        if (ending?.status === 'completed') child.child(spawned.runId, ending);
      }
      child.settle();
      const output = [
        ['x', 1, 'b', 0],
        ['x', 1, 'c', 1],
      ];
      expect(child.state.ending, mode).to.deep.equal({ status: 'completed', output });
    }
  });

  it('fail with the error of their run, and too many of them fail the step', () => {
    const run = over([1, 2], each({ on_branch_failure: { tolerate: { count: 1 } } }));
    tell(run, 0, FAILED);
    tell(run, 1, { status: 'cancelled' });
    run.settle();
    expect(run.state.ending).to.have.nested.property('error.code', 'branch_failed');
    expect(run.state.ending).to.have.nested.property('error.details.error.code', 'child_cancelled');
    const collected = over([1, 2, 3], each({ on_branch_failure: 'collect' }));
    tell(collected, 0, FAILED);
    tell(collected, 1, { status: 'terminated' });
    tell(collected, 2, { status: 'completed', output: 2 });
    collected.settle();
    const { ending } = collected.state;
    const results = (ending?.status === 'completed' ? ending.output : []) as readonly JsonObject[];
    expect(results.map(({ status }) => status)).to.deep.equal(['failed', 'failed', 'completed']);
    expect(results[0]).to.have.nested.property('error.code', 'no');
    expect(results[1]).to.have.nested.property('error.code', 'child_terminated');
  });

  it('in flight are told to stop when one fails; the others never start, and the run waits for those', () => {
    const run = over([1, 2, 3, 4], each({ max_in_flight: 2 }));
    tell(run, 0, FAILED);
    expect(controls(run)).to.deep.equal([[run.spawned[1]?.runId, 'cancel']]);
    expect(run.state.status).to.equal('running');
    tell(run, 1, { status: 'cancelled' });
    expect(run.state.ending).to.have.nested.property('error.code', 'branch_failed');
    expect(run.state.status).to.equal('failed');
    expect(run.spawned).to.have.length(2);
    expect(ends(run)).to.deep.equal(['failed', 'cancelled', null, null]);
  });

  it('of a step that has failed are waited for, while its ERROR edge leads on', () => {
    const more = {
      steps: [{ ref: 'late', type: 'TRANSFORM', value: 1 }],
      edges: [{ from: 'each', to: 'late', type: 'ERROR' }],
    };
    const run = over([1, 2, 3], each({ timeout: 'PT5S' }, more));
    tell(run, 2, { status: 'completed', output: 3 });
    run.advance(5_000);
    expect(run.status('late')).to.equal('completed');
    expect(controls(run)).to.have.length(2);
    expect(run.isOver).to.equal(false);
    tell(run, 0, { status: 'cancelled' });
    tell(run, 1, { status: 'completed', output: 2 });
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: 1 });
    expect(ends(run), 'one completed too late').to.deep.equal(['cancelled', 'cancelled', 'completed']);
  });

  it('are cancelled with their run, which ends after them, and terminated with it at once', () => {
    const run = over([1, 2, 3], each({ max_in_flight: 2 }));
    run.control('cancel');
    expect(controls(run).map(([, control]) => control)).to.deep.equal(['cancel', 'cancel']);
    tell(run, 0, { status: 'cancelled' });
    expect(run.state.status).to.equal('cancelling');
    tell(run, 1, { status: 'completed', output: null });
    expect(run.state.status).to.equal('cancelled');
    expect(ends(run)).to.deep.equal(['cancelled', 'cancelled', null]);
    const other = over([1, 2, 3], each({ max_in_flight: 2 }));
    other.control('terminate');
    expect(controls(other).map(([, control]) => control)).to.deep.equal(['terminate', 'terminate']);
    expect(other.state.status).to.equal('terminated');
    const both = over([1]);
    both.control('cancel');
    both.control('terminate');
    expect(controls(both).map(([, control]) => control)).to.deep.equal(['cancel', 'terminate']);
    expect(both.state.status).to.equal('terminated');
  });

  it('start none while their run is paused, and are heard when it is resumed', () => {
    const run = over([1, 2], each({ max_in_flight: 1 }));
    run.control('pause');
    const { runId } = run.spawned[0]!;
    const end = { kind: 'child', id: 'x', runId, end: COMPLETED } as const;
    run.tick({ arrivals: [end] });
    expect(run.spawned).to.have.length(1);
    run.control('resume');
    run.tick({ arrivals: [end] });
    expect(run.spawned).to.have.length(2);
  });

  it('are released in batches', () => {
    const run = over([1, 2, 3], each({ batch: { size: 2, interval: 'PT10S' } }));
    expect(run.spawned).to.have.length(2);
    tell(run, 0);
    tell(run, 1);
    expect(run.spawned).to.have.length(2);
    run.advance(10_000);
    expect(run.spawned).to.have.length(3);
  });

  it('run again, all of them, when their run is redriven', () => {
    const run = over([1, 2]);
    tell(run, 1);
    tell(run, 0, FAILED);
    run.control('redrive');
    expect(run.spawned).to.have.length(4);
    for (const index of [2, 3]) tell(run, index, { status: 'completed', output: index });
    run.settle();
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: [2, 3] });
  });

  it('are redriven alone, from the step that failed', () => {
    const child = childOf(over([1], { ...each(), ...withFirst }).spawned[0]!);
    child.complete('first');
    child.fail('do');
    expect(child.state.status).to.equal('failed');
    child.control('redrive');
    expect(child.attemptsOf('first')).to.have.length(1);
    child.complete('do', 5);
    expect(child.state.ending).to.deep.equal({ status: 'completed', output: 5 });
  });

  it('know the run that they were when they are over', () => {
    const run = over([1]);
    const payload = tell(run, 0);
    expect(payload?.branches.ended[0]?.runId).to.equal(run.spawned[0]?.runId);
    const refused = over([1], each({ on_branch_failure: 'collect' }));
    const { error } = FAILED as Extract<ChildEnd, { status: 'failed' }>;
    expect(tell(refused, 0, { status: 'refused', error })?.branches.ended[0]).to.deep.include({ runId: null });
  });
});

/** Runs it to its end, its branches too. */
function endOf(run: MemoryRun): RunState['ending'] {
  run.settle();
  // A list that grows while it is walked is walked to its end.
  for (const { runId, seed } of run.spawned) {
    const ending = endOf(branchRun(seed));
    if (ending?.status !== 'completed' && ending?.status !== 'failed')
      throw new Error(`A branch is ${ending?.status}.`);
    run.child(runId, ending);
    run.settle();
  }
  return run.state.ending;
}

describe('Branches in their run, and as runs', () => {
  const edge = (from: string, to: string, type = 'SUCCESS', condition?: string) => ({
    ...{ from, to, type },
    ...(condition !== undefined && { condition }),
  });
  const workflow = (outer: object, inner: object): TestWorkflow => ({
    steps: [
      { ref: 'load', type: 'TRANSFORM', value: { by: '${input.by}' }, effects: { context: { most: 4 } } },
      { ref: 'rows', type: 'SCATTER', items: 'input.rows', ...outer },
      { ref: 'is_list', type: 'CONDITION', expression: 'type(item) == list' },
      { ref: 'each', type: 'SCATTER', items: 'item', ...inner },
      { ref: 'mul', type: 'TRANSFORM', value: '${item * steps.load.output.by + scatters.rows.index}' },
      { ref: 'kind', type: 'SWITCH', expression: 'item % 4' },
      { ref: 'no', type: 'FAIL', code: 'no', message: '${string(item)} of ${string(size(scatters.rows.item))}' },
      { ref: 'bad', type: 'TRANSFORM', value: '${item.never}' },
      { ref: 'late', type: 'TRANSFORM', value: '${steps.bad.error.code}' },
      { ref: 'row', type: 'GATHER', scatter: 'each' },
      { ref: 'alone', type: 'TRANSFORM', value: '${[item, index]}' },
      { ref: 'all', type: 'GATHER', scatter: 'rows' },
    ],
    edges: [
      edge('load', 'rows'),
      edge('rows', 'is_list'),
      edge('is_list', 'each', 'TRUE'),
      edge('is_list', 'alone', 'FALSE'),
      edge('each', 'mul', 'SUCCESS', 'item < context.most * 2'),
      edge('each', 'kind'),
      edge('mul', 'row', 'SUCCESS', 'output > input.least'),
      { ...edge('kind', 'no', 'CASE'), case: '3' },
      edge('kind', 'bad', 'DEFAULT'),
      edge('bad', 'late', 'ERROR'),
      edge('late', 'row'),
      edge('row', 'all'),
      edge('alone', 'all'),
    ],
  });
  const onFailure = fc.constantFrom<Json>('fail_fast', 'collect', { tolerate: { count: 1 } });
  // Which of several in flight fails first is a matter of time.
  const options = fc.record({ on_branch_failure: onFailure, max_in_flight: fc.constant(1) });

  it('come to the same', () => {
    const mode = fc.constantFrom('inline', 'child_run');
    const row = fc.oneof(fc.array(fc.nat(12), { maxLength: 4 }), fc.constantFrom('x', null));
    const each = fc.record({ own: options, mode });
    fc.assert(
      fc.property(each, each, fc.array(row, { maxLength: 4 }), (outer, inner, rows) => {
        const input = { rows: rows as Json, by: 3, least: 5 };
        const inline = endOf(new MemoryRun(workflow(outer.own, inner.own), { input }));
        const apart = workflow({ ...outer.own, mode: outer.mode }, { ...inner.own, mode: inner.mode });
        expect(endOf(new MemoryRun(apart, { input }))).to.deep.equal(inline);
      }),
      { numRuns: process.env.FULL === '1' ? 300 : 30 },
    );
  });
});

const withFirst: Partial<TestWorkflow> = {
  steps: [
    { ref: 'each', type: 'SCATTER', items: 'input.items', mode: 'child_run' },
    act('first'),
    act('do'),
    { ref: 'all', type: 'GATHER', scatter: 'each' },
  ],
  edges: [
    { from: 'each', to: 'first' },
    { from: 'first', to: 'do' },
    { from: 'do', to: 'all' },
  ],
};
