/** Durations are counted in fixed buckets: up to each of these (milliseconds), and one for all that is longer. */
export const DURATION_BOUNDS_MS: readonly number[] = [
  ...[5, 10, 25, 50, 100, 250, 500],
  ...[1_000, 2_500, 5_000, 10_000, 30_000],
  ...[60_000, 300_000, 900_000, 3_600_000],
  ...[21_600_000, 86_400_000, 604_800_000],
];

export interface Durations {
  /** A number for each bound, and one for what lies beyond the last. */
  readonly buckets: readonly number[];
  readonly totalMs: number;
}

export interface DurationSummary {
  /** How many were measured. */
  readonly count: number;
  readonly average_ms: number | null;
  readonly p50_ms: number | null;
  readonly p90_ms: number | null;
  readonly p99_ms: number | null;
}

export function summaryOf({ buckets, totalMs }: Durations): DurationSummary {
  const count = buckets.reduce((sum, n) => sum + n, 0);
  const percentile = (fraction: number) => (count === 0 ? null : Math.round(rankedAt(buckets, fraction * count)));
  return {
    count,
    average_ms: count === 0 ? null : Math.round(totalMs / count),
    p50_ms: percentile(0.5),
    p90_ms: percentile(0.9),
    p99_ms: percentile(0.99),
  };
}

/** As if the durations of a bucket lay evenly in it. Beyond the last bound nothing is known but that bound. */
function rankedAt(buckets: readonly number[], rank: number): number {
  let below = 0;
  for (const [i, high] of DURATION_BOUNDS_MS.entries()) {
    const here = buckets[i] ?? 0;
    const low = DURATION_BOUNDS_MS[i - 1] ?? 0;
    if (here > 0 && below + here >= rank) return low + ((high - low) * (rank - below)) / here;
    below += here;
  }
  return DURATION_BOUNDS_MS.at(-1) ?? 0;
}
