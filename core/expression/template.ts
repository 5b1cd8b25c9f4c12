import { isObject, type Json } from '../json.ts';
import { Budget, type EvaluationLimits, MAX_TEXT_LENGTH } from './budget.ts';
import { type CompiledExpression, compileExpression } from './compile.ts';
import { evaluateWithin, type Variables } from './evaluate.ts';
import { ExpressionError, shiftPosition } from './expression-error.ts';
import { mergeReferences, type References } from './references.ts';
import { joinPath, splitText } from './template-text.ts';

export interface CompiledTemplate extends References {
  /** Nothing in it is an expression: it evaluates to the same value whatever the variables. */
  readonly constant: boolean;
  /** All that stand in it. */
  readonly expressions: readonly CompiledExpression[];
  readonly root: TemplateNode;
}

type TemplateNode =
  | { readonly kind: 'constant'; readonly value: Json }
  | { readonly kind: 'value'; readonly hole: Hole }
  | { readonly kind: 'text'; readonly parts: readonly (string | Hole)[] }
  | { readonly kind: 'list'; readonly items: readonly TemplateNode[] }
  | { readonly kind: 'object'; readonly fields: readonly (readonly [string, TemplateNode])[] };

/** One `${ }`, and where it stands. */
interface Hole {
  readonly expression: CompiledExpression;
  readonly text: string;
  readonly offset: number;
  readonly path: string;
}

/** Throws `ExpressionError` with the path of the string in the template and the place in that string. */
export const compileTemplate = (template: Json): CompiledTemplate => {
  const holes: Hole[] = [];
  const root = compileNode(template, '', holes);
  const expressions = holes.map(({ expression }) => expression);
  return { ...mergeReferences(expressions), constant: holes.length === 0, expressions, root };
};

/**
 * A string that is one `${ }` becomes its value; others take the values in: strings as they are, all else as JSON text.
 * What was put in is never looked at for another `${`. Throws `ExpressionError`.
 */
export const evaluateTemplate = (
  template: CompiledTemplate,
  variables: Variables,
  limits: EvaluationLimits = {},
): Json => {
  const budget = new Budget(limits);
  return evaluateNode(template.root, (hole) => evaluateHole(hole, variables, budget));
};

const compileNode = (template: Json, path: string, holes: Hole[]): TemplateNode => {
  if (typeof template === 'string') return compileText(template, path, holes);
  if (Array.isArray(template)) {
    const items = template.map((item: Json, index) => compileNode(item, joinPath(path, index), holes));
    return simplified({ kind: 'list', items }, items, template);
  }
  if (isObject(template)) {
    const fields = Object.entries(template).map(
      ([key, value]) => [key, compileNode(value, joinPath(path, key), holes)] as const,
    );
    return simplified(
      { kind: 'object', fields },
      fields.map(([, node]) => node),
      template,
    );
  }
  return { kind: 'constant', value: template };
};

/** A part without expressions is kept as one value, the very one if no `$${` stood in it. */
const simplified = (node: TemplateNode, children: readonly TemplateNode[], template: Json): TemplateNode => {
  if (children.some(({ kind }) => kind !== 'constant')) return node;
  const value = evaluateNode(node, () => null);
  return { kind: 'constant', value: JSON.stringify(value) === JSON.stringify(template) ? template : value };
};

const compileText = (text: string, path: string, holes: Hole[]): TemplateNode => {
  if (!text.includes('${')) return { kind: 'constant', value: text };
  const parts = located({ text, offset: 0, path }, () => splitText(text)).map((part) => {
    if (part.kind === 'text') return part.text;
    const place = { text, offset: part.offset, path };
    const hole = { ...place, expression: located(place, () => compileExpression(part.source)) };
    holes.push(hole);
    return hole;
  });
  const [only, ...others] = parts;
  if (only === undefined || others.length > 0) return { kind: 'text', parts };
  return typeof only === 'string' ? { kind: 'constant', value: only } : { kind: 'value', hole: only };
};

const evaluateNode = (node: TemplateNode, fill: (hole: Hole) => Json): Json => {
  switch (node.kind) {
    case 'constant':
      return node.value;
    case 'value':
      return fill(node.hole);
    case 'text':
      return node.parts.map((part) => (typeof part === 'string' ? part : textOf(part, fill(part)))).join('');
    case 'list':
      return node.items.map((item) => evaluateNode(item, fill));
    case 'object':
      return Object.fromEntries(node.fields.map(([key, field]) => [key, evaluateNode(field, fill)]));
  }
};

const evaluateHole = (hole: Hole, variables: Variables, budget: Budget): Json =>
  located(hole, () => evaluateWithin(budget, hole.expression, variables));

const textOf = ({ text: source, path }: Hole, value: Json): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.length <= MAX_TEXT_LENGTH) return text;
  throw new ExpressionError({ message: `the text is longer than ${MAX_TEXT_LENGTH} characters`, source, path });
};

/** Errors of a part are told as errors of the string that it stands in. */
const located = <T>(
  place: { readonly text: string; readonly offset: number; readonly path: string },
  work: () => T,
): T => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new ExpressionError({
      code: error.code,
      message: error.message,
      source: place.text,
      position: error.position && shiftPosition(error.position, place.text, place.offset),
      path: place.path,
    });
  }
};
