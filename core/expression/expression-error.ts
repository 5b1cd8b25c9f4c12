import type { Position } from '../errors.ts';

/** `syntax_error` and `too_large` are found when compiling, `expression_error` when evaluating. */
export type ExpressionErrorCode = 'syntax_error' | 'too_large' | 'expression_error';

/** What went wrong and where. Its text is meant for the author of the expression. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  readonly code: ExpressionErrorCode;
  /** The whole expression, or the whole string of a template that it stands in. */
  readonly source: string;
  readonly position: Position | undefined;
  /** In a template: where its string lies, as `items[2].name`. */
  readonly path: string | undefined;

  constructor(fault: {
    /** `expression_error` unless said otherwise. */
    readonly code?: ExpressionErrorCode;
    readonly message: string;
    readonly source: string;
    readonly position?: Position | undefined;
    readonly path?: string | undefined;
  }) {
    super(fault.message);
    this.code = fault.code ?? 'expression_error';
    this.source = fault.source;
    this.position = fault.position;
    this.path = fault.path;
  }
}

/** `offset` counts UTF-16 units from 0, as JavaScript does. */
export const positionAt = (source: string, offset: number): Position => {
  const before = source.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
};

/** A place in a part of a text, as a place in the whole. `offset` is where the part begins. */
export const shiftPosition = (position: Position, whole: string, offset: number): Position => {
  const start = positionAt(whole, offset);
  return position.line === 1
    ? { line: start.line, column: start.column + position.column - 1 }
    : { line: start.line + position.line - 1, column: position.column };
};
