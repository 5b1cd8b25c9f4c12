import type { Clock, Overdue, RunStore } from '@ductor/core';
import { expect } from 'chai';
import { Sweep } from '#host/engine/sweep.js';
import { until } from '../../support/until.ts';

/** Time that stands until it is moved; whoever sleeps is woken by `turn`. */
function handClock() {
  let nowMs = Date.parse('2026-01-01T00:00:00.000Z');
  let turn: () => void = () => undefined;
  const clock: Clock = {
    now: () => new Date(nowMs).toISOString(),
    after: () => () => undefined,
    sleep: (_delayMs, signal) =>
      new Promise((resolve) => {
        turn = resolve;
        signal?.addEventListener('abort', () => resolve(), { once: true });
      }),
  };
  return {
    clock,
    before: (ms: number) => new Date(nowMs - ms).toISOString(),
    move(ms: number) {
      nowMs += ms;
    },
    turn: () => turn(),
  };
}

describe('The lag of the sweep', () => {
  it('is the age of the oldest thing that is due, and grows while the store is away', async () => {
    const hand = handClock();
    let looks = 0;
    let answer = (): readonly Overdue[] => [];
    const store: Pick<RunStore, 'overdue'> = {
      overdue: async () => {
        looks += 1;
        return answer();
      },
    };
    const sweep = new Sweep({ store, clock: hand.clock, wake: () => undefined, failed: () => undefined });
    const stop = new AbortController();
    const running = sweep.run(stop.signal);
    const look = async (next: typeof answer) => {
      answer = next;
      const before = looks;
      hand.turn();
      await until(() => looks > before, 'the next look');
      await new Promise((resolve) => setImmediate(resolve));
    };
    await until(() => looks === 1, 'the first look');

    hand.move(400);
    expect(sweep.lagMs, 'since the last look').to.equal(400);
    await look(() => [
      { runId: 'a', dueAt: hand.before(2_000) },
      { runId: 'b', dueAt: hand.before(7_000) },
      { runId: 'c', dueAt: hand.before(-500) },
    ]);
    expect(sweep.lagMs).to.equal(7_000);
    await look(() => []);
    expect(sweep.lagMs).to.equal(0);
    hand.move(5_000);
    await look(() => {
      throw new Error('away');
    });
    expect(sweep.lagMs).to.equal(5_000);
    stop.abort();
    await running;
  });
});
