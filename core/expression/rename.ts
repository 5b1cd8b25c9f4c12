import { isObject, type Json, type Ref } from '../json.ts';
import { ExpressionError } from './expression-error.ts';
import { parseExpression } from './parse.ts';
import { stepUsesOf } from './references.ts';
import { type Access, accessOffset } from './syntax.ts';
import { splitText } from './template-text.ts';
import { identifierAt, isIdentifier, stringAt, tokenAt } from './tokens.ts';

/**
 * Rewrites `steps.from` and `steps["from"]`, wherever `steps` is the variable and not a text or a macro's own,
 * and nothing else. A source that does not parse is returned as it is: publish reports it.
 */
export const renameStepInExpression = (source: string, from: Ref, to: Ref): string => {
  const edits = parsed(() => stepUsesOf(parseExpression(source).root))
    .filter(({ ref }) => ref === from)
    .map(({ node }) => editOf(node, source, to))
    .sort((one, other) => other.start - one.start);
  return edits.reduce(
    (text, { start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end),
    source,
  );
};

export const renameStepInTemplate = (template: Json, from: Ref, to: Ref): Json => {
  if (typeof template === 'string') return renameInText(template, from, to);
  if (Array.isArray(template)) return template.map((item: Json) => renameStepInTemplate(item, from, to));
  if (!isObject(template)) return template;
  return Object.fromEntries(
    Object.entries(template).map(([key, value]) => [key, renameStepInTemplate(value, from, to)]),
  );
};

const renameInText = (text: string, from: Ref, to: Ref): string => {
  let renamed = '';
  let at = 0;
  for (const part of parsed(() => splitText(text))) {
    if (part.kind === 'text') continue;
    renamed += text.slice(at, part.offset) + renameStepInExpression(part.source, from, to);
    at = part.offset + part.source.length;
  }
  return renamed + text.slice(at);
};

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

const editOf = (node: Access, source: string, to: Ref): Edit => {
  const access = accessOffset(node);
  const start = tokenAt(source, access + 1);
  const written = source[access] === '[' ? stringAt(source, start) : identifierAt(source, start);
  const end = start + (written?.length ?? 0);
  if (source[access] === '[') return { start, end, replacement: JSON.stringify(to) };
  if (isIdentifier(to)) return { start, end, replacement: to };
  return { start: access, end, replacement: `[${JSON.stringify(to)}]` };
};

const parsed = <T>(work: () => readonly T[]): readonly T[] => {
  try {
    return work();
  } catch (error) {
    if (error instanceof ExpressionError) return [];
    throw error;
  }
};
