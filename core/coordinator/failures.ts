import type { Failure } from '../errors.ts';
import { ExpressionError } from '../expression/index.ts';
import type { Json } from '../json.ts';

export const timedOut = (message: string, details?: Json): Failure => ({
  code: 'timeout',
  message,
  party: 'user',
  ...(details !== undefined && { details }),
});

/** A deadline of ours, not an error that an action calls so. */
export const isTimeout = ({ code, party }: Failure): boolean => code === 'timeout' && party !== 'connector';

const expressionFailure = (error: ExpressionError): Failure => ({
  code: 'expression_error',
  message: error.message,
  party: 'user',
  details: { expression: error.source, ...(error.position && { position: { ...error.position } }) },
});

/** What `make` answers, or the failure that an expression in it is. Anything else that is thrown is a fault of ours. */
export function attempted<T>(
  make: () => T,
): { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Failure } {
  try {
    return { ok: true, value: make() };
  } catch (error) {
    if (error instanceof ExpressionError) return { ok: false, error: expressionFailure(error) };
    throw error;
  }
}
