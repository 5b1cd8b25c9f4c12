import { RE2JS } from '@bufbuild/re2';

/**
 * A schema's `pattern` in linear time, as expressions match: no pattern of an author's can hold up the host. Throws
 * for what that engine cannot do: look-around and back-references.
 */
function regExp(pattern: string): { test(text: string): boolean; toString(): string } {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(withRe2Escapes(pattern));
  } catch (error) {
    throw new Error(
      `The pattern ${pattern} is not supported: ${error instanceof Error ? error.message : 'it is invalid'}`,
    );
  }
  // Ajv tells patterns apart by this.
  return { test: (text) => compiled.test(text), toString: () => pattern };
}

/** As Ajv's option `code.regExp` takes it. */
export const linearRegExp = Object.assign(regExp, { code: 'linearRegExp' });

/** JavaScript writes `\u00e9` and `\u{e9}` for what is `\x{e9}` here. */
const withRe2Escapes = (pattern: string): string =>
  pattern.replace(/\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|.)/gis, (written, braced?: string, plain?: string) => {
    const digits = braced ?? plain;
    return digits === undefined ? written : `\\x{${digits}}`;
  });
