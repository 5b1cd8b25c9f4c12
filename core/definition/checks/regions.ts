import type { Problem } from '../../errors.ts';
import type { Vocabulary } from '../draft-vocabulary.ts';
import type { Graph } from '../graph.ts';

/** What ends or keeps the run as a whole stands in no region. */
export function regionProblems(graph: Graph, { types }: Vocabulary): readonly Problem[] {
  const owners = new Map(
    graph.steps.flatMap((step) => {
      const body = types.get(step.type)?.region?.(step, graph).body ?? [];
      return body.map((ref) => [ref, step.ref] as const);
    }),
  );
  return graph.steps.flatMap(({ ref, type }, index) => {
    const owner = owners.get(ref);
    if (owner === undefined || !types.get(type)?.outsideRegions) return [];
    const message = `A ${type.replace('STEP_TYPE_', '')} cannot be in a region; this one is in that of ${owner}.`;
    return [{ path: `graph.steps[${index}]`, code: 'not_in_region', message }];
  });
}
