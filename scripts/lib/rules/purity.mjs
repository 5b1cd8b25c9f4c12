import { walk } from '../sources.mjs';

/** What must compute the same move from the same rows at any time, on any host. */
const pure = [
  /^core\/coordinator\/tick\.ts$/,
  /^core\/coordinator\/phases\//,
  /^core\/steps\//,
  /^core\/run\//,
  /^core\/expression\//,
];

const clocksAndChance = new Set([
  'performance',
  'crypto',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'process',
  'globalThis',
]);
const promises = new Set([
  'Promise',
  'PromiseLike',
  'AsyncIterable',
  'AsyncIterator',
  'AsyncGenerator',
  'queueMicrotask',
]);
const functionsOfDate = new Set(['parse', 'UTC']);

/**
 * Pure code, and all that it imports, reads no clock and no random source and is synchronous. A file that
 * is only reached may still speak of promises in its types: those are not there at run time.
 */
export function purityRule({ sources, resolve }) {
  return [...reach({ sources, resolve })].flatMap(([source, path]) => {
    const isRoot = path.length === 1;
    const via = isRoot ? '' : ` (reached by ${path.join(' → ')})`;
    return impurities(source, { typesToo: isRoot }).map(({ node, problem }) => ({
      rule: 'purity',
      file: source.file,
      line: source.lineAt(node.start),
      message: `${problem}: pure code gets its time, ids and chance handed in, and is synchronous${via}`,
    }));
  });
}

/** Every file that pure code runs, with the shortest chain of imports that leads to it. */
function reach({ sources, resolve }) {
  const byFile = new Map(sources.map((source) => [source.file, source]));
  const reached = new Map(
    sources.filter(({ file }) => pure.some((path) => path.test(file))).map((source) => [source, [source.file]]),
  );
  // A Map's iteration also visits what is added on the way.
  for (const [source, path] of reached) {
    for (const imported of source.imports) {
      if (!imported.runtime || imported.specifier === undefined) continue;
      const next = byFile.get(resolve(source, imported).file);
      if (next !== undefined && !reached.has(next)) reached.set(next, [...path, next.file]);
    }
  }
  return reached;
}

function impurities({ program }, { typesToo }) {
  const found = [];
  let typeDepth = 0;
  walk(program, {
    enter(node, parent, key) {
      if (isType(node)) typeDepth += 1;
      const problem = typeDepth > 0 && !typesToo ? undefined : problemOf(node, parent, key, typeDepth > 0);
      if (problem !== undefined) found.push({ node, problem });
    },
    leave(node) {
      if (isType(node)) typeDepth -= 1;
    },
  });
  return found;
}

/** Nodes that hold nothing but types; an expression with a type (`x as T`) is not one of them. */
function isType(node) {
  return /^TS(TypeAnnotation|TypeAliasDeclaration|TypeReference|InterfaceDeclaration|TypeParameter)/.test(node.type);
}

function problemOf(node, parent, key, inType) {
  if (node.async === true) return 'an async function';
  if (node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await)) return 'await';
  if (node.type === 'ImportExpression') return 'a dynamic import';
  if (node.type !== 'Identifier' || isPropertyName(parent, key)) return undefined;
  if (promises.has(node.name)) return node.name;
  if (inType) return undefined;
  if (clocksAndChance.has(node.name)) return node.name;
  if (node.name === 'Date') return problemOfDate(parent, key);
  if (node.name === 'Math') return problemOfMath(parent, key);
  return undefined;
}

/** `new Date(instant)`, `Date.parse`, `Date.UTC` and `instanceof Date` read no clock; all else might. */
function problemOfDate(parent, key) {
  if (parent.type === 'NewExpression' && key === 'callee') {
    return parent.arguments.length > 0 ? undefined : 'new Date() without an instant';
  }
  if (parent.type === 'BinaryExpression' && parent.operator === 'instanceof') return undefined;
  const member = memberName(parent, key);
  return functionsOfDate.has(member) ? undefined : `Date${member === undefined ? '' : `.${member}`}`;
}

function problemOfMath(parent, key) {
  const member = memberName(parent, key);
  return member === undefined || member === 'random' ? `Math${member === undefined ? '' : '.random'}` : undefined;
}

function memberName(parent, key) {
  return parent.type === 'MemberExpression' && key === 'object' && !parent.computed ? parent.property.name : undefined;
}

/** The name of a property is not the global of that name: `result.performance`, `{ crypto: 1 }`. */
function isPropertyName(parent, key) {
  if (parent.type === 'MemberExpression') return key === 'property' && !parent.computed;
  return key === 'key' && !parent.computed;
}
