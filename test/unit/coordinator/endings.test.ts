import { expect } from 'chai';
import { act, type TestWorkflow } from '../../support/workflow.ts';
import { MemoryRun, nodeChanges } from './memory-run.ts';

const beside = (settings: TestWorkflow['settings'], more: object = {}): MemoryRun =>
  new MemoryRun({
    steps: [act('a'), act('b', more), { ref: 'next', type: 'TRANSFORM', value: 1 }],
    edges: [{ from: 'b', to: 'next' }],
    settings: settings ?? {},
  });

describe('A failure that no edge takes', () => {
  it('aborts what is in flight, and ends the run once that is over', () => {
    const run = beside({});
    run.fail('a', { code: 'boom' });
    expect(run.state.status).to.equal('running');
    expect(run.state.ending).to.have.nested.property('error.code', 'boom');
    expect(run.aborted).to.deep.equal([run.running('b').id]);
    run.outcome('b', { status: 'stopped' });
    expect(run.state.status).to.equal('failed');
    expect(run.state.ending).to.have.nested.property('error.details.step_ref', 'a');
  });

  it('lets what is in flight finish where the policy is to drain', () => {
    const run = beside({ failure_policy: 'drain' });
    run.fail('a');
    expect(run.aborted).to.deep.equal([]);
    run.complete('b', 'kept');
    expect(run.state.status).to.equal('failed');
    expect(run.node('b')).to.include({ status: 'completed', output: 'kept', unrouted: true });
    expect(run.node('next'), 'its edges are not taken').to.equal(undefined);
  });

  it('gives up what waits for its retry in the same tick', () => {
    const run = beside({}, { retry: { max_attempts: 3 } });
    run.fail('b', { retryable: true });
    expect(run.status('b')).to.equal('backoff');
    run.fail('a');
    expect(run.status('b')).to.equal('cancelled');
    expect(run.state.status).to.equal('failed');
  });

  it('withdraws an attempt that the same tick would have opened', () => {
    const run = new MemoryRun(
      {
        steps: [
          { ref: 'first', type: 'TRANSFORM', value: 1 },
          act('never'),
          { ref: 'f', type: 'FAIL', code: 'no', message: 'not ${input.who}' },
        ],
        edges: [
          { from: 'first', to: 'never' },
          { from: 'first', to: 'f' },
        ],
      },
      { input: { who: 'you' } },
    );
    expect(run.attempts.size).to.equal(0);
    expect(run.state.ending).to.deep.equal({
      status: 'failed',
      error: { code: 'no', message: 'not you', party: 'user', details: { step_ref: 'f' } },
    });
  });

  it('wins over those that come after it', () => {
    const run = beside({ failure_policy: 'drain' });
    run.fail('a', { code: 'first' });
    run.fail('b', { code: 'second' });
    expect(run.state.ending).to.have.nested.property('error.code', 'first');
  });
});

describe('An outcome that comes while the run is ending', () => {
  it('is folded, not routed and not tried again', () => {
    const run = beside({}, { retry: { max_attempts: 5 } });
    run.fail('a');
    run.fail('b', { retryable: true });
    expect(run.attemptsOf('b')).to.have.length(1);
    expect(run.node('b')).to.include({ status: 'failed', unrouted: true });
    expect(run.state.status).to.equal('failed');
  });

  it('that nobody knows cancels its node and is marked so', () => {
    const run = beside({}, { on_unknown: 'park' });
    run.fail('a');
    const payload = run.outcome('b', { status: 'lost' });
    expect(payload?.attempts.folded).to.have.nested.property('[0].outcomeUnknown', true);
    expect(run.status('b')).to.equal('cancelled');
    expect(run.state.status).to.equal('failed');
  });

  it('that is known to have done nothing is not marked so', () => {
    const run = beside({}, { on_unknown: 'park' });
    run.fail('a');
    const payload = run.outcome('b', { status: 'stopped', neverStarted: true });
    expect(payload?.attempts.folded).to.have.nested.property('[0].outcomeUnknown', false);
  });
});

describe('A run past its run_timeout', () => {
  const timed = (failure_policy: string) => beside({ failure_policy, run_timeout: 'PT10S' });

  it('aborts, waits for what is in flight, and fails with run_timeout', () => {
    const run = timed('fail_fast');
    expect(run.advance(9_999)).to.equal(null);
    run.advance(1);
    expect(run.state.ending).to.have.nested.property('error.code', 'run_timeout');
    expect(run.state.status).to.equal('running');
    expect(run.aborted).to.have.length(2);
    expect(run.advance(1_000), 'to be told again changes nothing').to.equal(null);
    run.outcome('a', { status: 'stopped' });
    run.complete('b');
    expect(run.state.status).to.equal('failed');
    expect(run.waits).to.deep.equal([]);
  });

  it('does not go on draining', () => {
    const run = timed('drain');
    run.fail('a');
    expect(run.aborted).to.deep.equal([]);
    run.advance(10_000);
    expect(run.aborted).to.deep.equal([run.running('b').id]);
    run.outcome('b', { status: 'stopped' });
    expect(run.state.ending).to.have.nested.property('error.code', 'run_timeout');
  });

  it('leaves no wait behind when it ends before', () => {
    const run = timed('fail_fast');
    run.complete('a');
    run.complete('b');
    expect(run.state.status).to.equal('completed');
    expect(run.waits).to.deep.equal([]);
  });
});

describe('A run with a start_at', () => {
  it('is pending until then, and starts once', () => {
    const run = new MemoryRun(
      { steps: [{ ref: 'a', type: 'TRANSFORM', value: 1 }] },
      { startAt: '2026-01-01T00:00:05.000Z' },
    );
    expect(run.state.status).to.equal('pending');
    expect(run.advance(4_999)).to.equal(null);
    run.advance(1);
    expect(run.state.status).to.equal('completed');
    expect(run.state.startedAt).to.equal('2026-01-01T00:00:05.000Z');
    expect(nodeChanges(run.transitions)).to.have.length(1);
  });
});

describe("The engine's own verdict", () => {
  const error = { code: 'conflict_livelock', message: 'no', party: 'engine' } as const;

  it('ends a run with nothing in flight at once', () => {
    const run = beside({}, { retry: { max_attempts: 2 } });
    run.complete('a');
    run.fail('b', { retryable: true });
    run.tick({ verdict: error });
    expect(run.state.ending).to.deep.equal({ status: 'failed', error });
    expect(run.state.endedAt).not.to.equal(null);
  });

  it('waits for what is in flight, and folds it', () => {
    const run = beside({});
    run.tick({ verdict: error });
    expect(run.aborted).to.have.length(2);
    run.complete('a');
    run.complete('b');
    expect(run.state.ending).to.deep.equal({ status: 'failed', error });
  });
});

describe('The hooks of a plugin', () => {
  it('hear of every execution that is over, and of the end, once each', () => {
    const heard: string[] = [];
    const run = new MemoryRun(
      { steps: [act('a', { on_unknown: 'retry', retry: { max_attempts: 2, jitter: 0 } })] },
      {
        hooks: [
          {
            settle: ({ executionKey, outcome }) => {
              heard.push(`${executionKey.split('/').slice(1).join('/')} ${outcome.status}`);
              return [];
            },
            end: ({ ending, number }) => [{ do: 'write', table: 't', row: { ending: ending.status, number } }],
          },
        ],
      },
    );
    run.outcome('a', { status: 'lost' });
    run.fail('a', { retryable: true });
    run.advance(1_000);
    const payload = run.complete('a');
    // Each tick is computed twice here.
    expect(heard).to.deep.equal(['a/1 lost', 'a/1 lost', 'a/1 failed', 'a/1 failed', 'a/1 completed', 'a/1 completed']);
    expect(payload?.rows).to.deep.equal([{ table: 't', row: { ending: 'completed', number: 1 } }]);
  });
});
