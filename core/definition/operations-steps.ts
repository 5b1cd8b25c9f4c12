import type { JsonObject } from '../json.ts';
import { longForm } from '../steps/registry.ts';
import { type DefinitionDraft, stepOf, type WrittenStep } from './draft.ts';
import { edgeTitle } from './draft-edges.ts';
import type { Step } from './graph.ts';
import { type Change, changed, cleared, hasStep, type Place, refused, unknownStep } from './operations-change.ts';
import { isStepRef, STEP_REF_RULE } from './slug.ts';

/** `null` when a new step may be called so. */
export function refusedRef({ graph }: DefinitionDraft, ref: string, path: string): Change | null {
  if (!isStepRef(ref)) return refused({ path, code: 'invalid_ref', message: STEP_REF_RULE });
  if (hasStep(graph.steps, ref)) {
    return refused({ path, code: 'duplicate_ref', message: `There is a step '${ref}' already.` });
  }
  return null;
}

export function addStep(draft: DefinitionDraft, step: WrittenStep, { path }: Place): Change {
  const no = refusedRef(draft, step.ref, `${path}.ref`);
  if (no) return no;
  return changed({ ...draft, graph: { ...draft.graph, steps: [...draft.graph.steps, stepOf(step)] } });
}

export function updateStep(
  draft: DefinitionDraft,
  { ref, set }: { ref: string; set: JsonObject },
  { path }: Place,
): Change {
  const { steps } = draft.graph;
  if (!hasStep(steps, ref)) return unknownStep(`${path}.ref`, ref);
  if (set.ref !== undefined) {
    return refused({ path: `${path}.set.ref`, code: 'invalid_value', message: 'A ref is changed by rename_step.' });
  }
  const { type } = set;
  if (type !== undefined && typeof type !== 'string') {
    return refused({ path: `${path}.set.type`, code: 'invalid_value', message: 'A step always has a type.' });
  }
  const updated = (step: Step): Step => ({
    ...cleared(step, set),
    ref,
    type: type === undefined ? step.type : longForm(type),
  });
  return changed({
    ...draft,
    graph: { ...draft.graph, steps: steps.map((step) => (step.ref === ref ? updated(step) : step)) },
  });
}

export function removeStep(draft: DefinitionDraft, { ref }: { ref: string }, { path }: Place): Change {
  const { steps, edges } = draft.graph;
  if (!hasStep(steps, ref)) return unknownStep(`${path}.ref`, ref);
  const gone = edges.filter(({ from, to }) => from === ref || to === ref);
  return changed(
    {
      ...draft,
      graph: {
        ...draft.graph,
        steps: steps.filter((step) => step.ref !== ref),
        edges: edges.filter((edge) => !gone.includes(edge)),
      },
    },
    gone.map((edge) => ({ path, code: 'edge_removed', message: `The edge ${edgeTitle(edge)} went with its step.` })),
  );
}
