import { isCelError } from '@bufbuild/cel';
import type { Json } from '../json.ts';
import { Budget, type EvaluationLimits, withBudget } from './budget.ts';
import type { CompiledExpression } from './compile.ts';
import type { Scope } from './comprehension.ts';
import { explain } from './explain.ts';
import { ExpressionError, positionAt } from './expression-error.ts';
import { toJson } from './result.ts';
import { tokenAt } from './tokens.ts';
import { fromJson } from './values.ts';

/** Plain JSON by name. Read in place: neither copied nor changed, and what the expression does not read costs nothing. */
export interface Variables {
  readonly [name: string]: unknown;
}

/** Throws `ExpressionError`. What the result takes whole from a variable it shares with it. */
export const evaluateExpression = (
  compiled: CompiledExpression,
  variables: Variables,
  limits: EvaluationLimits = {},
): Json => evaluateWithin(new Budget(limits), compiled, variables);

/** Several evaluations may share one budget. */
export const evaluateWithin = (budget: Budget, compiled: CompiledExpression, variables: Variables): Json => {
  try {
    return withBudget(budget, () => evaluate(compiled, variables, budget));
  } catch (error) {
    if (error instanceof ExpressionError) throw error;
    throw failed(compiled, error instanceof Error ? error.message : String(error), compiled.syntax.root.offset);
  }
};

const evaluate = (compiled: CompiledExpression, variables: Variables, budget: Budget): Json => {
  const result = compiled.program(scopeOf(compiled, variables));
  if (budget.exceeded) throw failed(compiled, 'evaluation budget exceeded', compiled.syntax.root.offset);
  if (!isCelError(result)) return toJson(result);
  const { offsets, root } = compiled.syntax;
  const offset = tokenAt(compiled.source, offsets[String(result.exprId)] ?? root.offset);
  throw failed(compiled, explain(result.message, compiled.source, offset), offset);
};

const scopeOf = ({ roots, macros }: CompiledExpression, variables: Variables): Scope => {
  const scope: Scope = Object.create(macros);
  for (const name of roots) {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value !== undefined) scope[name] = fromJson(value);
  }
  return scope;
};

const failed = ({ source }: CompiledExpression, message: string, offset: number): ExpressionError =>
  new ExpressionError({ code: 'expression_error', message, source, position: positionAt(source, offset) });
