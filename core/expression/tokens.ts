/*
 * The little of CEL's lexis that is needed outside its parser: where a `${ }` ends, and where a step's name stands.
 */
const RAW_PREFIX = '(?:[rR][bB]?|[bB][rR])';
const rawString = `${RAW_PREFIX}(?:"""[\\s\\S]*?"""|'''[\\s\\S]*?'''|"[^"\\n]*"|'[^'\\n]*')`;
const cookedString = `[bB]?(?:"""(?:\\\\[\\s\\S]|[^\\\\])*?"""|'''(?:\\\\[\\s\\S]|[^\\\\])*?'''|"(?:\\\\.|[^"\\\\\\n])*"|'(?:\\\\.|[^'\\\\\\n])*')`;
const string = `${rawString}|${cookedString}`;
const comment = '//[^\\n]*';
const identifier = '[A-Za-z_][A-Za-z0-9_]*';

const TOKEN = new RegExp(`${string}|${comment}|${identifier}|[\\s\\S]`, 'y');
const STRING = new RegExp(string, 'y');
const IDENTIFIER = new RegExp(identifier, 'y');
const BLANKS = new RegExp(`(?:\\s|${comment})*`, 'y');

const matchAt = (pattern: RegExp, source: string, offset: number): string | undefined => {
  pattern.lastIndex = offset;
  return pattern.exec(source)?.[0];
};

/** Tokens in order; strings, comments and identifiers are one token each, all else is one a character. */
export function* tokensFrom(
  source: string,
  offset: number,
): Generator<{ readonly text: string; readonly offset: number }> {
  for (let at = offset; at < source.length; ) {
    const text = matchAt(TOKEN, source, at);
    if (text === undefined) return;
    yield { text, offset: at };
    at += text.length;
  }
}

/** The first offset from here on that is neither blank nor comment. */
export const tokenAt = (source: string, offset: number): number =>
  offset + (matchAt(BLANKS, source, offset)?.length ?? 0);

export const stringAt = (source: string, offset: number): string | undefined => matchAt(STRING, source, offset);

export const identifierAt = (source: string, offset: number): string | undefined => matchAt(IDENTIFIER, source, offset);

/** Words that the parser keeps for itself: no field after a dot can be called so. */
const reserved: ReadonlySet<string> = new Set(['false', 'in', 'null', 'true']);

export const isIdentifier = (text: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(text) && !reserved.has(text);
