import { expect } from 'chai';
import { DURATION_BOUNDS_MS, summaryOf } from '#host/stats/durations.js';

/** As the roll-up counts them. */
function measured(...durations: readonly number[]) {
  const buckets = [...DURATION_BOUNDS_MS, null].map(() => 0);
  for (const ms of durations) {
    const place = DURATION_BOUNDS_MS.findIndex((bound) => ms <= bound);
    buckets[place === -1 ? DURATION_BOUNDS_MS.length : place]! += 1;
  }
  return summaryOf({ buckets, totalMs: durations.reduce((sum, ms) => sum + ms, 0) });
}

describe('A summary of durations', () => {
  it('of none says nothing', () => {
    expect(measured()).to.eql({ count: 0, average_ms: null, p50_ms: null, p90_ms: null, p99_ms: null });
  });

  it('has bounds in order', () => {
    expect([...DURATION_BOUNDS_MS].sort((a, b) => a - b)).to.eql([...DURATION_BOUNDS_MS]);
  });

  it('has percentiles within the bucket of the true one', () => {
    const durations = Array.from({ length: 1_000 }, (_, i) => (i * i) / 10);
    const { count, average_ms, p50_ms, p90_ms, p99_ms } = measured(...durations);
    expect([count, average_ms]).to.eql([1_000, 33_283]);
    for (const [found, rank] of [
      [p50_ms, 499],
      [p90_ms, 899],
      [p99_ms, 989],
    ] as const) {
      const truly = durations[rank]!;
      const high = DURATION_BOUNDS_MS.find((bound) => truly <= bound)!;
      const low = DURATION_BOUNDS_MS[DURATION_BOUNDS_MS.indexOf(high) - 1] ?? 0;
      expect(found, `rank ${rank}`).to.be.within(low, high);
    }
  });

  it('knows of what is very long that it is at least so long', () => {
    const week = 604_800_000;
    expect(measured(10 * week)).to.include({ count: 1, average_ms: 10 * week, p50_ms: week, p99_ms: week });
  });
});
