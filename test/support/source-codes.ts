import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const NOT_SOURCES = new Set(['dist', 'node_modules']);

/** TypeScript files of the repository below these folders, by their paths. */
export const sourcesBelow = (...folders: readonly string[]): ReadonlyMap<string, string> =>
  new Map(folders.flatMap((folder) => sourcesIn(join(root, folder))));

function sourcesIn(folder: string): readonly (readonly [string, string])[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (NOT_SOURCES.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourcesIn(path);
    return entry.name.endsWith('.ts') ? [[relative(root, path), readFileSync(path, 'utf8')] as const] : [];
  });
}

const CODE = /'([a-z]+(?:_[a-z]+)*)'/g;
const codesIn = (text: string): readonly string[] => [...text.matchAll(CODE)].map(([, code = '']) => code);

/**
 * The codes that a file gives to what it refuses, finds or fails with: values of `code` and `unrouted`, of a table
 * `CODES`, and what is handed over as a parameter `code`. Codes that are put together, such as `child_${status}`, are not
 * among them.
 */
export function codesOf(text: string): ReadonlySet<string> {
  const values = [...text.matchAll(/\b(?:code|unrouted)\??: ([^,;{}]*)/g)].map(([, value = '']) => value);
  // `code: name`, where a parameter says which names there are.
  const names = values.map((value) => value.trim()).filter((value) => /^\w+$/.test(value) && value !== 'string');
  const named = names.flatMap((name) => literalsOf(text, name));
  const table = /\bCODES\b[^=]*= \{(.*?)\n\s*\}/s.exec(text)?.[1] ?? '';
  const mapped = [...table.matchAll(/: (.*),/g)].map(([, value = '']) => value);
  return new Set([...values, ...named, ...mapped, ...handedOver(text)].flatMap(codesIn));
}

const literalsOf = (text: string, name: string): readonly string[] =>
  [...text.matchAll(new RegExp(`\\b${name}: ('[a-z_]+'(?: \\| '[a-z_]+')*)`, 'g'))].map(
    ([, literals = '']) => literals,
  );

/** First or second arguments of calls of functions whose parameter of that place is named `code`. */
function handedOver(text: string): readonly string[] {
  const takers = [...text.matchAll(/(\w+)(?: = )?\((\w+: \w+, )?code: /g)];
  return takers.flatMap(([, name = '', before]) => {
    const call = new RegExp(
      `\\b${name}\\(\\s*${before === undefined ? '' : '[^,()]+(?:\\([^()]*\\))?[^,()]*,\\s*'}('[a-z_]+')`,
      'g',
    );
    return [...text.matchAll(call)].map(([, code = '']) => code);
  });
}
