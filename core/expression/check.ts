import type { Problem } from '../errors.ts';
import type { Json, Ref } from '../json.ts';
import { type Finding, NodeChecker, type Variables } from './check-node.ts';
import { ExpressionError, shiftPosition } from './expression-error.ts';
import { parseExpression } from './parse.ts';
import { splitText, stringsOf } from './template-text.ts';
import { anything, type JsonSchemaLike, kind, type Type, typeOfSchema } from './type.ts';

/** What can be read in one place of a definition. A null schema: of unknown shape. */
export interface Scope {
  readonly variables: ReadonlyMap<string, JsonSchemaLike | null>;
  /** The schemas of the steps' outputs; null where there is no `steps`. */
  readonly steps: ReadonlyMap<Ref, JsonSchemaLike | null> | null;
}

/** What the place needs. */
export type Expected = 'boolean' | 'string' | 'array' | 'any';

/** Everything that is certain to fail in a bare expression. `path` is the field it stands in. */
export const checkExpression = ({
  source,
  path,
  scope,
  expects,
}: {
  readonly source: string;
  readonly path: string;
  readonly scope: Scope;
  readonly expects: Expected;
}): readonly Problem[] => findingsIn(source, variablesOf(scope), expects).map((finding) => ({ path, ...finding }));

/** The same for each `${ }` of a template; `path` is the template's own. */
export const checkTemplate = ({
  template,
  path,
  scope,
}: {
  readonly template: Json;
  readonly path: string;
  readonly scope: Scope;
}): readonly Problem[] => {
  const variables = variablesOf(scope);
  return [...stringsOf(template, path)].flatMap(({ text, path: place }) =>
    findingsInText(text, variables).map((finding) => ({ path: place, ...finding })),
  );
};

const findingsIn = (source: string, variables: Variables, expects: Expected): readonly Finding[] => {
  try {
    const { root } = parseExpression(source);
    const checker = new NodeChecker(source);
    const type = checker.typeOf(root, variables);
    if (expects !== 'any') checker.expect(root, type, titles[expects], expects);
    return checker.findings;
  } catch (error) {
    return [findingOf(error)];
  }
};

const findingsInText = (text: string, variables: Variables): readonly Finding[] => {
  try {
    return splitText(text).flatMap((part) => {
      if (part.kind === 'text') return [];
      return findingsIn(part.source, variables, 'any').map(({ position, ...finding }) => ({
        ...finding,
        ...(position && { position: shiftPosition(position, text, part.offset) }),
      }));
    });
  } catch (error) {
    return [findingOf(error)];
  }
};

const titles = { boolean: 'A boolean', string: 'A string', array: 'An array' } as const;

const findingOf = (error: unknown): Finding => {
  if (!(error instanceof ExpressionError)) throw error;
  const { code, message, position } = error;
  return { code, message, ...(position && { position }) };
};

/** All expressions of a definition share a few scopes, each with all of its steps. */
const known = new WeakMap<Scope, Variables>();

const variablesOf = (scope: Scope): Variables => {
  const types = known.get(scope) ?? typesIn(scope);
  known.set(scope, types);
  return types;
};

const typesIn = ({ variables, steps }: Scope): Variables => {
  const types = new Map([...variables].map(([name, schema]) => [name, typeOfSchema(schema)]));
  if (steps) {
    const fields = new Map([...steps].map(([ref, schema]) => [ref, stepType(schema)]));
    types.set('steps', { ...kind('object'), fields });
  }
  return types;
};

/** A step that did not complete has `output: null`. */
const stepType = (schema: JsonSchemaLike | null): Type => {
  const { kinds, ...output } = typeOfSchema(schema);
  const fields = new Map<string, Type>([
    ['output', { ...output, kinds: kinds && new Set([...kinds, 'null' as const]) }],
    ['status', kind('string')],
    ['error', anything],
  ]);
  return { ...kind('object'), fields };
};
