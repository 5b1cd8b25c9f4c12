import type { Problem } from '../../errors.ts';
import type { Ref } from '../../json.ts';
import { edgeKey, edgeTitle } from '../draft-edges.ts';
import type { Vocabulary } from '../draft-vocabulary.ts';
import type { Edge, EdgeType, Graph, StepTypeName } from '../graph.ts';

/** Each edge joins two steps, is there once, and is of a type that its source can take. */
export function edgeProblems({ steps, edges }: Graph, vocabulary: Vocabulary): readonly Problem[] {
  const types = new Map(steps.map(({ ref, type }) => [ref, type]));
  const seen = new Set<string>();
  return edges.flatMap((edge, index) => {
    const path = `graph.edges[${index}]`;
    const key = edgeKey(edge);
    const again = seen.has(key);
    seen.add(key);
    return [
      ...endProblems(edge, path, types),
      ...(again ? [{ path, code: 'duplicate_edge', message: `The edge ${edgeTitle(edge)} is there twice.` }] : []),
      ...caseProblems(edge, path),
      ...typeProblems(edge, path, allowedFrom(types.get(edge.from), vocabulary)),
    ];
  });
}

const endProblems = (edge: Edge, path: string, types: ReadonlyMap<Ref, StepTypeName>): readonly Problem[] =>
  (['from', 'to'] as const)
    .filter((end) => !types.has(edge[end]))
    .map((end) => ({ path: `${path}.${end}`, code: 'unknown_step', message: `No step '${edge[end]}'.` }));

function caseProblems(edge: Edge, path: string): readonly Problem[] {
  if ((edge.type === 'CASE') === (edge.case !== undefined)) return [];
  const message =
    edge.type === 'CASE' ? 'A CASE edge says which value it is for.' : `Only a CASE edge has a case, not ${edge.type}.`;
  return [{ path: `${path}.case`, code: edge.type === 'CASE' ? 'required' : 'unexpected_case', message }];
}

/** `null`: nothing is known of the source. */
function allowedFrom(type: StepTypeName | undefined, { types }: Vocabulary): readonly EdgeType[] | null {
  const known = type === undefined ? undefined : types.get(type);
  if (!known) return null;
  const outcomes: readonly EdgeType[] = known.outcomes ?? ['SUCCESS'];
  if (outcomes.length === 0) return [];
  return [...outcomes, 'ERROR', 'ALWAYS', ...(known.endsAtOnce ? [] : (['TIMEOUT'] as const))];
}

function typeProblems(edge: Edge, path: string, allowed: readonly EdgeType[] | null): readonly Problem[] {
  if (allowed === null || allowed.includes(edge.type)) return [];
  const message =
    allowed.length === 0
      ? `'${edge.from}' ends its path: no edge leaves it.`
      : `'${edge.from}' has no ${edge.type} edge.`;
  return [{ path: `${path}.type`, code: 'edge_type_mismatch', message, allowed }];
}
