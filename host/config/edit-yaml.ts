import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json } from '@ductor/core';
import {
  type Document,
  isCollection,
  isMap,
  isScalar,
  type Node,
  type Pair,
  parseDocument,
  stringify,
  type YAMLMap,
} from 'yaml';

/**
 * A YAML text with the value at `keys` set, or, where it is `undefined`, taken out. All else keeps its comments and its
 * look: the text is changed at that place alone where that is enough, and written anew from the document where it is not.
 */
export function editYaml(text: string, keys: readonly string[], value: Json | undefined): string {
  const wanted: Document = parseDocument(text);
  if (value === undefined) deleteIn(wanted, keys);
  else if (wanted.contents === null) wanted.contents = wanted.createNode(nested(keys, value));
  else setIn(wanted, keys, value);
  const spliced = value === undefined ? withoutPair(text, keys) : withValue(text, keys, value);
  const isRight = spliced !== null && isDeepStrictEqual(contentOf(spliced), wanted.toJS() ?? null);
  return isRight ? spliced : wanted.toString({ lineWidth: 0 });
}

function contentOf(text: string): unknown {
  const document = parseDocument(text);
  return document.errors.length > 0 ? undefined : document.toJS();
}

const nested = (keys: readonly string[], value: Json): Json =>
  keys.reduceRight<Json>((inner, key) => ({ [key]: inner }), value);

/** What is `null` or `false` on the way makes room for a map. */
function setIn(document: Document, keys: readonly string[], value: Json): void {
  const depth = keys.findIndex((_, index) => index > 0 && !isCollection(document.getIn(keys.slice(0, index), true)));
  if (depth === -1) document.setIn(keys, document.createNode(value));
  else document.setIn(keys.slice(0, depth), document.createNode(nested(keys.slice(depth), value)));
}

/** A map that is empty then goes too: `plugins:` alone would be no map. */
function deleteIn(document: Document, keys: readonly string[]): void {
  const above = keys.slice(0, -1);
  const map = document.getIn(above, true);
  if (!isMap(map)) return;
  document.deleteIn(keys);
  if (above.length > 0 && map.items.length === 0) deleteIn(document, above);
}

/** The pairs that lead to `keys`, as far as they are there. */
function pairsTo(text: string, keys: readonly string[]): { readonly root: unknown; readonly pairs: readonly Pair[] } {
  const root: unknown = parseDocument(text).contents;
  const pairs: Pair[] = [];
  let map: unknown = root;
  for (const key of keys) {
    const pair = isMap(map) ? map.items.find((item) => isScalar(item.key) && item.key.value === key) : undefined;
    if (pair === undefined) break;
    pairs.push(pair);
    map = pair.value;
  }
  return { root, pairs };
}

function withValue(text: string, keys: readonly string[], value: Json): string | null {
  const { root, pairs } = pairsTo(text, keys);
  const last = pairs.at(-1);
  const rest = keys.slice(pairs.length);
  const [key, ...inner] = rest;
  if (last === undefined) {
    if (root !== null && !(isMap(root) && !root.flow)) return null;
    return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${stringify(nested(rest, value))}`;
  }
  if (key === undefined) return replaced(text, last.value, flow(value));
  const entry = `${flow(key)}: ${flow(nested(inner, value))}`;
  return isMap(last.value)
    ? withEntry(text, { map: last.value, key: last.key, entry })
    : replaced(text, last.value, `{ ${entry} }`);
}

/** As its first entry: whatever follows stays where it is. */
function withEntry(
  text: string,
  { map, key, entry }: { readonly map: YAMLMap; readonly key: unknown; readonly entry: string },
): string | null {
  const [from] = map.range ?? [];
  const [, keyEnd] = isScalar(key) ? (key.range ?? []) : [];
  if (from === undefined || keyEnd === undefined) return null;
  if (map.flow) return `${text.slice(0, from)}{ ${entry}${map.items.length > 0 ? ',' : ' '}${text.slice(from + 1)}`;
  const line = text.indexOf('\n', keyEnd) + 1;
  const first = map.items[0]?.key;
  const start = isScalar(first) ? first.range?.[0] : undefined;
  if (line === 0 || start === undefined || start < line) return null;
  const indent = text.slice(text.lastIndexOf('\n', start) + 1, start);
  return `${text.slice(0, line)}${indent}${entry}\n${text.slice(line)}`;
}

function withoutPair(text: string, keys: readonly string[]): string | null {
  const { pairs } = pairsTo(text, keys);
  const pair = pairs.at(-1);
  if (pair === undefined || pairs.length < keys.length) return text;
  const above = pairs.at(-2)?.value;
  if (isMap(above) && above.items.length === 1) return withoutPair(text, keys.slice(0, -1));
  const start = isScalar(pair.key) ? pair.key.range?.[0] : undefined;
  const end = isNode(pair.value) ? pair.value.range?.[1] : undefined;
  if (start === undefined || end === undefined) return null;
  const before = text.slice(0, start);
  const after = text.slice(end);
  if (isMap(above) && above.flow) {
    const comma = /^\s*,[^\S\n]*/.exec(after);
    return comma ? before + after.slice(comma[0].length) : before.replace(/\s*,\s*$/, '') + after;
  }
  const lineStart = before.lastIndexOf('\n') + 1;
  const isAtLineStart = end > 0 && text[end - 1] === '\n';
  return text.slice(0, lineStart) + (isAtLineStart ? after : after.replace(/^[^\S\n]*(#.*)?(\n|$)/, ''));
}

function replaced(text: string, node: unknown, by: string): string | null {
  if (!isNode(node) || !node.range) return null;
  const [from, to] = node.range;
  // An empty value stands right behind its colon.
  return `${text.slice(0, from)}${from === to ? ' ' : ''}${by}${text.slice(to)}`;
}

const isNode = (value: unknown): value is Node => isScalar(value) || isCollection(value);

/** On one line. */
function flow(value: Json): string {
  if (isObject(value)) {
    const entries = Object.entries(value).map(([key, item]) => `${flow(key)}: ${flow(item ?? null)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  return stringify(value, { lineWidth: 0, collectionStyle: 'flow' }).trimEnd();
}
