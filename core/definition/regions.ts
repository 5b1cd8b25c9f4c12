import type { Ref } from '../json.ts';
import type { StepTypes } from '../steps/registry.ts';
import type { Graph, Region } from './graph.ts';

/** The regions of a graph, by owner. What a step of a body owns beside itself belongs to that body too. */
export function regionsOf(graph: Graph, types: StepTypes): ReadonlyMap<Ref, Region> {
  const own = new Map(
    graph.steps.flatMap((step) => {
      const region = types.get(step.type)?.region?.(step, graph);
      return region ? [[step.ref, { owner: step.ref, ...region }] as const] : [];
    }),
  );
  return new Map(
    [...own].map(([owner, region]) => {
      const body = new Set(region.body);
      // A set that grows while it is walked is walked to its end.
      for (const ref of body) for (const further of own.get(ref)?.body ?? []) body.add(further);
      return [owner, { ...region, body: [...body] }] as const;
    }),
  );
}

/** The innermost region that each step is in. */
export function innermostRegions(regions: ReadonlyMap<Ref, Region>): ReadonlyMap<Ref, Region> {
  const innermost = new Map<Ref, Region>();
  const outermostFirst = [...regions.values()].sort((a, b) => b.body.length - a.body.length);
  for (const region of outermostFirst) for (const ref of region.body) innermost.set(ref, region);
  return innermost;
}

/** All regions that a step is in, outermost first. */
export function regionsAround(ref: Ref, innermost: ReadonlyMap<Ref, Region>): readonly Region[] {
  const around: Region[] = [];
  for (let region = innermost.get(ref); region && !around.includes(region); region = innermost.get(region.owner)) {
    around.unshift(region);
  }
  return around;
}

/** The owners of the branches around a step, outermost first. A region without an exit has none. */
export const ownersAround = (ref: Ref, innermost: ReadonlyMap<Ref, Region>): readonly Ref[] =>
  regionsAround(ref, innermost).flatMap(({ owner, exit }) => (exit === null ? [] : [owner]));
