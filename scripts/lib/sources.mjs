import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, visitorKeys } from 'oxc-parser';

const unread = new Set(['dist', 'node_modules']);
const code = /\.[cm]?[jt]sx?$/;
const prose = /\.(md|json|ya?ml|sql)$/;

/**
 * @typedef {{specifier: string | undefined, line: number, runtime: boolean}} Import
 *   `specifier` is missing where it is computed; `runtime` tells that the import is still there when types are erased
 * @typedef {{file: string, text: string, program: object, imports: Import[], lineAt: (offset: number) => number}} Source
 */

/**
 * Every source file below the folders, parsed; a file that does not parse is an error.
 * @returns {Source[]}
 */
export function readSources(root, dirs) {
  return listFiles(root, dirs, code).map((file) => readSource(root, file));
}

/** The files below the folders that hold words or code. */
export function readTexts(root, dirs) {
  return [...listFiles(root, dirs, code), ...listFiles(root, dirs, prose)].map((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return { file, text, lineAt: lineCounter(text) };
  });
}

/**
 * Calls `enter(node, parent, key)` and `leave(node)` for every node of a syntax tree, `key` being the
 * parent's property that holds the node.
 */
export function walk(node, visitor, parent, key) {
  visitor.enter(node, parent, key);
  for (const childKey of visitorKeys[node.type] ?? []) {
    for (const child of [node[childKey]].flat()) if (child) walk(child, visitor, node, childKey);
  }
  visitor.leave?.(node);
}

/** A function from an offset in the text to its line, counted from 1. */
function lineCounter(text) {
  return (offset) => text.slice(0, offset).split('\n').length;
}

/** A workspace may lie in another one's folder, so a file may be met twice. */
function listFiles(root, dirs, pattern) {
  return [...new Set(dirs.flatMap((dir) => filesBelow(root, dir)))].filter((file) => pattern.test(file));
}

function filesBelow(root, dir) {
  return readdirSync(join(root, dir), { withFileTypes: true }).flatMap((entry) => {
    if (unread.has(entry.name)) return [];
    const path = `${dir}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(root, path) : [path];
  });
}

function readSource(root, file) {
  const text = readFileSync(join(root, file), 'utf8');
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0].message}`);
  const lineAt = lineCounter(text);
  return { file, text, program, imports: importsOf(program, lineAt), lineAt };
}

function importsOf(program, lineAt) {
  const imports = [];
  walk(program, {
    enter(node) {
      const found = importOf(node);
      if (found !== undefined) imports.push({ ...found, line: lineAt(node.start) });
    },
  });
  return imports;
}

function importOf(node) {
  switch (node.type) {
    case 'ImportDeclaration':
      return { specifier: node.source.value, runtime: node.importKind !== 'type' };
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return node.source ? { specifier: node.source.value, runtime: node.exportKind !== 'type' } : undefined;
    case 'ImportExpression':
      return { specifier: literal(node.source), runtime: true };
    case 'TSImportType':
      return { specifier: literal(node.source), runtime: false };
    case 'CallExpression':
      return node.callee.type === 'Identifier' && node.callee.name === 'require'
        ? { specifier: literal(node.arguments[0]), runtime: true }
        : undefined;
    default:
      return undefined;
  }
}

function literal(node) {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}
