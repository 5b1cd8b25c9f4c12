import {
  cel,
  defineStep,
  duration,
  type Failure,
  type Graph,
  longLists,
  MOST_LISTED,
  type Problem,
  type Step,
} from '@ductor/core';
import { gathersOf, regionOf, SCATTER } from './region.ts';

/** How many branches are not over, how many have failed, and how many may. */
type Progress = { readonly open: number; readonly failed: number; readonly most: number; readonly output: Fanned };

/** What is known of it when all its branches are over. */
export type Fanned = { readonly total: number; readonly on_branch_failure: 'fail_fast' | 'collect' | 'tolerate' };

/** One of them. */
const tolerate = {
  type: 'object',
  minProperties: 1,
  maxProperties: 1,
  properties: {
    count: { type: 'integer', minimum: 0 },
    percent: { type: 'number', minimum: 0, maximum: 100 },
  },
} as const;

/** Runs the steps up to its GATHER once for each item. */
export const scatterStep = defineStep({
  type: SCATTER,
  schema: {
    type: 'object',
    required: ['items'],
    properties: {
      items: longLists(cel({ type: 'array' })),
      mode: { enum: ['inline', 'child_run'], default: 'inline' },
      max_in_flight: { type: 'integer', minimum: 1, maximum: 10_000, default: 100 },
      batch: {
        type: 'object',
        required: ['size', 'interval'],
        properties: { size: { type: 'integer', minimum: 1 }, interval: duration },
      },
      on_branch_failure: {
        oneOf: [
          { type: 'string', enum: ['fail_fast', 'collect'] },
          { type: 'object', required: ['tolerate'], properties: { tolerate } },
        ],
        default: 'fail_fast',
      },
    },
  },
  check: (step, graph) => gatherProblems(step, graph),
  region: regionOf,
  start({ config: { items, max_in_flight: maxInFlight, batch, on_branch_failure } }) {
    const total = items.length;
    if (total > MOST_LISTED) return { to: 'failed', error: tooMany(total) };
    const output: Fanned = {
      total,
      on_branch_failure: typeof on_branch_failure === 'string' ? on_branch_failure : 'tolerate',
    };
    if (total === 0) return { to: 'completed', outcome: 'SUCCESS', output };
    return {
      to: 'waiting',
      memo: { open: total, failed: 0, most: tolerated(on_branch_failure, total), output } as Progress,
      wait: {
        kind: 'children',
        maxInFlight,
        ...(batch && { batch: { size: batch.size, intervalMs: batch.interval } }),
      },
      commands: [{ do: 'spawn', child: { kind: 'branches', of: items.map((item, index) => ({ item, index })) } }],
    };
  },
  on: {
    child({ memo: { open: before, failed: failedBefore, most, output } }, { child, end }) {
      if (child.kind !== 'branch') return null;
      const open = before - 1;
      const failed = failedBefore + (end.status === 'failed' ? 1 : 0);
      if (failed > most && end.status === 'failed') {
        return { to: 'failed', error: branchFailed(child.index, { failed, total: output.total, error: end.error }) };
      }
      if (open > 0) return { to: 'same', memo: { open, failed, most, output } };
      return { to: 'completed', outcome: 'SUCCESS', output };
    },
  },
});

type OnFailure =
  | 'fail_fast'
  | 'collect'
  | { readonly tolerate: { readonly count?: number; readonly percent?: number } };

/** How many of its branches may fail. */
function tolerated(onFailure: OnFailure, total: number): number {
  if (onFailure === 'fail_fast') return 0;
  if (onFailure === 'collect') return total;
  const { count, percent = 0 } = onFailure.tolerate;
  return count ?? Math.floor((total * percent) / 100);
}

const tooMany = (total: number): Failure => ({
  code: 'too_many_items',
  message: `items yields ${total} items; ${MOST_LISTED} are allowed.`,
  party: 'user',
  details: { limit: MOST_LISTED, actual: total },
});

const branchFailed = (
  index: number,
  { failed, total, error }: { readonly failed: number; readonly total: number; readonly error: Failure },
): Failure => ({
  code: 'branch_failed',
  message:
    failed === 1
      ? `Branch ${index} failed: ${error.message}`
      : `${failed} of ${total} branches failed, branch ${index} the last: ${error.message}`,
  party: 'user',
  details: { index, failed, error: { ...error } },
});

function gatherProblems({ ref }: Step, graph: Graph): readonly Problem[] {
  const gathers = gathersOf(ref, graph);
  const inside = graph.edges.some(({ from, type }) => from === ref && type === 'SUCCESS');
  const problems: Problem[] = [];
  if (gathers.length !== 1) {
    const found = gathers.map((gather) => gather.ref).join(', ');
    const message =
      gathers.length === 0
        ? `No GATHER has '${ref}' as its scatter; each SCATTER has one.`
        : `${found} gather '${ref}'; each SCATTER has one GATHER.`;
    problems.push({ path: '', code: 'one_gather', message });
  }
  if (!inside)
    problems.push({ path: '', code: 'no_branch', message: `No SUCCESS edge leads from '${ref}' into its region.` });
  return problems;
}
