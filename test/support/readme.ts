import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository: test files are compiled to `test/dist/<folder>`. */
const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

/** Empty where there is none. */
export const readReadme = (file: string): string => {
  const path = join(root, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
};

/** A README's parts by their `## ` headings; what stands before the first is not among them. */
export const sectionsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .split(/^## /m)
      .slice(1)
      .map((part) => {
        const [title = '', ...rest] = part.split('\n');
        return [title, rest.join('\n')] as const;
      }),
  );

/** Fenced blocks, in order. */
export const blocksOf = (text: string): readonly { readonly language: string; readonly content: string }[] =>
  [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', content = '']) => ({ language, content }));

/** The rows of every table whose first heading is `heading`, without their headings; cells as they are written. */
export function rowsOf(text: string, heading: string): readonly (readonly string[])[] {
  const tables = text.matchAll(/(?:^\|.*\|\n?)+/gm);
  return [...tables].flatMap(([table]) => {
    const [head, , ...rows] = table.trim().split('\n').map(cellsOf);
    return head?.[0] === heading ? rows : [];
  });
}

const cellsOf = (line: string): readonly string[] =>
  line
    .slice(1, line.lastIndexOf('|'))
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

/** What stands in code marks; fenced blocks do not. */
export const codesIn = (text: string): readonly string[] =>
  [...text.replaceAll(/^```.*?^```$/gms, '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
