import type { DefinitionDraft } from './draft.ts';
import { type EdgeKey, edgeKey, edgeTitle } from './draft-edges.ts';
import type { Edge } from './graph.ts';
import { type Change, changed, hasStep, type Place, refused, unknownStep } from './operations-change.ts';

/** What an edge is known by can be set as well. */
export type EdgeUpdate = EdgeKey & {
  readonly set: Partial<Omit<Edge, 'case' | 'condition'>> & {
    readonly case?: string | null;
    readonly condition?: string | null;
  };
};

export function addEdge(draft: DefinitionDraft, edge: Edge, { path }: Place): Change {
  return refusedEdge(draft.graph, edge, path) ?? changed(withEdges(draft, [...draft.graph.edges, edge]));
}

export function removeEdge(draft: DefinitionDraft, key: EdgeKey, { path }: Place): Change {
  const { edges } = draft.graph;
  if (!has(edges, key)) return unknownEdge(path, key);
  const known = edgeKey(key);
  return changed(withEdges(draft, [...edges.filter((edge) => edgeKey(edge) !== known)]));
}

export function updateEdge(draft: DefinitionDraft, { set, ...key }: EdgeUpdate, { path }: Place): Change {
  const { steps, edges } = draft.graph;
  const known = edgeKey(key);
  const index = edges.findIndex((edge) => edgeKey(edge) === known);
  const before = edges[index];
  if (before === undefined) return unknownEdge(path, key);
  const { case: caseAfter = before.case, condition = before.condition, ...ends } = set;
  const after: Edge = {
    from: before.from,
    to: before.to,
    type: before.type,
    ...ends,
    ...(typeof caseAfter === 'string' && { case: caseAfter }),
    ...(typeof condition === 'string' && { condition }),
  };
  const others = edges.toSpliced(index, 1);
  return (
    refusedEdge({ steps, edges: others }, after, `${path}.set`) ?? changed(withEdges(draft, edges.with(index, after)))
  );
}

/** `null` when the edge may stand beside those that there are. */
function refusedEdge({ steps, edges }: DefinitionDraft['graph'], edge: Edge, path: string): Change | null {
  for (const end of ['from', 'to'] as const) {
    if (!hasStep(steps, edge[end])) return unknownStep(`${path}.${end}`, edge[end]);
  }
  if (!has(edges, edge)) return null;
  return refused({ path, code: 'duplicate_edge', message: `There is an edge ${edgeTitle(edge)} already.` });
}

const has = (edges: readonly Edge[], key: EdgeKey): boolean => {
  const known = edgeKey(key);
  return edges.some((edge) => edgeKey(edge) === known);
};

const withEdges = (draft: DefinitionDraft, edges: readonly Edge[]): DefinitionDraft => ({
  ...draft,
  graph: { ...draft.graph, edges },
});

const unknownEdge = (path: string, key: EdgeKey): Change =>
  refused({ path, code: 'unknown_edge', message: `No edge ${edgeTitle(key)}.` });
