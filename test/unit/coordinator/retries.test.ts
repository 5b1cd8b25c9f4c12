import type { AttemptOutcome, Deadlines } from '@ductor/core';
import { backoffMs, DEFAULT_RETRY } from '@ductor/core';
import { expect } from 'chai';
import type { TestWorkflow } from '../../support/workflow.ts';
import { MemoryRun } from './memory-run.ts';

const one = (more: object = {}, actions: TestWorkflow['actions'] = {}): MemoryRun =>
  new MemoryRun({ steps: [{ ref: 'a', type: 'ACTION', action: 'test.do', ...more }], actions: actions ?? {} });

/** Milliseconds until the retry that a step waits for. */
function delayOf(run: MemoryRun): number {
  const node = run.node('a');
  if (node?.status !== 'backoff') throw new Error(`a is ${node?.status ?? 'not there'}`);
  return Date.parse(node.retryAt) - Date.parse(run.now);
}

const late = (deadline: keyof Deadlines): AttemptOutcome => ({ status: 'timed_out', deadline });

describe('C08 Delays between attempts', () => {
  const growing = { ...DEFAULT_RETRY, maxAttempts: 60 };
  const delays = (jitter: number) =>
    Array.from({ length: 60 }, (_, i) => backoffMs({ ...growing, jitter }, i + 1, `seed/${i}`));

  it('C08 are finite positive integers, never shorter than the one before, and capped, for 60 attempts', () => {
    const plain = delays(0);
    for (const [i, delay] of plain.entries()) {
      expect(Number.isSafeInteger(delay) && delay > 0, `delay ${i + 1}: ${delay}`).to.equal(true);
      expect(delay).to.be.at.least(plain[i - 1] ?? 0);
    }
    expect(plain.slice(0, 7)).to.deep.equal([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000]);
    expect(plain[59]).to.equal(60_000);
  });

  it('C08 stay positive integers whatever the jitter and the numbers', () => {
    for (const delay of [...delays(0.2), ...delays(1)])
      expect(Number.isSafeInteger(delay) && delay > 0, `${delay}`).to.equal(true);
    for (const initialIntervalMs of [1, 1e12]) {
      for (const backoffCoefficient of [1, 1e6]) {
        const delay = backoffMs({ ...growing, initialIntervalMs, backoffCoefficient, jitter: 1 }, 1_000, 's');
        expect(Number.isSafeInteger(delay) && delay > 0 && delay <= 120_000, `${delay}`).to.equal(true);
      }
    }
  });

  it('C08 spread by as much as the jitter says, around the capped delay', () => {
    const spread = Array.from({ length: 500 }, (_, i) => backoffMs({ ...growing, jitter: 0.2 }, 60, `seed/${i}`));
    expect(Math.min(...spread)).to.be.within(48_000, 50_000);
    expect(Math.max(...spread)).to.be.within(70_000, 72_000);
  });
});

describe('C08 A step that fails', () => {
  const executions = (retry: object, error: { code?: string; retryable: boolean }): number => {
    const run = one({ retry });
    while (!run.isOver) {
      run.fail('a', error);
      if (!run.isOver) run.advance(120_000);
    }
    return run.attemptsOf('a').length;
  };

  it('C08 is executed exactly max_attempts times', () => {
    expect(executions({}, { retryable: true })).to.equal(3);
    expect(executions({ max_attempts: 3 }, { retryable: true })).to.equal(3);
    expect(executions({ max_attempts: 60 }, { retryable: true })).to.equal(60);
    expect(executions({ max_attempts: 1 }, { retryable: true })).to.equal(1);
  });

  it('C08 is executed once where its error says so, by itself or by its code', () => {
    expect(executions({ max_attempts: 3 }, { retryable: false })).to.equal(1);
    expect(executions({ max_attempts: 3, non_retryable: ['boom'] }, { code: 'boom', retryable: true })).to.equal(1);
  });

  it('has the last error as its own', () => {
    const run = one({ retry: { max_attempts: 2 } });
    run.fail('a', { code: 'first', retryable: true });
    run.advance(60_000);
    run.fail('a', { code: 'second', retryable: true });
    expect(run.state.ending).to.have.nested.property('error.code', 'second');
  });

  it('takes its policy from the step before the action before the engine', () => {
    const actions: TestWorkflow['actions'] = {
      'test.do': { effect: 'read', idempotency: 'none', retry: { maxAttempts: 7, initialIntervalMs: 50, jitter: 0 } },
    };
    const run = one({ retry: { initial_interval_ms: 20 } }, actions);
    run.fail('a', { retryable: true });
    expect(delayOf(run)).to.equal(20);
    for (let i = 1; i < 7; i++) {
      run.advance(60_000);
      run.fail('a', { retryable: true });
    }
    expect(run.isOver).to.equal(true);
    expect(run.attemptsOf('a')).to.have.length(7);
  });

  it('is tried again when its retry is due, and not before', () => {
    const run = one({ retry: { jitter: 0 } });
    run.fail('a', { retryable: true });
    expect(run.advance(999)).to.equal(null);
    run.advance(1);
    expect(run.running('a').number).to.equal(2);
  });

  it('waits as long as its error asks for', () => {
    const run = one();
    run.fail('a', { retryable: true, retryAfterMs: 7_000 });
    expect(delayOf(run)).to.equal(7_000);
  });

  it('hands every attempt of one execution the same idempotency key', () => {
    const run = one();
    run.fail('a', { retryable: true });
    run.advance(60_000);
    const [first, second] = run.attemptsOf('a');
    expect(first?.task.idempotencyKey)
      .to.equal(`${run.state.header.chainId}/a/1`)
      .and.to.equal(second?.task.idempotencyKey);
    expect(first?.token).not.to.equal(second?.token);
  });
});

describe('schedule_to_close', () => {
  const limited = {
    timeout: { schedule_to_close: 'PT3S' },
    on_unknown: 'retry',
    retry: { jitter: 0, max_attempts: 9 },
  };

  it('counts over all retries: what is left is handed to each', () => {
    const run = one(limited);
    expect(run.running('a').deadlines.scheduleToCloseMs).to.equal(3_000);
    run.fail('a', { retryable: true });
    run.advance(1_000);
    expect(run.running('a').deadlines.scheduleToCloseMs).to.equal(2_000);
  });

  it('ends the step by TIMEOUT where no retry fits in, and says why', () => {
    const run = one(limited);
    run.fail('a', { code: 'busy', retryable: true, retryAfterMs: 3_001 });
    expect(run.node('a')).to.include({ status: 'failed', outcome: 'TIMEOUT' });
    expect(run.node('a')).to.have.nested.property('error.code', 'timeout');
    expect(run.node('a')).to.have.nested.property('error.details.last_error.code', 'busy');
  });

  it('is not tried again', () => {
    const run = one(limited);
    run.outcome('a', late('scheduleToCloseMs'));
    expect(run.node('a')).to.include({ status: 'failed', outcome: 'TIMEOUT' });
  });
});

describe('An attempt that is lost', () => {
  const again = { on_unknown: 'retry', retry: { max_attempts: 2, jitter: 0 } };

  it('is tried again at once and does not count toward max_attempts', () => {
    const run = one(again);
    for (let i = 0; i < 5; i++) run.outcome('a', { status: 'lost' });
    expect(run.running('a').number).to.equal(6);
    run.fail('a', { retryable: true });
    expect(delayOf(run), 'the first counted failure').to.equal(1_000);
    run.advance(1_000);
    run.fail('a', { retryable: true });
    expect(run.isOver).to.equal(true);
  });

  it('for the sixth time fails the node with worker_lost', () => {
    const run = one(again);
    for (let i = 0; i < 6; i++) run.outcome('a', { status: 'lost' });
    expect(run.state.ending).to.have.nested.property('error.code', 'worker_lost');
    expect(run.attemptsOf('a')).to.have.length(6);
  });

  it('but never started counts for nothing at all', () => {
    const run = one({ ...again, on_unknown: 'park' });
    for (let i = 0; i < 10; i++) run.outcome('a', { status: 'lost', neverStarted: true });
    expect(run.running('a').number).to.equal(11);
    run.fail('a', { retryable: true });
    expect(delayOf(run)).to.equal(1_000);
  });
});

describe('After an outcome that nobody knows, a step', () => {
  const traits = (effect: 'read' | 'write', idempotency: 'natural' | 'key' | 'none'): TestWorkflow['actions'] => ({
    'test.do': { effect, idempotency },
  });
  const unknown: readonly AttemptOutcome[] = [
    { status: 'lost' },
    { status: 'stopped' },
    late('startToCloseMs'),
    late('heartbeatMs'),
    { status: 'failed', error: { code: 'worker_exited', message: '', party: 'connector', retryable: true } },
    { status: 'failed', error: { code: 'out_of_memory', message: '', party: 'connector', retryable: true } },
  ];

  it('asks an operator unless its action is safe to repeat', () => {
    for (const outcome of unknown) {
      const park = one({}, traits('write', 'none'));
      park.outcome('a', outcome);
      expect(park.node('a')).to.have.nested.property('wait.kind', 'operator');
      for (const actions of [traits('read', 'none'), traits('write', 'natural'), traits('write', 'key')]) {
        const run = one({}, actions);
        run.outcome('a', outcome);
        expect(run.status('a')).to.be.oneOf(['running', 'backoff']);
      }
    }
  });

  it('does what its own on_unknown says, whatever the action', () => {
    for (const outcome of unknown) {
      const run = one({ on_unknown: 'retry' }, traits('write', 'none'));
      run.outcome('a', outcome);
      expect(run.status('a')).to.be.oneOf(['running', 'backoff']);
      const parked = one({ on_unknown: 'park' }, traits('read', 'natural'));
      parked.outcome('a', outcome);
      expect(parked.status('a')).to.equal('waiting');
      expect(parked.why()).to.have.nested.property('[0].reason.code', 'outcome_unknown');
    }
  });

  it('that had not started is not asked about', () => {
    for (const outcome of [late('scheduleToStartMs'), { ...late('scheduleToCloseMs'), neverStarted: true } as const]) {
      const run = one({ on_unknown: 'park' });
      run.outcome('a', outcome);
      expect(run.status('a')).not.to.equal('waiting');
    }
  });

  const parked = (): MemoryRun => {
    const run = new MemoryRun({
      steps: [
        { ref: 'a', type: 'ACTION', action: 'test.do', retry: { max_attempts: 1 } },
        { ref: 'ok', type: 'TRANSFORM', value: '${steps.a.output}' },
        { ref: 'bad', type: 'TRANSFORM', value: '${steps.a.error.code}' },
      ],
      edges: [
        { from: 'a', to: 'ok' },
        { from: 'a', to: 'bad', type: 'ERROR' },
      ],
    });
    run.outcome('a', { status: 'lost' });
    expect(run.state.status).to.equal('waiting');
    return run;
  };

  it('is completed by an operator, with an output', () => {
    const run = parked();
    run.resolve(run.attemptsOf('a')[0]!.id, { as: 'completed', output: 42 });
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: 42 });
    expect(run.node('a')).to.include({ outputIn: 'transition' });
  });

  it('is failed by an operator, and routed as any failure', () => {
    const run = parked();
    run.resolve(run.attemptsOf('a')[0]!.id, { as: 'failed', message: 'it never arrived' });
    expect(run.node('a')).to.have.nested.property('error.message', 'it never arrived');
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: 'outcome_unknown' });
  });

  it('is tried again by an operator, beyond max_attempts', () => {
    const run = parked();
    run.resolve(run.attemptsOf('a')[0]!.id, { as: 'retry' });
    expect(run.running('a').number).to.equal(2);
    run.complete('a', 'new');
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: 'new' });
  });

  it('is tried again by an operator, in a paused run once that is resumed', () => {
    const run = parked();
    run.control('pause');
    run.resolve(run.attemptsOf('a')[0]!.id, { as: 'retry' });
    expect(run.status('a'), 'a paused run starts nothing').to.equal('backoff');
    expect(run.waits).to.have.lengthOf(1);
    run.control('resume');
    run.advance(0);
    expect(run.running('a').number).to.equal(2);
  });

  it('hears no second word on it', () => {
    const run = parked();
    const { id } = run.attemptsOf('a')[0]!;
    run.resolve(id, { as: 'retry' });
    const payload = run.resolve(id, { as: 'completed', output: 1 });
    expect(payload?.consumed).to.have.nested.property('[0].outcome.outcome', 'no_effect');
    expect(run.status('a')).to.equal('running');
  });
});

describe('A timeout', () => {
  it('of an attempt is retried like a failure, and is TIMEOUT when it was the last', () => {
    const run = one({ on_unknown: 'retry', retry: { max_attempts: 2, jitter: 0 } });
    run.outcome('a', late('startToCloseMs'));
    expect(delayOf(run)).to.equal(1_000);
    run.advance(1_000);
    run.outcome('a', late('heartbeatMs'));
    expect(run.node('a')).to.include({ status: 'failed', outcome: 'TIMEOUT' });
    expect(run.node('a')).to.have.nested.property('error.code', 'timeout');
  });
});
