import {
  cel,
  defineStep,
  type Evaluate,
  type Expression,
  type Failure,
  type Graph,
  isObject,
  type Json,
  longLists,
  nodeKey,
  type Problem,
  type Step,
} from '@ductor/core';
import { type BranchResult, branchTable, isTooLarge, MOST_BYTES } from './branch-table.ts';
import { readsResultsWhole } from './reads.ts';
import { GATHER, SCATTER } from './region.ts';

type Reduce = Expression<'results', Json> | null;
type Memo = { readonly reduce: Reduce; readonly isPlain: boolean };

/** Puts together what the branches of its SCATTER came to, in the order of the items. */
export const gatherStep = defineStep({
  type: GATHER,
  schema: {
    type: 'object',
    required: ['scatter'],
    properties: { scatter: { type: 'string', format: 'step_ref' }, reduce: longLists(cel({}, 'results')) },
  },
  check: (step, graph) => scatterProblems(step, graph),
  start({ config: { scatter, reduce: written }, at: { branch }, exitOf, evaluate }) {
    const reduce: Reduce = written ?? null;
    // Of `fail_fast` every result is an output; the others may be errors.
    const isPlain = isFailFast(exitOf?.output ?? null);
    if (!exitOf?.fan) return completed(reduced([], reduce, evaluate));
    const key = {
      node: nodeKey({ ref: scatter, branch }),
      generation: exitOf.fan.generation,
      values: reduce === null || readsResultsWhole(reduce, isPlain),
    };
    return {
      to: 'waiting',
      memo: { reduce, isPlain } as Memo,
      wait: { kind: 'facts', needs: [{ table: branchTable.name, key }] },
    };
  },
  on: {
    wake({ memo: { reduce, isPlain }, facts, evaluate }) {
      const rows = branchTable.of(facts);
      const unread = rows.find(isTooLarge);
      if (unread) return { to: 'failed', error: tooLarge(unread.bytes) };
      const branches = rows.filter((row): row is BranchResult => !isTooLarge(row));
      const output = reduced(isPlain ? branches.map(({ output: one }) => one) : branches.map(result), reduce, evaluate);
      const bytes = Buffer.byteLength(JSON.stringify(output));
      return bytes > MOST_BYTES ? { to: 'failed', error: tooLarge(bytes) } : completed(output);
    },
  },
});

const isFailFast = (output: Json): boolean => !isObject(output) || output.on_branch_failure === 'fail_fast';

const completed = (output: Json) => ({ to: 'completed', outcome: 'SUCCESS', output }) as const;

const result = ({ index, status, output, error }: BranchResult): Json =>
  status === 'completed' ? { index, status, output } : { index, status: status ?? 'cancelled', error };

const reduced = (results: readonly Json[], reduce: Reduce, evaluate: Evaluate): Json =>
  reduce === null ? results : evaluate(reduce, { results });

const tooLarge = (bytes: number): Failure => ({
  code: 'payload_too_large',
  message: `The results are ${bytes} bytes; ${MOST_BYTES} are allowed.`,
  party: 'user',
  details: { limit: MOST_BYTES, actual: bytes },
});

function scatterProblems({ scatter }: Step, { steps }: Graph): readonly Problem[] {
  const allowed = steps.filter(({ type }) => type === SCATTER).map(({ ref }) => ref);
  if (allowed.some((ref) => ref === scatter)) return [];
  return [{ path: 'scatter', code: 'unknown_step', message: `There is no SCATTER '${String(scatter)}'.`, allowed }];
}
