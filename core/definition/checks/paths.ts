import type { Problem } from '../../errors.ts';
import type { Ref } from '../../json.ts';
import type { Vocabulary } from '../draft-vocabulary.ts';
import type { Edge, Graph } from '../graph.ts';

/** The graph has a beginning, comes to an end, and leads to every step. */
export function pathProblems(graph: Graph, vocabulary: Vocabulary): readonly Problem[] {
  if (graph.steps.length === 0) {
    return [{ path: 'graph.steps', code: 'no_steps', message: 'A definition has at least one step.' }];
  }
  const next = successors(graph, vocabulary);
  const entries = entriesOf(graph, next);
  const cycles = cycleProblems(graph, next);
  if (entries.length === 0) {
    const message = 'No step is without an incoming edge: a run could not begin.';
    return [{ path: 'graph.edges', code: 'no_entry', message }, ...cycles];
  }
  return [...cycles, ...unreachable(graph, entries, next)];
}

type Successors = ReadonlyMap<Ref, ReadonlySet<Ref>>;

/** Along edges, and from the owner of a region to what it runs. */
function successors({ steps, edges, ...rest }: Graph, { types }: Vocabulary): Successors {
  const next = new Map<Ref, Set<Ref>>(steps.map(({ ref }) => [ref, new Set()]));
  for (const { from, to } of edges) if (next.has(to)) next.get(from)?.add(to);
  for (const step of steps) {
    const region = types.get(step.type)?.region?.(step, { steps, edges, ...rest });
    for (const ref of region?.entry ?? []) if (next.has(ref)) next.get(step.ref)?.add(ref);
  }
  return next;
}

function entriesOf({ steps }: Graph, next: Successors): readonly Ref[] {
  const reached = new Set([...next.values()].flatMap((refs) => [...refs]));
  return steps.map(({ ref }) => ref).filter((ref) => !reached.has(ref));
}

/** One problem for each edge that closes a circle, found depth first. */
function cycleProblems({ steps, edges }: Graph, next: Successors): readonly Problem[] {
  const done = new Set<Ref>();
  const trail: Ref[] = [];
  const on = new Set<Ref>();
  const problems: Problem[] = [];
  const visit = (ref: Ref): void => {
    trail.push(ref);
    on.add(ref);
    for (const to of next.get(ref) ?? []) {
      if (on.has(to)) problems.push(cycleProblem(edges, [...trail.slice(trail.indexOf(to)), to]));
      else if (!done.has(to)) visit(to);
    }
    trail.pop();
    on.delete(ref);
    done.add(ref);
  };
  for (const { ref } of steps) if (!done.has(ref)) visit(ref);
  return problems;
}

function cycleProblem(edges: readonly Edge[], circle: readonly Ref[]): Problem {
  const [from, to] = circle.slice(-2);
  const index = edges.findIndex((edge) => edge.from === from && edge.to === to);
  return {
    path: index < 0 ? 'graph.edges' : `graph.edges[${index}]`,
    code: 'cycle',
    message: `These steps go in a circle: ${circle.join(' → ')}.`,
  };
}

function unreachable({ steps }: Graph, entries: readonly Ref[], next: Successors): readonly Problem[] {
  const reached = new Set(entries);
  for (const ref of reached) for (const to of next.get(ref) ?? []) reached.add(to);
  return steps.flatMap(({ ref }, index) =>
    reached.has(ref)
      ? []
      : [{ path: `graph.steps[${index}]`, code: 'unreachable', message: `No path from an entry leads to '${ref}'.` }],
  );
}
