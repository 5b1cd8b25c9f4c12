import { eventsOf } from '@ductor/core';
import { expect } from 'chai';
import { MemoryRun } from './memory-run.ts';

const WORKFLOW = {
  steps: [
    { ref: 'a', type: 'ACTION', action: 'test.read', args: { n: '${input.n}' }, credential: 'crm' },
    { ref: 'b', type: 'TRANSFORM', value: '${steps.a.output}' },
  ],
  edges: [{ from: 'a', to: 'b', type: 'SUCCESS' }],
  actions: { 'test.read': { effect: 'read', idempotency: 'none' } },
} as const;

const runOf = (missing: readonly string[] = []) => new MemoryRun(WORKFLOW, { input: { n: 7 }, missing });

describe('An action whose credential does not exist', () => {
  it('parks without an attempt, says what it waits for, and goes on with its first attempt when it is there', () => {
    const run = runOf(['crm']);
    expect(run.state.status).to.equal('waiting');
    expect(run.attemptsOf('a')).to.deep.equal([]);
    expect(run.waits).to.deep.equal([{ node: 'a', name: '', kind: 'credential', dueAt: null, credential: 'crm' }]);
    expect(run.why()[0]?.reason).to.deep.equal({ code: 'credential_missing', name: 'crm' });
    expect(run.tick({}), 'a redundant wakeup').to.equal(null);
    run.now = '2026-01-01T01:00:00.000Z';
    run.credential('crm', true);
    const [attempt] = run.attemptsOf('a');
    expect(attempt?.number).to.equal(1);
    expect(attempt?.scheduledAt).to.equal(run.now);
    expect(attempt?.task).to.deep.include({ args: { n: 7 }, credential: 'crm' });
    run.complete('a', 'done');
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: 'done' });
  });

  it('parks before a retry too, which counts on', () => {
    const run = runOf();
    run.fail('a', { retryable: true });
    run.missing.add('crm');
    run.advance(10_000);
    expect(run.status('a')).to.equal('waiting');
    run.credential('crm', true);
    expect(run.running('a').number).to.equal(2);
    run.fail('a', { retryable: true });
    run.advance(10_000);
    run.fail('a', { retryable: true });
    expect(run.state.ending).to.deep.include({ status: 'failed' });
    expect(run.attemptsOf('a')).to.have.length(3);
  });

  it('spends no attempt where it is deleted between the tick and the pool', () => {
    const run = runOf();
    run.missing.add('crm');
    run.outcome('a', { status: 'lost', neverStarted: true });
    expect(run.status('a')).to.equal('waiting');
    const ended = run.transitions.flatMap(eventsOf).filter(({ type, to }) => type === 'attempt' && to === 'ended');
    expect(ended, 'the attempt that was given back has ended').to.have.length(1);
    run.credential('crm', true);
    for (let i = 0; i < 3; i += 1) {
      run.fail('a', { retryable: true });
      run.advance(10_000);
    }
    expect(run.state.ending).to.deep.include({ status: 'failed' });
    expect(run.attemptsOf('a'), 'one given back, and three').to.have.length(4);
  });

  it('is ended by an operator’s resolve, and goes with its run', () => {
    const run = runOf(['crm']);
    const signal = { verb: 'resolve', requestId: 'r', actor: 'key:ops', payload: 'by hand' } as const;
    const id = '019b7600-0000-7000-a000-000000000001';
    run.tick({ arrivals: [{ kind: 'signal', id, at: { ref: 'a', branch: [] }, signal }] });
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: 'by hand' });
    const other = runOf(['crm']);
    other.control('cancel');
    expect(other.state.status).to.equal('cancelled');
    expect(other.waits).to.deep.equal([]);
  });

  it('does not start while its run is paused', () => {
    const run = runOf(['crm']);
    run.control('pause');
    expect(run.credential('crm', true)).to.equal(null);
    run.control('resume');
    expect(run.status('a')).to.equal('running');
  });
});
