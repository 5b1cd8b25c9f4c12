import { groupBy } from '../postgres/runs/group-by.ts';
import type { OpenRuns, StatsSum } from '../postgres/stats.ts';
import { type DurationSummary, summaryOf } from '../stats/durations.ts';
import { workflowType } from './run.view.ts';

type Counts = { readonly [outcome: string]: number };

const countOf = (sums: readonly StatsSum[]): number => sums.reduce((total, { count }) => total + count, 0);
const byOutcome = (sums: readonly StatsSum[]): Counts =>
  Object.fromEntries(sums.map(({ outcome, count }) => [outcome, count]));

function durationOf(sums: readonly StatsSum[]): DurationSummary {
  const buckets: number[] = [];
  for (const { durations } of sums) for (const [i, n] of durations.entries()) buckets[i] = (buckets[i] ?? 0) + n;
  return summaryOf({ buckets, totalMs: sums.reduce((total, { totalMs }) => total + totalMs, 0) });
}

const runsOf = (sums: readonly StatsSum[]) => {
  const ended = sums.filter(({ what }) => what === 'ended');
  const created = sums.filter(({ what }) => what === 'created');
  return { created: countOf(created), ended: byOutcome(ended), duration: durationOf(ended) };
};

export const showSeries = (rows: readonly (StatsSum & { readonly at: string })[]) =>
  [...groupBy(rows, ({ at }) => at)].map(([at, sums]) => ({
    at,
    ...runsOf(sums),
    attempts: byOutcome(sums.filter(({ what }) => what === 'attempts')),
  }));

export const showWorkflows = (rows: readonly (StatsSum & { readonly name: string })[]) =>
  [...groupBy(rows, ({ name }) => name)].map(([name, sums]) => ({ workflow_type: typeOf(name), ...runsOf(sums) }));

/** The last dot ends the connector's id. */
export const showActions = (rows: readonly (StatsSum & { readonly name: string })[]) =>
  [...groupBy(rows, ({ name }) => name)].map(([action, sums]) => ({
    connector: action.slice(0, Math.max(action.lastIndexOf('.'), 0)),
    action,
    attempts: byOutcome(sums),
    duration: durationOf(sums),
  }));

export function showOpen(rows: readonly OpenRuns[], slug: string | null, most: number) {
  const all = rows.reduce((total, { count }) => total + count, 0);
  const asked = rows.filter((row) => slug === null || row.slug === slug);
  return {
    count: asked.reduce((total, { count }) => total + count, 0),
    is_capped: all >= most,
    workflows: asked.map((row) => ({ workflow_type: typeOf(row.slug), count: row.count })),
  };
}

const typeOf = (slug: string): string | null => (slug === '' ? null : workflowType(slug));
