import { ExpressionError } from '../../expression/index.ts';
import { splitText } from '../../expression/template-text.ts';
import type { Openness } from './context.ts';

/** A text that is one `${ }` may become any value, one with `${ }` in it some text. */
export function argsOpenness(text: string): Openness {
  if (!text.includes('${')) return null;
  try {
    const parts = splitText(text);
    if (parts.every(({ kind }) => kind === 'text')) return null;
    return parts.length === 1 ? 'value' : 'text';
  } catch (error) {
    if (error instanceof ExpressionError) return 'value';
    throw error;
  }
}
