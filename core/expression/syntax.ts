import type { Expr } from '@bufbuild/cel-spec/cel/expr/syntax_pb.js';

/** An expression as the rest of this folder sees it: macros are whole, `has` is a node, and each knows its place. */
export type Node = Literal | Variable | Select | Has | Index | Call | List | Entries | Macro;

interface Base {
  /** Where its token stands in the source; a select's is its dot, an index's its bracket, an operator's the operator. */
  readonly offset: number;
  /** The same for the engine: macros replaced by the name under which their result is bound. */
  readonly plannable: Expr;
}
export interface Literal extends Base {
  readonly kind: 'literal';
  readonly value: string | number | bigint | boolean | null | Uint8Array;
}
export interface Variable extends Base {
  readonly kind: 'variable';
  readonly name: string;
}
export interface Select extends Base {
  readonly kind: 'select';
  readonly operand: Node;
  readonly field: string;
}
/** `has(operand.field)` or, as fields have other names too, `has(operand["field"])`. */
export interface Has extends Base {
  readonly kind: 'has';
  readonly operand: Node;
  readonly field: string;
  /** Where its dot or bracket stands; the node's own place is that of `has`. */
  readonly access: number;
}
export interface Index extends Base {
  readonly kind: 'index';
  readonly operand: Node;
  readonly key: Node;
}
/** A function, a method (then it has a target) or an operator (`_+_`, `_?_:_`, `!_`). */
export interface Call extends Base {
  readonly kind: 'call';
  readonly name: string;
  readonly target: Node | undefined;
  readonly args: readonly Node[];
}
export interface List extends Base {
  readonly kind: 'list';
  readonly elements: readonly Node[];
}
export interface Entries extends Base {
  readonly kind: 'entries';
  readonly entries: readonly { readonly key: Node; readonly value: Node }[];
}
export type MacroName = 'map' | 'filter' | 'all' | 'exists' | 'exists_one';
/** `range.macro(variable, test)` and `range.map(variable, test?, value)`. */
export interface Macro extends Base {
  readonly kind: 'macro';
  readonly macro: MacroName;
  /** Bound to the result, lazily; no author can write such a name. */
  readonly resultName: string;
  readonly variable: string;
  readonly range: Node;
  readonly test: Node | undefined;
  readonly value: Node | undefined;
}

/** A macro's range is outside its variable's scope; its test and value are inside. */
export const childrenOf = (node: Node): readonly Node[] => {
  switch (node.kind) {
    case 'literal':
    case 'variable':
      return [];
    case 'select':
    case 'has':
      return [node.operand];
    case 'index':
      return [node.operand, node.key];
    case 'call':
      return node.target ? [node.target, ...node.args] : node.args;
    case 'list':
      return node.elements;
    case 'entries':
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case 'macro':
      return [node.range, ...bodyOf(node)];
  }
};

export const bodyOf = ({ test, value }: Macro): readonly Node[] =>
  [test, value].filter((node): node is Node => node !== undefined);

/** Names that stand for a type, as in `type(x) == string`. */
export const typeNames: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'int',
  'list',
  'map',
  'null_type',
  'string',
  'type',
  'uint',
]);

export type Access = Select | Has | Index;
export const isAccess = (node: Node): node is Access =>
  node.kind === 'select' || node.kind === 'has' || node.kind === 'index';

/** The field that it names; undefined for a computed key. */
export const fieldOf = (node: Access): string | undefined => {
  if (node.kind !== 'index') return node.field;
  return node.key.kind === 'literal' && typeof node.key.value === 'string' ? node.key.value : undefined;
};

/** Where its dot or bracket stands. */
export const accessOffset = (node: Access): number => (node.kind === 'has' ? node.access : node.offset);
