import type { Problem } from '../../errors.ts';
import { checkExpression, checkTemplate, type Expected, type Scope } from '../../expression/index.ts';
import { isObject, type Json, type JsonObject } from '../../json.ts';
import type { CelKeyword, JsonSchema } from '../../schema.ts';
import { type DefinitionDraft, graphFields } from '../draft.ts';
import { type CelPosition, celPositions } from '../marks.ts';
import type { CheckContext } from './context.ts';
import { graphScopes, type OutputSchemas, settingsScope } from './scopes.ts';

/** Every expression of a definition, wherever a schema marks one. */
export function expressionProblems(
  draft: DefinitionDraft,
  { vocabulary }: CheckContext,
  outputs: OutputSchemas,
): readonly Problem[] {
  const { graph, settings } = draft;
  const scopeOf = graphScopes(draft, vocabulary, outputs);
  return [
    ...graph.steps.flatMap((step, index) => {
      const schema = vocabulary.steps.get(step.type) ?? vocabulary.anyStep;
      return problemsIn(schema, step, `graph.steps[${index}]`, (cel) => scopeOf(cel, step.ref));
    }),
    ...graph.edges.flatMap((edge, index) =>
      problemsIn(vocabulary.edge, { ...edge }, `graph.edges[${index}]`, (cel) => scopeOf(cel, edge.from, edge.to)),
    ),
    ...problemsIn(vocabulary.graph, graphFields(graph), 'graph', scopeOf),
    ...problemsIn(vocabulary.settings, settings, 'settings', settingsScope),
  ];
}

const problemsIn = (
  schema: JsonSchema,
  document: JsonObject,
  path: string,
  scopeOf: (cel: CelKeyword) => Scope,
): readonly Problem[] =>
  [...celPositions(schema, document, path)].flatMap((position) => problemsAt(position, scopeOf(position.cel)));

function problemsAt({ cel, written, path }: CelPosition, scope: Scope): readonly Problem[] {
  if (cel.as === 'template') {
    return [...checkTemplate({ template: written, path, scope }), ...kindProblems(cel, written, path)];
  }
  // Anything but text is a fault of the schema, which says so.
  if (typeof written !== 'string') return [];
  return checkExpression({ source: written, path, scope, expects: expectedOf(cel) });
}

const expectedOf = ({ value: { type } }: CelKeyword): Expected =>
  type === 'boolean' || type === 'string' || type === 'array' ? type : 'any';

/** A template yields the kind of value that is written, unless that is text, which may be one `${ }`. */
function kindProblems({ value: { type } }: CelKeyword, written: Json, path: string): readonly Problem[] {
  if (type === undefined || (typeof written === 'string' && written.includes('${'))) return [];
  const kind = Array.isArray(written) ? 'array' : isObject(written) ? 'object' : typeof written;
  if (kind === type || (type === 'integer' && Number.isInteger(written))) return [];
  const article = /^[aeio]/.test(type) ? 'An' : 'A';
  return [{ path, code: 'wrong_type', message: `${article} ${type} is needed.` }];
}
