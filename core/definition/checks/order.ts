import type { Problem } from '../../errors.ts';
import { compileExpression, compileTemplate, ExpressionError } from '../../expression/index.ts';
import type { Ref } from '../../json.ts';
import { type CelPosition, celPositions } from '../draft-expressions.ts';
import type { Vocabulary } from '../draft-vocabulary.ts';
import type { Graph } from '../graph.ts';

/** Warns of expressions over steps that cannot have ended by then: their output would always be null. */
export function orderWarnings(graph: Graph, vocabulary: Vocabulary): readonly Problem[] {
  const refs = new Set(graph.steps.map(({ ref }) => ref));
  const ancestorsOf = ancestors(graph);
  const warnings = (reader: Reader): readonly Problem[] =>
    stepsRead(reader.position)
      .filter((ref) => refs.has(ref) && !(reader.seesItself && ref === reader.ref) && !ancestorsOf(reader.ref).has(ref))
      .map((ref) => ({
        path: reader.position.path,
        code: 'not_before',
        message: `'${ref}' cannot have ended here: its output would be null.`,
      }));
  return [...readers(graph, vocabulary)].flatMap(warnings);
}

/** An expression that is evaluated when its step starts, or when it has ended and so is seen itself. */
interface Reader {
  readonly ref: Ref;
  readonly position: CelPosition;
  readonly seesItself: boolean;
}

function* readers({ steps, edges }: Graph, vocabulary: Vocabulary): Generator<Reader, void, undefined> {
  for (const [index, step] of steps.entries()) {
    const schema = vocabulary.steps.get(step.type) ?? vocabulary.anyStep;
    for (const position of celPositions(schema, step, `graph.steps[${index}]`)) {
      // What awaits variables that come later is evaluated then.
      yield { ref: step.ref, position, seesItself: position.cel.awaits.length > 0 };
    }
  }
  for (const [index, edge] of edges.entries()) {
    for (const position of celPositions(vocabulary.edge, { ...edge }, `graph.edges[${index}]`)) {
      yield { ref: edge.from, position, seesItself: true };
    }
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
