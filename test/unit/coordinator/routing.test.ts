import type { AttemptOutcome, Json } from '@ductor/core';
import { expect } from 'chai';
import { chainOf, type TestWorkflow } from '../../support/workflow.ts';
import { failureOf, MemoryRun } from './memory-run.ts';

type Steps = TestWorkflow['steps'];
type Edges = NonNullable<TestWorkflow['edges']>;

const act = (ref: string, more: object = {}) => ({
  ref,
  type: 'ACTION',
  action: 'test.do',
  on_unknown: 'retry',
  retry: { max_attempts: 1 },
  ...more,
});
const value = (ref: string, written: Json = 1, more: object = {}) => ({
  ref,
  type: 'TRANSFORM',
  value: written,
  ...more,
});

/** Runs `steps`, of which the action `a` comes out as said; answers with the steps that were executed besides. */
function executed(steps: Steps, edges: Edges, outcome?: AttemptOutcome): readonly string[] {
  const run = new MemoryRun({ steps, edges });
  if (outcome) run.outcome('a', outcome);
  return [...run.state.ended.values()]
    .filter(({ at, startedAt }) => at.ref !== steps[0]!.ref && startedAt !== null)
    .map(({ at }) => at.ref);
}

const done: AttemptOutcome = { status: 'completed', output: { ok: true } };
const failed = failureOf({});
const late: AttemptOutcome = { status: 'timed_out', deadline: 'startToCloseMs' };

describe('An edge', () => {
  const each = (types: readonly string[]): { steps: Steps; edges: Edges } => ({
    steps: [act('a'), ...types.map((type) => value(type.toLowerCase()))],
    edges: types.map((type) => ({ from: 'a', to: type.toLowerCase(), type })),
  });
  const table: readonly [string, readonly string[], AttemptOutcome, readonly string[]][] = [
    [
      'SUCCESS and ALWAYS are taken of a completed node',
      ['SUCCESS', 'ERROR', 'ALWAYS', 'TIMEOUT'],
      done,
      ['success', 'always'],
    ],
    [
      'ERROR and ALWAYS are taken of a failed node',
      ['SUCCESS', 'ERROR', 'ALWAYS', 'TIMEOUT'],
      failed,
      ['error', 'always'],
    ],
    [
      'TIMEOUT is taken instead of ERROR, and ALWAYS besides',
      ['SUCCESS', 'ERROR', 'ALWAYS', 'TIMEOUT'],
      late,
      ['always', 'timeout'],
    ],
    [
      'ERROR is taken of a timeout where there is no TIMEOUT edge',
      ['SUCCESS', 'ERROR', 'ALWAYS'],
      late,
      ['error', 'always'],
    ],
    ['ALWAYS alone handles a failure', ['ALWAYS'], failed, ['always']],
  ];
  for (const [name, types, outcome, taken] of table) {
    it(name, () => {
      const { steps, edges } = each(types);
      expect(executed(steps, edges, outcome)).to.have.members(taken);
    });
  }

  it('takes an error that an action itself calls timeout by ERROR, not by TIMEOUT', () => {
    const { steps, edges } = each(['ERROR', 'TIMEOUT']);
    expect(executed(steps, edges, failureOf({ code: 'timeout' }))).to.deep.equal(['error']);
  });

  it('is dead where its condition is false, whatever its type', () => {
    const run = (outcome: AttemptOutcome, type: string) =>
      executed(
        [act('a'), value('yes'), value('no')],
        [
          { from: 'a', to: 'yes', type, condition: 'steps.a.status != "pending"' },
          { from: 'a', to: 'no', type, condition: 'steps.a.status == "pending"' },
        ],
        outcome,
      );
    expect(run(done, 'SUCCESS')).to.deep.equal(['yes']);
    expect(run(failed, 'ERROR')).to.deep.equal(['yes']);
    expect(run(done, 'ALWAYS')).to.deep.equal(['yes']);
  });

  it('of a CONDITION is TRUE or FALSE by its value, and ALWAYS besides', () => {
    for (const [expression, taken] of [
      ['1 < 2', 'true'],
      ['1 > 2', 'false'],
    ] as const) {
      const steps = [{ ref: 'c', type: 'CONDITION', expression }, value('true'), value('false'), value('always')];
      const edges = ['TRUE', 'FALSE', 'ALWAYS'].map((type) => ({ from: 'c', to: type.toLowerCase(), type }));
      expect(executed(steps, edges)).to.have.members([taken, 'always']);
    }
  });

  it('FALSE that is missing just ends the path', () => {
    const run = new MemoryRun({
      steps: [{ ref: 'c', type: 'CONDITION', expression: 'false' }, value('t')],
      edges: [{ from: 'c', to: 't', type: 'TRUE' }],
    });
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: false });
    expect(run.status('t')).to.equal('skipped');
  });

  it('of a SWITCH is the CASE with its value as text, else DEFAULT', () => {
    for (const [expression, taken] of [
      ['"x"', 'x'],
      ['3', 'three'],
      ['true', 'yes'],
      ['"other"', 'default'],
    ] as const) {
      const steps = [
        { ref: 's', type: 'SWITCH', expression },
        value('x'),
        value('three'),
        value('yes'),
        value('default'),
      ];
      const edges = [
        { from: 's', to: 'x', type: 'CASE', case: 'x' },
        { from: 's', to: 'three', type: 'CASE', case: '3' },
        { from: 's', to: 'yes', type: 'CASE', case: 'true' },
        { from: 's', to: 'default', type: 'DEFAULT' },
      ];
      expect(executed(steps, edges), expression).to.deep.equal([taken]);
    }
  });

  it('of a SWITCH without a match does not exist: the step fails with no_case, which ERROR may take', () => {
    const steps = [{ ref: 's', type: 'SWITCH', expression: '"z"' }, value('x'), value('e')];
    const only = { from: 's', to: 'x', type: 'CASE', case: 'x' };
    const run = new MemoryRun({ steps, edges: [only] });
    expect(run.state.ending).to.have.nested.property('error.code', 'no_case');
    expect(run.state.ending).to.have.nested.property('error.details.step_ref', 's');
    expect(executed(steps, [only, { from: 's', to: 'e', type: 'ERROR' }])).to.deep.equal(['e']);
  });
});

describe('A node', () => {
  const diamond = (join?: 'any'): TestWorkflow => ({
    steps: [act('a'), act('b'), value('end', 1, join ? { join } : {})],
    edges: [
      { from: 'a', to: 'end' },
      { from: 'b', to: 'end' },
    ],
  });

  it('that joins all starts once every incoming edge is resolved and one was taken', () => {
    const run = new MemoryRun(diamond());
    run.complete('a');
    expect(run.status('end')).to.equal('pending');
    run.complete('b');
    expect(run.status('end')).to.equal('completed');
  });

  it('that joins all starts although some of its edges are dead', () => {
    const { steps, edges = [] } = diamond();
    const run = new MemoryRun({
      steps: [...steps, value('other')],
      edges: [...edges, { from: 'b', to: 'other', type: 'ERROR' }],
    });
    run.complete('a');
    run.fail('b');
    expect(run.status('end')).to.equal('completed');
    expect(run.status('other')).to.equal('completed');
  });

  it('that joins any starts at the first taken edge, and only then', () => {
    const run = new MemoryRun(diamond('any'));
    run.complete('b');
    expect(run.status('end')).to.equal('completed');
    const before = run.node('end');
    run.complete('a');
    expect(run.node('end')).to.equal(before);
    expect(run.state.status).to.equal('completed');
  });

  it('none of whose edges is taken is skipped, with all that hangs on it, ALWAYS included', () => {
    const run = new MemoryRun({
      steps: [act('a'), value('x'), value('y'), value('z', 1, { join: 'any' }), value('w')],
      edges: [
        { from: 'a', to: 'x', type: 'ERROR' },
        { from: 'x', to: 'y' },
        { from: 'x', to: 'z', type: 'ALWAYS' },
        { from: 'y', to: 'z' },
        { from: 'a', to: 'w' },
      ],
    });
    run.complete('a');
    expect(['x', 'y', 'z'].map((ref) => run.status(ref))).to.deep.equal(['skipped', 'skipped', 'skipped']);
    expect(run.status('w')).to.equal('completed');
    expect(run.state.ending?.status).to.equal('completed');
  });

  it('is known to expressions of others as pending, skipped, failed or completed', () => {
    const run = new MemoryRun({
      steps: [
        act('a'),
        value('skipped'),
        value('seen', {
          a: '${steps.a.error.code}',
          out: '${steps.a.output}',
          s: '${steps.skipped.status}',
          n: '${steps.later.status}',
        }),
        value('later'),
      ],
      edges: [
        { from: 'a', to: 'skipped' },
        { from: 'a', to: 'seen', type: 'ERROR' },
        { from: 'seen', to: 'later' },
      ],
    });
    run.fail('a', { code: 'boom' });
    expect(run.node('seen'))
      .to.have.property('output')
      .that.deep.equals({ a: 'boom', out: null, s: 'skipped', n: 'pending' });
  });
});

describe('An expression that cannot be evaluated', () => {
  it('in an edge of a completed node fails the node, with its text and position, and voids its effects', () => {
    const run = new MemoryRun({
      steps: [value('a', 1, { effects: { context: { seen: true } } }), value('b'), value('e', '${steps.a.error}')],
      edges: [
        { from: 'a', to: 'b', condition: 'true && steps.a.output.gone > 1' },
        { from: 'a', to: 'e', type: 'ERROR' },
      ],
    });
    expect(run.status('a')).to.equal('failed');
    expect(run.state.context).to.deep.equal({});
    const error = run.node('a');
    expect(error).to.have.nested.property('error.code', 'expression_error');
    expect(error).to.have.nested.property('error.details.expression', 'true && steps.a.output.gone > 1');
    expect(error).to.have.nested.property('error.details.position.line', 1);
    expect(error).to.have.nested.property('error.details.position.column').greaterThan(1);
    expect(run.status('b')).to.equal('skipped');
    expect(run.status('e')).to.equal('completed');
  });

  it('in an edge of a failed node is a dead edge', () => {
    const edges = [
      { from: 'a', to: 'b', type: 'ERROR', condition: 'steps.a.output.gone' },
      { from: 'a', to: 'c', type: 'ALWAYS' },
    ];
    expect(executed([act('a'), value('b'), value('c')], edges, failed)).to.deep.equal(['c']);
  });

  it('in effects of an attempt that completed fails the node without another attempt', () => {
    const run = new MemoryRun({
      steps: [act('a', { effects: { context: { n: '${output.gone}' } }, retry: { max_attempts: 5 } })],
    });
    run.complete('a', {});
    expect(run.attemptsOf('a')).to.have.length(1);
    expect(run.state.ending).to.have.nested.property('error.code', 'expression_error');
  });

  it('in the effects of a CHECKPOINT voids its reply', () => {
    const run = new MemoryRun({
      steps: [
        { ref: 'c', type: 'CHECKPOINT', name: 'n', reply: 1, effects: { context: { n: '${input.gone}' } } },
        value('e'),
      ],
      edges: [{ from: 'c', to: 'e', type: 'ERROR' }],
    });
    expect(run.state.replies).to.deep.equal([]);
    expect(run.state.ending?.status).to.equal('completed');
  });

  it('in the arguments of an action opens no attempt', () => {
    const run = new MemoryRun({ steps: [act('a', { args: { n: '${input.gone}' } })] });
    expect(run.attempts.size).to.equal(0);
    expect(run.state.ending).to.have.nested.property('error.code', 'expression_error');
  });

  it('in the output of the definition fails the run', () => {
    const run = new MemoryRun({ steps: [value('a')], output: '${input.gone}' });
    expect(run.status('a')).to.equal('completed');
    expect(run.state.ending).to.have.nested.property('error.code', 'expression_error');
  });

  it('is also one that yields something else than a condition must', () => {
    const run = new MemoryRun({ steps: [{ ref: 'c', type: 'CONDITION', expression: 'input.n' }] }, { input: { n: 1 } });
    expect(run.state.ending).to.have.nested.property('error.code', 'expression_error');
  });
});

describe('Effects', () => {
  it('are seen by what follows, in the same tick', () => {
    const run = new MemoryRun(
      chainOf([
        value('a', 2, { effects: { context: { n: '${output * 2}' }, attributes: { color: 'red' } } }),
        value('b', '${context.n + 1}', { effects: { context: { m: '${context.n}' } } }),
      ]),
    );
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: 5 });
    expect(run.state.context).to.deep.equal({ n: 4, m: 4 });
    expect(run.state.attributes).to.deep.equal({ color: 'red' });
  });
});

describe("A run's output", () => {
  it("is that of the one last step, or several by ref, or none's", () => {
    const output = (steps: Steps, edges: Edges = []) => {
      const { ending } = new MemoryRun({ steps, edges }).state;
      return ending?.status === 'completed' ? ending.output : ending;
    };
    expect(output([value('a', 7)])).to.equal(7);
    expect(output([value('a', 7), value('b', 8)])).to.deep.equal({ a: 7, b: 8 });
    expect(output([value('a'), value('b', 8)], [{ from: 'a', to: 'b' }])).to.equal(8);
    expect(output([value('a', '${input.gone}'), value('b')], [{ from: 'a', to: 'b', type: 'ALWAYS' }])).to.equal(1);
  });

  it("is the definition's template, which sees all steps", () => {
    const run = new MemoryRun({
      ...chainOf([value('a', 1), value('b', 2)]),
      output: { sum: '${steps.a.output + steps.b.output}' },
    });
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: { sum: 3 } });
  });

  it("is STOP's, before the definition's template, and aborts what is in flight", () => {
    const run = new MemoryRun({
      steps: [act('a'), act('b'), { ref: 's', type: 'STOP', output: 'early' }],
      edges: [{ from: 'a', to: 's' }],
      output: 'late',
    });
    const b = run.running('b').id;
    run.complete('a');
    expect(run.state.status).to.equal('running');
    expect(run.aborted).to.deep.equal([b]);
    run.outcome('b', { status: 'stopped' });
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: 'early' });
    expect(run.status('b')).to.equal('cancelled');
  });
});
