import type { Problem } from '../../errors.ts';
import { isObject, type Ref } from '../../json.ts';
import type { Vocabulary } from '../draft-vocabulary.ts';
import type { Edge, Graph, Region } from '../graph.ts';
import { innermostRegions, regionsOf } from '../regions.ts';

/** Regions are whole, and what ends or keeps the run as a whole stands in none. */
export function regionProblems(graph: Graph, { types }: Vocabulary): readonly Problem[] {
  const regions = regionsOf(graph, types);
  const innermost = innermostRegions(regions);
  const misplaced = graph.steps.flatMap(({ ref, type }, index) => {
    const owner = innermost.get(ref)?.owner;
    if (owner === undefined || !types.get(type)?.outsideRegions) return [];
    const message = `A ${type.replace('STEP_TYPE_', '')} cannot be in a region; this one is in that of ${owner}.`;
    return [{ path: `graph.steps[${index}]`, code: 'not_in_region', message }];
  });
  const crossing = graph.edges.flatMap((edge, index) =>
    [...regions.values()].flatMap((region) => {
      const message = region.exit === null ? null : crosses(edge, region, region.exit);
      return message === null ? [] : [{ path: `graph.edges[${index}]`, code: 'crosses_region', message }];
    }),
  );
  return [...misplaced, ...crossing, ...lostContext(graph, regions)];
}

/** A branch that is a run of its own has a context of its own: what it said there would be heard by nobody. */
function lostContext({ steps }: Graph, regions: ReadonlyMap<Ref, Region>): readonly Problem[] {
  const apart = [...regions.values()].filter(({ isApart }) => isApart);
  return steps.flatMap(({ ref, effects }, index) => {
    const around = apart.find(({ body }) => body.includes(ref));
    if (!around || !isObject(effects) || effects.context === undefined) return [];
    const message = `The branches of ${around.owner} are runs of their own, which cannot change the context of this one.`;
    return [{ path: `graph.steps[${index}].effects.context`, code: 'lost_context', message }];
  });
}

/** The only ways into branches and out of them are those of their owner, and the exit. */
function crosses({ from, to, type }: Edge, { owner, body }: Region, exit: Ref): string | null {
  const isInside = (ref: Ref) => body.includes(ref);
  const edge = `${from} → ${to}`;
  if (from === owner) {
    const leadsIn = isInside(to) || to === exit;
    if (type === 'SUCCESS' || !leadsIn) return null;
    return `${edge} is ${type}: only a SUCCESS edge of ${owner} leads into its region.`;
  }
  if (isInside(from)) {
    return isInside(to) || to === exit ? null : `${edge} leads out of the region of ${owner}, past ${exit}.`;
  }
  if (isInside(to)) return `${edge} leads into the region of ${owner} from outside.`;
  return to === exit ? `${edge} leads to ${exit} from outside the region of ${owner}.` : null;
}
