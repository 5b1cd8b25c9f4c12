import { isObject, type Json, type JsonObject } from '../json.ts';
import type { Expression } from '../schema.ts';
import type { EvaluationLimits } from './budget.ts';
import { compileExpression } from './compile.ts';
import { evaluateExpression, type Variables } from './evaluate.ts';
import { ExpressionError } from './expression-error.ts';
import type { References } from './references.ts';
import { compileTemplate, evaluateTemplate } from './template.ts';

/**
 * An expression or template with what it reads of all that is known now; the awaited variables come later.
 * `variables` may be asked for, so that only what is read need be built. Throws `ExpressionError` if it does not compile.
 */
export const foldExpression = <const Awaits extends string, Value>({
  source,
  as,
  awaits,
  variables,
}: {
  readonly source: Json;
  readonly as: 'bare' | 'template';
  readonly awaits: readonly Awaits[];
  readonly variables: Variables | ((reads: References) => Variables);
}): Expression<Awaits, Value> => {
  const reads: References = as === 'bare' ? compileExpression(bareSource(source)) : compileTemplate(source);
  const known = typeof variables === 'function' ? variables(reads) : variables;
  const awaited: ReadonlySet<string> = new Set(awaits);
  const given: { [name: string]: Json } = {};
  for (const name of reads.roots) {
    const value = awaited.has(name) || !Object.hasOwn(known, name) ? undefined : known[name];
    if (value === undefined) continue;
    given[name] = name === 'steps' ? onlySteps(asJson(value), reads.steps) : asJson(value);
  }
  return { source, as, given, awaits };
};

/** Evaluates it with what it was given and what it awaited; of both, what is given wins. Throws `ExpressionError`. */
export const evaluateFolded = <Awaits extends string, Value>(
  { source, as, given, maxListLength }: Expression<Awaits, Value>,
  variables: { readonly [Name in Awaits]: unknown },
  limits: EvaluationLimits = maxListLength === undefined ? {} : { maxListLength },
): Json => {
  const all = { ...variables, ...given };
  return as === 'bare'
    ? evaluateExpression(compileExpression(bareSource(source)), all, limits)
    : evaluateTemplate(compileTemplate(source), all, limits);
};

const bareSource = (source: Json): string => {
  if (typeof source === 'string') return source;
  throw new ExpressionError({
    code: 'syntax_error',
    message: 'An expression is a string.',
    source: JSON.stringify(source),
  });
};

const onlySteps = (steps: Json, read: References['steps']): Json => {
  if (read === 'all' || !isObject(steps)) return steps;
  const some: { [ref: string]: Json } = {};
  for (const ref of read) {
    const step = Object.hasOwn(steps, ref) ? steps[ref] : undefined;
    if (step !== undefined) some[ref] = step;
  }
  return some satisfies JsonObject;
};

const asJson = (value: unknown): Json => {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  if (Array.isArray(value) || isObject(value)) return value;
  throw new ExpressionError({ message: `a variable holds a ${typeof value}, which is no JSON`, source: '' });
};
