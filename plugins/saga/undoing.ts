/** The graph of a run that undoes another one, and then runs its finalizers. */
import {
  type Command,
  credentialOf,
  type Definition,
  type Ending,
  type Expression,
  type Graph,
  type Json,
  type JsonObject,
  type Ref,
  type RunId,
  type RunView,
  type Step,
} from '@ductor/core';
import { compensation, finalizers } from './fields.ts';

/** What finalizers see as `outcome`. */
export type Outcome = { readonly status: Ending['status']; readonly output: Json; readonly error: Json };

/** The input of such a run. */
export type UndoInput = {
  readonly run_id: RunId;
  readonly chain_id: string;
  /** Of the end. */
  readonly number: number;
  readonly outcome: Outcome;
  /** The one execution to be undone, by an operator's word; else all that the ending calls for. */
  readonly only: string | null;
  /** The arguments of the finalizers, in their order. */
  readonly finally: readonly (Expression<'outcome', Json> | null)[];
};

export const KIND = 'compensation';

export const outcomeOf = (ending: Ending): Outcome => ({
  status: ending.status,
  output: ending.status === 'completed' ? ending.output : null,
  error:
    ending.status === 'failed'
      ? { code: ending.error.code, message: ending.error.message, details: ending.error.details ?? null }
      : null,
});

export const inputOf = (
  run: Pick<RunView, 'id' | 'chainId'>,
  more: Pick<UndoInput, 'number' | 'outcome'> & Partial<UndoInput>,
): UndoInput => ({ run_id: run.id, chain_id: run.chainId, only: null, finally: [], ...more });

/** Asked for by the commit of the run's end. */
export const compensationRun = (graph: Graph, input: UndoInput): Command => {
  const seed = { kind: KIND, workflow: { graph }, input, parentClose: 'abandon', report: 'nothing' } as const;
  return { do: 'spawn', child: { kind: 'run', seed } };
};

/** UNDO first, then each finalizer, whatever became of the steps before it; if one of them failed, so does the run. */
export function undoGraph(
  { graph }: Pick<Definition, 'graph'>,
  { undoes, finalizes }: { readonly undoes: boolean; readonly finalizes: boolean },
): Graph {
  const last = finalizes ? finalizersOf(graph) : [];
  const undo: Step = {
    ref: freeRef('undo', last),
    type: 'STEP_TYPE_UNDO',
    credentials: undoes ? credentialsOf(graph) : [],
  };
  const chain = [...(undoes ? [undo] : []), ...last];
  const edges = chain.slice(1).map(({ ref: to }, i) => ({ from: chain[i]?.ref ?? '', to, type: 'ALWAYS' as const }));
  const [final] = chain.slice(-1);
  if (!final || chain.length === 1) return { steps: chain, edges };
  const verdict: Step = {
    ref: freeRef('failed', chain),
    type: 'STEP_TYPE_FAIL',
    code: 'compensation_failed',
    message: 'A step of the compensation failed.',
  };
  const condition = chain
    .slice(0, -1)
    .map(({ ref }) => `steps[${JSON.stringify(ref)}].status == "failed"`)
    .join(' || ');
  return {
    steps: [...chain, verdict],
    edges: [...edges, { from: final.ref, to: verdict.ref, type: 'ALWAYS', condition }],
  };
}

/** As they are written; their arguments come with the input. */
function finalizersOf(graph: Graph): readonly Step[] {
  const written = (graph[finalizers.name] ?? []) as readonly (JsonObject & { readonly ref: Ref })[];
  return written.map(
    ({ args: _, type: __, ...step }, index): Step => ({ ...step, type: 'STEP_TYPE_FINALIZER', index }),
  );
}

function credentialsOf({ steps }: Graph): readonly string[] {
  const names = steps.flatMap((step) => {
    const undo = step[compensation.name] as { readonly action: string; readonly credential?: string } | undefined;
    const credential = undo === undefined ? undefined : credentialOf(step, undo);
    return typeof credential === 'string' ? [credential] : [];
  });
  return [...new Set(names)].sort();
}

function freeRef(ref: Ref, others: readonly Step[]): Ref {
  return others.some((other) => other.ref === ref) ? freeRef(`${ref}_`, others) : ref;
}
