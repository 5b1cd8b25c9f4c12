import type { Ref } from '../json.ts';
import { type Access, bodyOf, childrenOf, fieldOf, isAccess, type Node, typeNames } from './syntax.ts';

/** What an expression reads, so that a caller builds only that. */
export interface References {
  /** Free variables; those of macros are bound, names of types are no variables. */
  readonly roots: ReadonlySet<string>;
  /** `'all'` when `steps` is used whole or with a computed key. */
  readonly steps: ReadonlySet<Ref> | 'all';
}

/** A place where `steps.ref`, `steps["ref"]` or `has(steps.ref)` stands. */
export interface StepUse {
  readonly ref: Ref;
  readonly node: Access;
}

type Visitor = (node: Node, bound: ReadonlySet<string>) => void;

/** Depth first; `bound` are the variables of the macros around. */
const visit = (node: Node, visitor: Visitor, bound: ReadonlySet<string> = new Set()): void => {
  visitor(node, bound);
  if (node.kind !== 'macro') {
    for (const child of childrenOf(node)) visit(child, visitor, bound);
    return;
  }
  visit(node.range, visitor, bound);
  const inside = new Set(bound).add(node.variable);
  for (const child of bodyOf(node)) visit(child, visitor, inside);
};

export const stepUsesOf = (root: Node): readonly StepUse[] => {
  const uses: StepUse[] = [];
  visit(root, (node, bound) => {
    if (!isStepAccess(node, bound)) return;
    const ref = fieldOf(node);
    if (ref !== undefined) uses.push({ ref, node });
  });
  return uses;
};

export const referencesOf = (root: Node): References => {
  const roots = new Set<string>();
  let mentions = 0;
  visit(root, (node, bound) => {
    if (node.kind === 'variable' && !bound.has(node.name) && !typeNames.has(node.name)) {
      roots.add(node.name);
      if (node.name === 'steps') mentions++;
    }
  });
  const uses = stepUsesOf(root);
  const steps = new Set(uses.map(({ ref }) => ref));
  return { roots, steps: mentions > uses.length ? 'all' : steps };
};

export const mergeReferences = (all: readonly References[]): References => {
  const steps = new Set<Ref>();
  for (const each of all) if (each.steps !== 'all') for (const ref of each.steps) steps.add(ref);
  return {
    roots: new Set(all.flatMap(({ roots }) => [...roots])),
    steps: all.some((each) => each.steps === 'all') ? 'all' : steps,
  };
};

const isStepAccess = (node: Node, bound: ReadonlySet<string>): node is Access =>
  isAccess(node) && node.operand.kind === 'variable' && node.operand.name === 'steps' && !bound.has('steps');
