import type { Problem } from '../errors.ts';
import { renameStepInExpression, renameStepInTemplate } from '../expression/index.ts';
import type { Ref } from '../json.ts';
import { type DefinitionDraft, graphFields } from './draft.ts';
import { mapMarked, type Rewrite } from './draft-expressions.ts';
import type { Edge, Step } from './graph.ts';
import { type Change, changed, hasStep, type Place, unknownStep } from './operations-change.ts';
import { refusedRef } from './operations-steps.ts';

/** Gives a step another ref, in every edge and in every expression that a schema marks. */
export function renameStep(
  draft: DefinitionDraft,
  { ref, to }: { readonly ref: Ref; readonly to: Ref },
  { path, vocabulary }: Place,
): Change {
  const { graph, settings } = draft;
  if (!hasStep(graph.steps, ref)) return unknownStep(`${path}.ref`, ref);
  const no = refusedRef(draft, to, `${path}.to`);
  if (no) return no;

  const renamed = (name: Ref): Ref => (name === ref ? to : name);
  const rewrite: Rewrite = ({ cel }, written) => {
    if (!cel) return typeof written === 'string' ? renamed(written) : written;
    return cel.as === 'bare' && typeof written === 'string'
      ? renameStepInExpression(written, ref, to)
      : renameStepInTemplate(written, ref, to);
  };
  const steps = graph.steps.map((step): Step => {
    const schema = vocabulary.steps.get(step.type) ?? vocabulary.anyStep;
    return { ...mapMarked(schema, step, rewrite), ref: renamed(step.ref), type: step.type };
  });
  const edges = graph.edges.map(
    (edge): Edge => ({
      ...edge,
      from: renamed(edge.from),
      to: renamed(edge.to),
      ...(edge.condition !== undefined && { condition: renameStepInExpression(edge.condition, ref, to) }),
    }),
  );
  return changed(
    {
      graph: { ...mapMarked(vocabulary.graph, graphFields(graph), rewrite), steps, edges },
      settings: mapMarked(vocabulary.settings, settings, rewrite),
    },
    graph.steps
      .filter((step) => !vocabulary.steps.has(step.type) && step.ref !== ref && JSON.stringify(step).includes(ref))
      .map((step) => notRewritten(path, step)),
  );
}

const notRewritten = (path: string, { ref, type }: Step): Problem => ({
  path,
  code: 'not_rewritten',
  message: `What '${ref}' says of the step was left as it is: no step type ${type} is known here.`,
});
