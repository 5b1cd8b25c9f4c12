import type { Graph, Ref, Region, Step } from '@ductor/core';

export const SCATTER = 'STEP_TYPE_SCATTER';
export const GATHER = 'STEP_TYPE_GATHER';

/** The steps that name this one as the start of what they gather. */
export const gathersOf = (ref: Ref, { steps }: Graph): readonly Step[] =>
  steps.filter((step) => step.type === GATHER && step.scatter === ref);

/** All that can be reached by its SUCCESS edges, up to its GATHER. */
export function regionOf({ ref, mode }: Step, graph: Graph): Omit<Region, 'owner'> {
  const [gather] = gathersOf(ref, graph);
  const names = { variables: ['item', 'index'], namespace: 'scatters', isApart: mode === 'child_run' };
  if (!gather) return { entry: [], body: [], exit: null, ...names };
  const exit = gather.ref;
  const known = new Set(graph.steps.map((step) => step.ref));
  const isInside = (to: Ref) => to !== exit && to !== ref && known.has(to);
  const begin = graph.edges.filter(({ from, type }) => from === ref && type === 'SUCCESS');
  const entry = new Set(begin.map(({ to }) => to).filter(isInside));
  const next = new Map<Ref, Ref[]>();
  for (const { from, to } of graph.edges) next.set(from, [...(next.get(from) ?? []), to]);
  const body = new Set(entry);
  // A set that grows while it is walked is walked to its end.
  for (const inside of body) for (const to of next.get(inside) ?? []) if (isInside(to)) body.add(to);
  return { entry: [...entry], body: [...body], exit, ...names };
}
