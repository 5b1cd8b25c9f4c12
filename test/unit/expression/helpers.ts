import type { EvaluationLimits } from '#core/expression/budget.js';
import { compileExpression } from '#core/expression/compile.js';
import { evaluateExpression, type Variables } from '#core/expression/evaluate.js';
import { ExpressionError } from '#core/expression/expression-error.js';

export const evaluate = (source: string, variables: Variables = {}, limits: EvaluationLimits = {}) =>
  evaluateExpression(compileExpression(source), variables, limits);

/** The error that the work throws; fails if it throws none, or another. */
export const errorOf = (work: () => unknown): ExpressionError => {
  try {
    work();
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};
