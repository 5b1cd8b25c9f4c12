import type { AttemptOutcome, Hooks } from '@ductor/core';
import { expect } from 'chai';
import { act } from '../../support/workflow.ts';
import { arrivalOf, failureOf, MemoryRun } from './memory-run.ts';

const lost: AttemptOutcome = { status: 'lost' };
const untouched: AttemptOutcome = { status: 'stopped', neverStarted: true };
const late: AttemptOutcome = { status: 'timed_out', deadline: 'startToCloseMs' };

/** A step beside another, and how plugins were told that it had settled. */
function beside(more: object = {}, missing: readonly string[] = []) {
  const heard = new Map<string, 'unknown' | 'done'>();
  const hooks: Hooks = {
    settle({ at, outcome, isUnknown, version, ordinal }) {
      // Each tick is computed more than once.
      const moment = `${version}/${ordinal}`;
      if (at.ref === 'a' && isUnknown) heard.set(moment, 'unknown');
      if (at.ref === 'a' && outcome.status === 'completed') heard.set(moment, 'done');
      return [];
    },
  };
  const steps = [act('a', { retry: { max_attempts: 2 }, ...more }), act('b')];
  const actions = { 'test.do': { effect: 'write', idempotency: 'key' } } as const;
  return { told: () => [...heard.values()], run: new MemoryRun({ steps, actions }, { hooks: [hooks], missing }) };
}

describe('An execution whose attempt may have done its work without a word', () => {
  it('is unknown where its next attempt is taken back before it has begun', () => {
    const { run, told } = beside();
    run.outcome('a', lost);
    run.fail('b', { retryable: false });
    run.outcome('a', untouched);
    expect([run.state.status, run.status('a'), told()]).to.deep.equal(['failed', 'cancelled', ['unknown']]);
  });

  it('is unknown where its run ends in the very tick that would have begun its next attempt', () => {
    const { run, told } = beside();
    const failure = failureOf({ retryable: false });
    run.tick({ arrivals: [arrivalOf(run.running('a'), lost), arrivalOf(run.running('b'), failure)] });
    expect([run.state.status, run.status('a'), told()]).to.deep.equal(['failed', 'cancelled', ['unknown']]);
  });

  it('is unknown where its run ends while it waits for its next attempt', () => {
    const { run, told } = beside();
    run.outcome('a', late);
    expect(run.status('a')).to.equal('backoff');
    run.fail('b', { retryable: false });
    expect([run.state.status, run.status('a'), told()]).to.deep.equal(['failed', 'cancelled', ['unknown']]);
  });

  it('is unknown where its run ends while it waits for a credential', () => {
    const { run, told } = beside({ credential: 'shop' });
    run.missing.add('shop');
    run.outcome('a', lost);
    expect(run.status('a')).to.equal('waiting');
    run.fail('b', { retryable: false });
    expect([run.status('a'), told()]).to.deep.equal(['cancelled', ['unknown']]);
  });

  it('is unknown where the others could not reach anybody', () => {
    const { run, told } = beside();
    run.outcome('a', late);
    run.advance(10_000);
    run.fail('a', { code: 'connection_failed', retryable: true });
    expect([run.status('a'), told()]).to.deep.equal(['failed', ['unknown']]);
  });

  it('is known once another completes, or is refused for good under the same key', () => {
    const completed = beside();
    completed.run.outcome('a', lost);
    completed.run.complete('a');
    expect(completed.told()).to.deep.equal(['done']);
    const refused = beside();
    refused.run.outcome('a', late);
    refused.run.advance(10_000);
    refused.run.fail('a', { retryable: false });
    expect([refused.run.status('a'), refused.told()]).to.deep.equal(['failed', []]);
  });

  it('was never begun where all its attempts came back untouched', () => {
    const { run, told } = beside();
    run.outcome('a', untouched);
    run.fail('b', { retryable: false });
    run.outcome('a', untouched);
    expect([run.status('a'), told()]).to.deep.equal(['cancelled', []]);
  });
});
