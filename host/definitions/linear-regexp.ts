import { compileExpression, ExpressionError, evaluateExpression } from '@ductor/core';

const matches = compileExpression('text.matches(pattern)');
/** The time is linear in the text, which a request's size bounds. */
const limits = { maxSteps: Number.POSITIVE_INFINITY };

/**
 * A schema's `pattern` as the expressions' engine matches it: no pattern of an author's can hold up the host. Throws
 * for what that engine cannot do: look-around and back-references.
 */
function regExp(pattern: string): { test(text: string): boolean; toString(): string } {
  const source = withRe2Escapes(pattern);
  const test = (text: string): boolean => evaluateExpression(matches, { text, pattern: source }, limits) === true;
  try {
    test('');
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new Error(`The pattern ${pattern} is not supported: ${error.message}`);
  }
  // Ajv tells patterns apart by this.
  return { test, toString: () => pattern };
}

/** As Ajv's option `code.regExp` takes it. */
export const linearRegExp = Object.assign(regExp, { code: 'linearRegExp' });

/** JavaScript writes `\u00e9` and `\u{e9}` for what is `\x{e9}` here. */
const withRe2Escapes = (pattern: string): string =>
  pattern.replace(/\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|.)/gis, (written, braced?: string, plain?: string) => {
    const digits = braced ?? plain;
    return digits === undefined ? written : `\\x{${digits}}`;
  });
