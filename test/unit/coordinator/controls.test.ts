import { expect } from 'chai';
import { act, type TestWorkflow } from '../../support/workflow.ts';
import { arrivalOf, MemoryRun, RUN_ID } from './memory-run.ts';

const chain = (settings: TestWorkflow['settings'] = {}, more: object = {}): MemoryRun =>
  new MemoryRun({
    steps: [act('a', more), act('b', more), act('c', more)],
    edges: [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
    ],
    settings,
  });

describe('A paused run', () => {
  it('folds what its attempts come to, and starts nothing', () => {
    const run = chain();
    expect(run.control('pause')).to.deep.equal({ outcome: 'applied' });
    run.complete('a', 1);
    expect(run.node('a')).to.include({ status: 'completed', unrouted: true });
    expect(run.node('b')).to.equal(undefined);
    expect(run.state.status).to.equal('paused');
    run.control('resume');
    expect(run.status('b')).to.equal('running');
    expect(run.state.status).to.equal('running');
  });

  it('keeps an attempt that was lost for when it is resumed, and counts it as lost', () => {
    const run = chain({}, { on_unknown: 'retry' });
    run.control('pause');
    run.outcome('a', { status: 'lost' });
    expect(run.status('a')).to.equal('backoff');
    expect(run.waits.map(({ dueAt }) => dueAt)).to.deep.equal([null]);
    run.control('resume');
    run.advance(0);
    expect(run.running('a').number).to.equal(2);
    run.fail('a', { retryable: true });
    expect(run.state.ending, 'max_attempts is 1: the loss did not count').to.have.nested.property('error.code', 'boom');
  });

  it('has no retry and no deadline while it is paused: what fell due meanwhile acts when it is resumed', () => {
    const run = chain({ run_timeout: 'PT10S' }, { retry: { max_attempts: 2, jitter: 0 } });
    run.fail('a', { retryable: true });
    run.control('pause');
    expect(run.advance(60_000), 'nothing is due').to.equal(null);
    expect(run.why().map(({ reason }) => reason)).to.deep.equal([{ code: 'held_back', by: 'run_paused' }]);
    run.control('resume');
    run.advance(0);
    expect(run.state.status).to.equal('failed');
    expect(run.state.ending).to.have.nested.property('error.code', 'run_timeout');
  });

  it('that had not begun begins when it is resumed, if its time has come', () => {
    const startAt = '2026-01-01T01:00:00.000Z';
    const run = new MemoryRun({ steps: [act('a')] }, { startAt });
    run.control('pause');
    expect(run.state.startedAt).to.equal(null);
    run.control('resume');
    expect(run.state.status).to.equal('pending');
    run.control('pause');
    run.advance(2 * 3_600_000);
    run.control('resume');
    expect(run.state.status).to.equal('running');
    expect(run.status('a')).to.equal('running');
  });

  it('routes what ended meanwhile in the order in which it did', () => {
    const run = new MemoryRun({
      steps: [act('a'), act('b'), { ref: 'first', type: 'TRANSFORM', value: '${context.x}', join: 'any' }],
      edges: [
        { from: 'a', to: 'first' },
        { from: 'b', to: 'first' },
      ],
    });
    run.control('pause');
    run.advance(5);
    run.complete('b');
    run.advance(5);
    run.complete('a');
    run.control('resume');
    const cause = run.transitions
      .at(-1)
      ?.changes.find((change) => change.type === 'node' && change.node.at.ref === 'b');
    expect(cause).to.not.equal(undefined);
    const routed = run.transitions
      .at(-1)!
      .changes.flatMap((change) => (change.type === 'node' ? [change.node.at.ref] : []));
    expect(routed.indexOf('b')).to.be.lessThan(routed.indexOf('a'));
  });

  it('hears of what has come only after the tick that resumes it, together with what fell due before', () => {
    const run = new MemoryRun({
      steps: [{ ref: 'w', type: 'WAIT', event: { event_name: 'e', correlation_key: '"k"' }, timeout: 'PT10S' }],
    });
    run.control('pause');
    run.advance(20_000);
    const event = { subscription: 'event', eventId: 'late', payload: 'late' };
    const came = { kind: 'event', id: RUN_ID, at: { ref: 'w', branch: [] }, event } as const;
    run.control('resume', { arrivals: [came] });
    expect(run.status('w')).to.equal('waiting');
    run.tick({ arrivals: [...run.due(), came] });
    expect(run.state.ending).to.have.nested.property('error.code', 'timeout');
  });

  for (const [control, status] of [
    ['cancel', 'cancelled'],
    ['terminate', 'terminated'],
  ] as const) {
    it(`that is ${status} takes what was sent to it before`, () => {
      const run = new MemoryRun({ steps: [{ ref: 'ask', type: 'APPROVAL' }] });
      run.control('pause');
      const signal = { verb: 'approve', requestId: 'r', actor: 'key:ops', payload: null } as const;
      run.control(control, { arrivals: [{ kind: 'signal', id: RUN_ID, at: { ref: 'ask', branch: [] }, signal }] });
      expect(run.node('ask')).to.include({ status: 'completed', outcome: 'APPROVED' });
      expect(run.state.status).to.equal(status);
    });
  }

  it('can be cancelled', () => {
    const run = chain();
    run.control('pause');
    run.complete('a');
    run.control('cancel');
    expect(run.state.status).to.equal('cancelled');
    expect(run.node('b')).to.equal(undefined);
  });
});

describe('A cancelled run', () => {
  it('gives up what is parked at once, and waits for what is in flight', () => {
    const run = new MemoryRun({ steps: [act('a'), act('b', { retry: { max_attempts: 5 } })] });
    run.fail('b', { retryable: true });
    run.control('cancel');
    expect(run.state.status).to.equal('cancelling');
    expect(run.status('b')).to.equal('cancelled');
    expect(run.aborted).to.deep.equal([run.running('a').id]);
    expect(run.control('cancel')).to.deep.equal({ outcome: 'no_effect' });
    expect(run.control('pause').outcome).to.equal('refused');
    run.outcome('a', { status: 'stopped' });
    expect(run.state.status).to.equal('cancelled');
    expect(run.state.ending).to.deep.equal({ status: 'cancelled' });
  });

  it('keeps what finished though it was told to stop, and says so', () => {
    const run = chain();
    run.control('cancel');
    const payload = run.complete('a', 'late');
    expect(payload?.attempts.folded[0]).to.include({ finishedAnyway: true });
    expect(run.node('a')).to.include({ status: 'completed', output: 'late', unrouted: true });
    expect(run.state.status).to.equal('cancelled');
  });

  it('that had not begun never begins', () => {
    const run = new MemoryRun({ steps: [act('a')] }, { startAt: '2026-01-01T01:00:00.000Z' });
    run.control('cancel');
    expect(run.state.status).to.equal('cancelled');
    expect(run.attempts.size).to.equal(0);
  });

  it('records what comes too late, and nothing else changes', () => {
    const run = chain();
    run.control('terminate');
    for (const control of ['pause', 'resume', 'cancel', 'terminate'] as const) {
      expect(run.control(control)).to.deep.equal({ outcome: 'no_effect' });
    }
    expect(run.state.status).to.equal('terminated');
  });
});

describe('A terminated run', () => {
  it('is over at once: its open attempts are closed, and what they say later moves nothing', () => {
    const run = chain();
    const attempt = run.running('a');
    run.control('terminate');
    expect(run.state.status).to.equal('terminated');
    expect(attempt.folded).to.deep.equal({ status: 'stopped' });
    expect(run.aborted).to.deep.equal([attempt.id]);
    expect(run.tick({ arrivals: [arrivalOf(attempt, { status: 'completed', output: 1 })] })).to.equal(null);
  });

  it('may have been cancelling', () => {
    const run = chain();
    run.control('cancel');
    run.control('terminate');
    expect(run.state.ending).to.deep.equal({ status: 'terminated' });
  });

  it('folds what came in the same tick', () => {
    const run = chain();
    const attempt = run.running('a');
    run.control('terminate', { arrivals: [arrivalOf(attempt, { status: 'completed', output: 7 })] });
    expect(run.node('a')).to.include({ status: 'completed', output: 7 });
  });
});

describe('A redriven run', () => {
  it('runs again what failed and all after it, and keeps the rest', () => {
    const run = chain();
    run.complete('a', 'kept');
    run.fail('b');
    expect(run.state.status).to.equal('failed');
    run.control('redrive');
    expect(run.state.status).to.equal('running');
    expect(run.node('a')).to.include({ status: 'completed', output: 'kept', generation: 1 });
    expect(run.running('b')).to.include({ generation: 2, number: 1 });
    expect(run.running('b').task.idempotencyKey).to.match(/\/b\/2$/);
    run.complete('b');
    run.complete('c');
    expect(run.state.status).to.equal('completed');
    expect(run.state.ends).to.equal(2);
  });

  it('has its deadline anew', () => {
    const run = chain({ run_timeout: 'PT10S' });
    run.advance(10_000);
    run.outcome('a', { status: 'stopped' });
    expect(run.state.ending).to.have.nested.property('error.code', 'run_timeout');
    run.control('redrive');
    run.advance(9_000);
    expect(run.state.status).to.equal('running');
    run.advance(1_000);
    expect(run.state.ending).to.have.nested.property('error.code', 'run_timeout');
  });

  it('leaves a failure alone that an edge has handled', () => {
    const run = new MemoryRun({
      steps: [act('a'), act('rescue'), act('last')],
      edges: [
        { from: 'a', to: 'rescue', type: 'ERROR' },
        { from: 'rescue', to: 'last' },
      ],
    });
    run.fail('a');
    run.complete('rescue');
    run.fail('last');
    run.control('redrive');
    expect(run.node('a')).to.include({ status: 'failed', generation: 1 });
    expect(run.node('rescue')).to.include({ status: 'completed', generation: 1 });
    expect(run.running('last').generation).to.equal(2);
  });

  it('starts a join again once those of its sources that run again have ended', () => {
    const run = new MemoryRun({
      steps: [act('a'), act('b'), { ref: 'join', type: 'TRANSFORM', value: '${steps.a.output + steps.b.output}' }],
      edges: [
        { from: 'a', to: 'join' },
        { from: 'b', to: 'join' },
      ],
    });
    run.complete('a', 1);
    run.fail('b');
    run.control('redrive');
    expect(run.node('join')).to.include({ status: 'pending', resolved: 1, taken: 1 });
    run.complete('b', 2);
    expect(run.node('join')).to.include({ status: 'completed', output: 3 });
  });

  it('takes the edges of what ended while the run was ending', () => {
    const run = new MemoryRun({
      steps: [act('a'), act('b'), act('after_b')],
      edges: [{ from: 'b', to: 'after_b' }],
      settings: { failure_policy: 'drain' },
    });
    run.fail('a');
    run.complete('b', 1);
    run.control('redrive');
    expect(run.node('b')).to.include({ status: 'completed', generation: 1 });
    expect(run.status('after_b')).to.equal('running');
    expect(run.running('a').generation).to.equal(2);
  });

  it('starts what the tick that ended it had let start as well', () => {
    const first = { ref: 'first', type: 'TRANSFORM', value: '${run.now == run.started_at ? [1][5] : 1}' };
    const entries = new MemoryRun({ steps: [act('early'), first, act('b')] });
    const successors = new MemoryRun({
      steps: [act('a'), act('early'), first, act('b')],
      edges: [
        { from: 'a', to: 'early' },
        { from: 'a', to: 'first' },
        { from: 'a', to: 'b' },
      ],
    });
    successors.complete('a');
    for (const run of [entries, successors]) {
      expect(run.state.status).to.equal('failed');
      expect(run.node('early'), 'its attempt never was').to.equal(undefined);
      expect(run.node('b'), 'the run was over before its turn').to.equal(undefined);
      run.advance(1);
      run.control('redrive');
      expect(run.node('first')).to.include({ status: 'completed', generation: 2 });
      for (const ref of ['early', 'b']) expect(run.running(ref)).to.include({ generation: 1, number: 1 });
    }
  });

  it('that never began begins', () => {
    const run = new MemoryRun({ steps: [act('a')] }, { startAt: '2026-01-01T01:00:00.000Z' });
    run.control('cancel');
    run.control('redrive');
    expect(run.status('a')).to.equal('running');
  });
});

describe('A control that plugins have a word in', () => {
  const write = { do: 'write', table: 'noted', row: {} } as const;
  const refuse = { code: 'failed_precondition', message: 'not on Sundays' } as const;

  it('writes what they ask for only if all of them agree', () => {
    const hooks = [{ control: { decide: () => [write] } }, { control: { decide: () => ({ refuse }) } }];
    const run = new MemoryRun({ steps: [act('a')] }, { hooks });
    expect(run.control('pause')).to.deep.equal({ outcome: 'refused', why: 'not on Sundays' });
    expect(run.rows).to.deep.equal([]);
  });

  it('writes nothing for them where it has no effect', () => {
    const run = new MemoryRun({ steps: [act('a')] }, { hooks: [{ control: { decide: () => [write] } }] });
    expect(run.control('resume')).to.deep.equal({ outcome: 'no_effect' });
    expect(run.rows).to.deep.equal([]);
    run.control('pause');
    expect(run.rows).to.have.lengthOf(1);
  });
});
