import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Position } from '@ductor/core';
import { type Document, isMap, isNode, isPair, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';

/** A YAML file, and where in it each key stands. */
export interface YamlFile {
  readonly name: string;
  readonly content: unknown;
  /** Of the key, or of the list's item; of the nearest one above it that is there. */
  position(keys: readonly string[]): Position;
}

export interface YamlFault extends Position {
  readonly message: string;
}

/** Reads and parses; answers with the faults of what is no YAML. Throws what reading the file throws. */
export function readYaml(path: string): YamlFile | { readonly faults: readonly YamlFault[] } {
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(path, 'utf8'), {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
    uniqueKeys: true,
  });
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  if (document.errors.length > 0) {
    return { faults: document.errors.map(({ message, pos: [start] }) => ({ message, ...at(start) })) };
  }
  return {
    name: basename(path),
    content: document.toJS() ?? {},
    position: (keys) => at(offsetOf(document, keys)),
  };
}

function offsetOf(document: Document.Parsed, keys: readonly string[]): number {
  let node: unknown = document.contents;
  let offset = startOf(node);
  for (const key of keys) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && String(item.key.value) === key);
      if (pair === undefined) break;
      offset = startOf(pair.key);
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(key)];
      offset = startOf(node);
    } else break;
  }
  return offset;
}

const startOf = (node: unknown): number => (isNode(node) ? (node.range?.[0] ?? 0) : 0);
