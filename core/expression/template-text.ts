import type { Json } from '../json.ts';
import { isObject } from '../json.ts';
import { ExpressionError, positionAt } from './expression-error.ts';
import { MAX_SOURCE_BYTES } from './parse.ts';
import { isIdentifier, tokensFrom } from './tokens.ts';

/** A stretch of a template's string. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  /** `offset`: where the source begins, after `${`. */
  | { readonly kind: 'expression'; readonly source: string; readonly offset: number };

/** Splits `a ${ b } c` into its parts; `$${` is the text `${`. Throws `ExpressionError` for one that does not end. */
export const splitText = (text: string): readonly Part[] => {
  const parts: Part[] = [];
  let pending = '';
  let at = 0;
  for (let start = text.indexOf('${'); start >= 0; start = text.indexOf('${', at)) {
    if (start > at && text[start - 1] === '$') {
      pending += `${text.slice(at, start - 1)}\${`;
      at = start + 2;
      continue;
    }
    pending += text.slice(at, start);
    if (pending !== '') parts.push({ kind: 'text', text: pending });
    pending = '';
    const offset = start + 2;
    const end = endOfExpression(text, offset);
    parts.push({ kind: 'expression', source: text.slice(offset, end), offset });
    at = end + 1;
  }
  pending += text.slice(at);
  if (pending !== '' || parts.length === 0) parts.push({ kind: 'text', text: pending });
  return parts;
};

/** The offset of the brace that closes it; braces of maps and in strings do not. */
const endOfExpression = (text: string, offset: number): number => {
  const bounded = text.slice(0, offset + MAX_SOURCE_BYTES + 1);
  let depth = 0;
  for (const token of tokensFrom(bounded, offset)) {
    if (token.text === '{') depth++;
    if (token.text === '}' && depth-- === 0) return token.offset;
  }
  const cut = bounded.length < text.length;
  throw new ExpressionError({
    code: cut ? 'too_large' : 'syntax_error',
    message: cut ? 'An expression has at most 4 KB.' : "This expression has no closing '}'.",
    source: text,
    position: positionAt(text, offset - 2),
  });
};

/** `args` and `items` give `args.items`; an index gives `items[2]`. */
export const joinPath = (path: string, key: string | number): string => {
  if (typeof key === 'number') return `${path}[${key}]`;
  if (!isIdentifier(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
};

/** Every string in a template with its path. Keys are no templates. */
export function* stringsOf(template: Json, path: string): Generator<{ readonly text: string; readonly path: string }> {
  if (typeof template === 'string') yield { text: template, path };
  else if (Array.isArray(template)) {
    for (const [index, item] of template.entries()) yield* stringsOf(item, joinPath(path, index));
  } else if (isObject(template)) {
    for (const [key, value] of Object.entries(template)) yield* stringsOf(value, joinPath(path, key));
  }
}
