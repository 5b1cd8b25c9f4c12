import { bodyOf, type Call, childrenOf, fieldOf, isAccess, type Macro, type Node, typeNames } from './syntax.ts';

/** On a path: through each element of a list. */
export const EACH = Symbol('each');
/** At the end of a path: no more than how many elements a list has. */
export const COUNT = Symbol('count');
export type Leg = string | typeof EACH | typeof COUNT;

/** A free variable, and the way to what is read of it. */
export type Path = readonly [variable: string, ...way: Leg[]];

/** What the variables of the macros around stand for; `null`: something computed. */
type Bound = ReadonlyMap<string, Path | null>;

/** What is read of each variable: as far as fields are named, also of the elements that a macro goes through. */
export const pathsOf = (root: Node): readonly Path[] => {
  const paths: Path[] = [];

  const read = (node: Node, bound: Bound): void => {
    const counted = countedBy(node);
    if (counted) return count(list(counted, bound));
    const path = node.kind === 'macro' && node.macro === 'filter' ? list(node, bound) : pathTo(node, bound);
    if (path) paths.push(path);
    else if (node.kind !== 'macro') for (const child of childrenOf(node)) read(child, bound);
    else if (node.macro !== 'filter') {
      const range = list(node.range, bound);
      count(range);
      readBody(node, range, bound);
    }
  };

  const count = (path: Path | undefined): void => {
    if (path) paths.push([...path, COUNT]);
  };

  /** The list of which it is a part or all, while nobody looks into its elements; what a filter looks at is read. */
  const list = (node: Node, bound: Bound): Path | undefined => {
    if (node.kind === 'macro' && node.macro === 'filter') {
      const range = list(node.range, bound);
      readBody(node, range, bound);
      return range;
    }
    const path = pathTo(node, bound);
    if (!path) read(node, bound);
    return path;
  };

  const readBody = (macro: Macro, range: Path | undefined, bound: Bound): void => {
    const inside = new Map(bound).set(macro.variable, range ? [...range, EACH] : null);
    for (const child of bodyOf(macro)) read(child, inside);
  };

  read(root, new Map());
  return paths;
};

const countedBy = (node: Node): Node | undefined => {
  if (node.kind !== 'call' || node.name !== 'size') return undefined;
  const { target, args }: Call = node;
  return target ?? args[0];
};

const pathTo = (node: Node, bound: Bound): Path | undefined => {
  if (node.kind === 'variable') {
    const { name } = node;
    return bound.has(name) ? (bound.get(name) ?? undefined) : typeNames.has(name) ? undefined : [name];
  }
  const field = isAccess(node) ? fieldOf(node) : undefined;
  const around = isAccess(node) ? pathTo(node.operand, bound) : undefined;
  return field === undefined || around === undefined ? undefined : [...around, field];
};
