import { randomUUID } from 'node:crypto';
import type { ActionControl, ActionPool, AttemptOutcome, Deadlines, Dispatch, Tell } from '@ductor/core';
import { StepWorker } from '@ductor/core';
import { expect } from 'chai';
import { DatabaseClock } from '#host/engine/database-clock.js';
import { Observers } from '#host/telemetry/observers.js';
import { until } from '../../support/until.ts';

/** A pool that the test answers for. */
function handPool() {
  const running = new Map<string, { control: ActionControl; answer(outcome: AttemptOutcome): void }>();
  let isAvailable = true;
  const pool: ActionPool = {
    run: ({ attempt }, control) => new Promise((answer) => running.set(attempt.id, { control, answer })),
    available: () => (isAvailable ? { ok: true } : { ok: false, reason: 'connector_missing', details: {} }),
    state: () => [],
    close: async () => {},
  };
  return {
    pool,
    running,
    setAvailable(value: boolean) {
      isAvailable = value;
    },
  };
}

const dispatch = (deadlines: Partial<Deadlines> = {}): Dispatch => ({
  runId: randomUUID(),
  tenantId: 'default',
  ref: 'a',
  branch: [],
  attempt: { id: randomUUID(), token: randomUUID(), number: 1 },
  task: { action: 'test.do', args: {}, idempotencyKey: 'k' },
  deadlines: { startToCloseMs: 60_000, ...deadlines },
  connector: { id: 'test', package: '@test/connector', version: '1.0.0', integrity: null },
  traceparent: null,
});

describe('The step worker', () => {
  const make = ({ tell }: { readonly tell: Tell } = { tell: () => undefined }) => {
    const hand = handPool();
    const said: AttemptOutcome[] = [];
    const clock = new DatabaseClock();
    const worker = new StepWorker({
      pool: hand.pool,
      clock,
      deliver: (_, { outcome }) => said.push(outcome),
      log: () => {},
      tell,
    });
    return { ...hand, worker, said };
  };

  it('counts the deadlines of what waits for its connector', async () => {
    const { worker, said, setAvailable } = make();
    setAvailable(false);
    worker.take([dispatch({ scheduleToStartMs: 30 }), dispatch({ scheduleToCloseMs: 40 })]);
    await until(() => said.length === 2, 'both deadlines');
    expect(said).to.deep.equal([
      { status: 'timed_out', deadline: 'scheduleToStartMs', neverStarted: true },
      { status: 'timed_out', deadline: 'scheduleToCloseMs', neverStarted: true },
    ]);
    await until(() => worker.size === 0, 'the worker to let them go');
    expect(said, 'nothing more is said of them').to.have.length(2);
  });

  it('gives back what waits for its connector at once when it drains', async () => {
    const { worker, said, setAvailable } = make();
    setAvailable(false);
    worker.take([dispatch()]);
    await worker.drain(500);
    expect(said).to.deep.equal([{ status: 'lost', neverStarted: true }]);
  });

  it('gives back what it is handed while it drains', async () => {
    const { worker, said } = make();
    await worker.drain(0);
    worker.take([dispatch()]);
    expect(said).to.deep.equal([{ status: 'lost', neverStarted: true }]);
  });

  it('tells what was stopped before it started from what was stopped in its course', async () => {
    const { worker, said, running } = make();
    const [idle, busy] = [dispatch(), dispatch()];
    worker.take([idle, busy]);
    running.get(busy.attempt.id)?.control.started('thread');
    worker.stop([idle.attempt.id, busy.attempt.id], 10);
    for (const { answer } of running.values()) answer({ status: 'stopped' });
    await until(() => said.length === 2, 'both');
    expect(said).to.deep.equal([{ status: 'stopped', neverStarted: true }, { status: 'stopped' }]);
  });

  it('reports a passed deadline at once, and afterwards only what has completed all the same', async () => {
    const { worker, said, running } = make();
    const [fails, completes] = [dispatch({ startToCloseMs: 20 }), dispatch({ startToCloseMs: 20 })];
    worker.take([fails, completes]);
    for (const { control } of running.values()) control.started('thread');
    await until(() => said.length === 2, 'both deadlines');
    running.get(fails.attempt.id)?.answer({ status: 'stopped' });
    running.get(completes.attempt.id)?.answer({ status: 'completed', output: 'late' });
    await until(() => worker.size === 0, 'the pool');
    expect(said.slice(2)).to.deep.equal([{ status: 'completed', output: 'late' }]);
  });

  it('tells of each attempt that it begins and of its one end, and hands on the span that is made for it', async () => {
    const told: string[] = [];
    const span = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const observers = new Observers(() => undefined);
    observers.add({
      attemptBegan({ attempt }) {
        told.push(`${attempt.id} began`);
        return span;
      },
      attemptEnded: ({ attempt }, { outcome }) => void told.push(`${attempt.id} ${outcome.status}`),
    });
    const { worker, said, running } = make(observers);
    const late = dispatch({ startToCloseMs: 20 });
    worker.take([late]);
    const { control, answer } = running.get(late.attempt.id)!;
    expect(control.traceparent).to.equal(span);
    control.started('thread');
    await until(() => said.length === 1, 'the deadline');
    answer({ status: 'completed', output: 'late' });
    await until(() => said.length === 2, 'the late outcome');
    expect(told).to.deep.equal([`${late.attempt.id} began`, `${late.attempt.id} timed_out`]);
  });

  it('pushes the heartbeat deadline back with every heartbeat', async () => {
    const { worker, said, running } = make();
    const one = dispatch({ heartbeatMs: 300 });
    worker.take([one]);
    const { control } = running.get(one.attempt.id)!;
    control.started('thread');
    const beatUntil = performance.now() + 600;
    await until(() => {
      control.heartbeat(1);
      return performance.now() > beatUntil;
    }, 'some heartbeats');
    expect(said).to.deep.equal([]);
    await until(() => said.length === 1, 'the deadline');
    expect(said).to.deep.equal([{ status: 'timed_out', deadline: 'heartbeatMs' }]);
  });
});
