import type { Problem } from '../../errors.ts';
import { compileExpression, compileTemplate, ExpressionError } from '../../expression/index.ts';
import type { Ref } from '../../json.ts';
import { graphFields } from '../draft.ts';
import type { Vocabulary } from '../draft-vocabulary.ts';
import type { Graph } from '../graph.ts';
import { type CelPosition, celPositions } from '../marks.ts';
import { innermostRegions, ownersAround, regionsOf } from '../regions.ts';

/**
 * Warns of expressions over steps that cannot have ended by then, or that run in branches around which this is not: their
 * output would always be null.
 */
export function orderWarnings(graph: Graph, vocabulary: Vocabulary): readonly Problem[] {
  const refs = new Set(graph.steps.map(({ ref }) => ref));
  const ancestorsOf = ancestors(graph);
  const innermost = innermostRegions(regionsOf(graph, vocabulary.types));
  const warnings = ({ from, to, position, seesItself }: Reader): readonly Problem[] => {
    const around = new Set([from, to].flatMap((ref) => (ref === null ? [] : ownersAround(ref, innermost))));
    return stepsRead(position).flatMap((ref): readonly Problem[] => {
      const { path } = position;
      if (!refs.has(ref) || (seesItself && ref === from)) return [];
      const owner = ownersAround(ref, innermost).find((each) => !around.has(each));
      if (owner !== undefined) {
        const message = `'${ref}' runs in branches of '${owner}': from outside its output is null.`;
        return [{ path, code: 'in_branches', message }];
      }
      if (from === null || ancestorsOf(from).has(ref)) return [];
      return [{ path, code: 'not_before', message: `'${ref}' cannot have ended here: its output would be null.` }];
    });
  };
  return [...readers(graph, vocabulary)].flatMap(warnings);
}

/** An expression that is evaluated when its step starts, or when it has ended and so is seen itself. */
interface Reader {
  /** Its step; `null`: the graph's own, which see all that was. */
  readonly from: Ref | null;
  /** Where an edge leads to. */
  readonly to: Ref | null;
  readonly position: CelPosition;
  readonly seesItself: boolean;
}

function* readers(graph: Graph, vocabulary: Vocabulary): Generator<Reader, void, undefined> {
  const { steps, edges } = graph;
  for (const [index, step] of steps.entries()) {
    const schema = vocabulary.steps.get(step.type) ?? vocabulary.anyStep;
    for (const position of celPositions(schema, step, `graph.steps[${index}]`)) {
      // What awaits variables that come later is evaluated then.
      yield { from: step.ref, to: null, position, seesItself: position.cel.awaits.length > 0 };
    }
  }
  for (const [index, edge] of edges.entries()) {
    for (const position of celPositions(vocabulary.edge, { ...edge }, `graph.edges[${index}]`)) {
      yield { from: edge.from, to: edge.to, position, seesItself: true };
    }
  }
  for (const position of celPositions(vocabulary.graph, graphFields(graph), 'graph')) {
    yield { from: null, to: null, position, seesItself: false };
  }
}

/** One that does not compile is a problem already. */
function stepsRead({ cel, written }: CelPosition): readonly Ref[] {
  try {
    const { steps } = cel.as === 'bare' ? compileExpression(String(written)) : compileTemplate(written);
    return steps === 'all' ? [] : [...steps];
  } catch (error) {
    if (error instanceof ExpressionError) return [];
    throw error;
  }
}

/** Steps with a path to this one; found when they are asked for. */
function ancestors({ edges }: Graph): (ref: Ref) => ReadonlySet<Ref> {
  const previous = new Map<Ref, Ref[]>();
  for (const { from, to } of edges) {
    const others = previous.get(to);
    if (others) others.push(from);
    else previous.set(to, [from]);
  }
  const known = new Map<Ref, ReadonlySet<Ref>>();
  return (ref) => {
    const found = known.get(ref);
    if (found) return found;
    const all = new Set(previous.get(ref));
    for (const each of all) for (const from of previous.get(each) ?? []) all.add(from);
    known.set(ref, all);
    return all;
  };
}
