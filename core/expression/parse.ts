import { parse as parseCel } from '@bufbuild/cel';
import type { Constant, Expr, Expr_Call, Expr_Comprehension } from '@bufbuild/cel-spec/cel/expr/syntax_pb.js';
import { signatures } from './environment.ts';
import { ExpressionError, type ExpressionErrorCode, positionAt } from './expression-error.ts';
import { HAS } from './overloads.ts';
import { fieldOf, type Literal, type Macro, type MacroName, type Node } from './syntax.ts';
import { tokenAt } from './tokens.ts';

export const MAX_SOURCE_BYTES = 4096;
const MAX_NODES = 500;
const MAX_DEPTH = 50;
const MAX_MACRO_NESTING = 2;

export interface Syntax {
  readonly source: string;
  readonly root: Node;
  readonly macros: readonly Macro[];
  /** Offsets by the engine's node id, to place what fails at run time. */
  readonly offsets: { readonly [id: string]: number };
}

/** Throws `ExpressionError`: `syntax_error`, or `too_large` beyond 4 KB, 500 nodes, depth 50 or macros nested twice. */
export const parseExpression = (source: string): Syntax => {
  if (utf8Length(source) > MAX_SOURCE_BYTES) {
    throw new ExpressionError({ code: 'too_large', message: 'An expression has at most 4 KB.', source });
  }
  const parsed = parseSource(source);
  const reader = new Reader(source, parsed.sourceInfo?.positions ?? {}, parsed.sourceInfo?.macroCalls ?? {});
  const root = reader.read(parsed.expr, 1, 0);
  return { source, root, macros: reader.macros, offsets: reader.offsets };
};

const utf8Length = (text: string): number => new TextEncoder().encode(text).length;

const parseSource = (source: string): ReturnType<typeof parseCel> => {
  try {
    return parseCel(source);
  } catch (error) {
    if (error instanceof RangeError) {
      throw new ExpressionError({ code: 'too_large', message: 'The expression is nested too deeply.', source });
    }
    throw new ExpressionError({ code: 'syntax_error', source, ...syntaxFault(error, source) });
  }
};

/** The parser's error class is not exported; its place and its bare message are read by shape. */
const syntaxFault = (error: unknown, source: string) => {
  if (!(error instanceof Error)) return { message: String(error) };
  const raw = 'rawMessage' in error ? String(error.rawMessage) : error.message;
  const message = /^\s*\$\{/.test(source) ? 'this is CEL as it stands: write it without ${ }' : raw;
  const location = 'location' in error ? error.location : undefined;
  const start = isRecord(location) && isRecord(location.start) ? location.start.offset : undefined;
  return { message, position: typeof start === 'number' ? positionAt(source, start) : undefined };
};

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null;

const macroNames: ReadonlySet<string> = new Set<MacroName>(['map', 'filter', 'all', 'exists', 'exists_one']);
const isMacroName = (name: string): name is MacroName => macroNames.has(name);

/** From the engine's tree to ours, with the limits checked on the way down. */
class Reader {
  readonly source: string;
  readonly offsets: { readonly [id: string]: number };
  readonly macros: Macro[] = [];
  readonly #macroCalls: { readonly [id: string]: Expr };
  #nodes = 0;

  constructor(source: string, offsets: { readonly [id: string]: number }, macroCalls: { readonly [id: string]: Expr }) {
    this.source = source;
    this.offsets = offsets;
    this.#macroCalls = macroCalls;
  }

  read(expr: Expr | undefined, depth: number, nesting: number): Node {
    if (expr === undefined) throw this.#fault('syntax_error', 'A part of the expression is missing.', 0);
    const offset = this.#offset(expr);
    if (depth > MAX_DEPTH) throw this.#fault('too_large', `Nested more than ${MAX_DEPTH} deep.`, offset);
    if (++this.#nodes > MAX_NODES) throw this.#fault('too_large', `More than ${MAX_NODES} nodes.`, offset);
    const child = (part: Expr | undefined): Node => this.read(part, depth + 1, nesting);
    const { exprKind } = expr;
    switch (exprKind.case) {
      case 'constExpr':
        return { kind: 'literal', offset, plannable: expr, value: literalValue(exprKind.value) };
      case 'identExpr':
        return { kind: 'variable', offset, plannable: expr, name: exprKind.value.name.replace(/^\./, '') };
      case 'selectExpr': {
        const operand = child(exprKind.value.operand);
        const { field, testOnly } = exprKind.value;
        if (testOnly) {
          const access = this.#offset(this.#macroArgument(expr) ?? expr);
          return { kind: 'has', offset, plannable: hasCall(expr, operand, field), operand, field, access };
        }
        const value = { ...exprKind.value, operand: operand.plannable };
        return {
          kind: 'select',
          offset,
          plannable: { ...expr, exprKind: { case: 'selectExpr', value } },
          operand,
          field,
        };
      }
      case 'callExpr':
        return this.#call(expr, exprKind.value, offset, child);
      case 'listExpr': {
        const elements = exprKind.value.elements.map(child);
        const value = { ...exprKind.value, elements: elements.map(({ plannable }) => plannable) };
        return { kind: 'list', offset, plannable: { ...expr, exprKind: { case: 'listExpr', value } }, elements };
      }
      case 'structExpr': {
        if (exprKind.value.messageName !== '')
          throw this.#fault('syntax_error', 'Messages are not supported; write a map.', offset);
        const read = exprKind.value.entries.map((entry) => {
          if (entry.keyKind.case !== 'mapKey') throw this.#fault('syntax_error', 'A map needs keys.', offset);
          const key = child(entry.keyKind.value);
          const value = child(entry.value);
          return {
            node: { key, value },
            entry: { ...entry, keyKind: { case: 'mapKey' as const, value: key.plannable }, value: value.plannable },
          };
        });
        const value = { ...exprKind.value, entries: read.map(({ entry }) => entry) };
        const plannable: Expr = { ...expr, exprKind: { case: 'structExpr', value } };
        return { kind: 'entries', offset, plannable, entries: read.map(({ node }) => node) };
      }
      case 'comprehensionExpr':
        return this.#macro(expr, exprKind.value, { offset, depth, nesting });
      default:
        throw this.#fault('syntax_error', 'Not an expression.', offset);
    }
  }

  #call(expr: Expr, call: Expr_Call, offset: number, child: (part: Expr | undefined) => Node): Node {
    const qualified = call.target && qualifiedName(call.target);
    const known = qualified !== undefined && signatures.has(`${qualified}.${call.function}`);
    const target = call.target && !known ? child(call.target) : undefined;
    const args = call.args.map(child);
    const [operand, key] = args;
    const { target: _, ...rest } = call;
    const value: Expr_Call = {
      ...rest,
      function: known ? `${qualified}.${call.function}` : call.function,
      args: args.map(({ plannable }) => plannable),
      ...(target && { target: target.plannable }),
    };
    const plannable: Expr = { ...expr, exprKind: { case: 'callExpr', value } };
    if (call.function === '_[_]' && operand && key) return { kind: 'index', offset, plannable, operand, key };
    if (call.function === 'has' && operand?.kind === 'index' && !target && args.length === 1) {
      const field = fieldOf(operand);
      if (field === undefined)
        throw this.#fault('syntax_error', 'has() needs a field that is named, as in has(input["day"]).', offset);
      const access = operand.offset;
      return {
        kind: 'has',
        offset,
        plannable: hasCall(expr, operand.operand, field),
        operand: operand.operand,
        field,
        access,
      };
    }
    return { kind: 'call', offset, plannable, name: value.function, target, args };
  }

  /** The engine has expanded the macro already; what the author wrote is in its loop step. */
  #macro(
    expr: Expr,
    { iterVar, iterRange, loopStep }: Expr_Comprehension,
    { offset, depth, nesting }: { readonly offset: number; readonly depth: number; readonly nesting: number },
  ): Node {
    const call = this.#macroCalls[expr.id.toString()]?.exprKind;
    const macro = call?.case === 'callExpr' ? call.value.function.replace('existsOne', 'exists_one') : '';
    if (!isMacroName(macro)) throw this.#fault('syntax_error', 'Not a macro.', offset);
    if (nesting === MAX_MACRO_NESTING) {
      throw this.#fault('too_large', `Macros are nested more than ${MAX_MACRO_NESTING} deep.`, offset);
    }
    const range = this.read(iterRange, depth + 1, nesting);
    const inside = (part: Expr | undefined): Node | undefined => part && this.read(part, depth + 1, nesting + 1);
    const { test, value } = bodyOfExpansion(macro, loopStep);
    const resultName = `@${expr.id}`;
    const ident = { $typeName: 'cel.expr.Expr.Ident' as const, name: resultName };
    const node: Macro = {
      kind: 'macro',
      offset,
      plannable: { ...expr, exprKind: { case: 'identExpr', value: ident } },
      macro,
      resultName,
      variable: iterVar,
      range,
      test: inside(test),
      value: inside(value),
    };
    this.macros.push(node);
    return node;
  }

  #macroArgument(expr: Expr): Expr | undefined {
    const call = this.#macroCalls[expr.id.toString()]?.exprKind;
    return call?.case === 'callExpr' ? call.value.args[0] : undefined;
  }

  #offset(expr: Expr): number {
    return tokenAt(this.source, this.offsets[expr.id.toString()] ?? 0);
  }

  #fault(code: ExpressionErrorCode, message: string, offset: number): ExpressionError {
    return new ExpressionError({ code, message, source: this.source, position: positionAt(this.source, offset) });
  }
}

/** `_?_:_(test, _+_(accu, [value]), accu)`, `_+_(accu, [value])`, `_||_(accu, test)`, `_&&_(accu, test)`. */
const bodyOfExpansion = (
  macro: MacroName,
  step: Expr | undefined,
): { test?: Expr | undefined; value?: Expr | undefined } => {
  const [first, second] = callArgs(step);
  if (macro === 'all' || macro === 'exists') return { test: second };
  if (macro === 'exists_one' || macro === 'filter') return { test: first };
  const conditional = callName(step) === '_?_:_';
  const [, appended] = conditional ? callArgs(second) : [first, second];
  return { test: conditional ? first : undefined, value: elementsOf(appended)[0] };
};

const callArgs = (expr: Expr | undefined): readonly Expr[] =>
  expr?.exprKind.case === 'callExpr' ? expr.exprKind.value.args : [];
const callName = (expr: Expr | undefined): string | undefined =>
  expr?.exprKind.case === 'callExpr' ? expr.exprKind.value.function : undefined;
const elementsOf = (expr: Expr | undefined): readonly Expr[] =>
  expr?.exprKind.case === 'listExpr' ? expr.exprKind.value.elements : [];

const hasCall = (expr: Expr, operand: Node, field: string): Expr => ({
  ...expr,
  exprKind: {
    case: 'callExpr',
    value: {
      $typeName: 'cel.expr.Expr.Call',
      function: HAS,
      args: [
        operand.plannable,
        {
          ...expr,
          exprKind: {
            case: 'constExpr',
            value: { $typeName: 'cel.expr.Constant', constantKind: { case: 'stringValue', value: field } },
          },
        },
      ],
    },
  },
});

const literalValue = ({ constantKind }: Constant): Literal['value'] =>
  constantKind.case === 'nullValue' || constantKind.case === undefined
    ? null
    : constantKind.case === 'durationValue' || constantKind.case === 'timestampValue'
      ? null
      : constantKind.value;

/** `a.b` of `a.b.f(x)`, which may name a function. */
const qualifiedName = ({ exprKind }: Expr): string | undefined => {
  if (exprKind.case === 'identExpr') return exprKind.value.name;
  if (exprKind.case !== 'selectExpr' || exprKind.value.testOnly || !exprKind.value.operand) return undefined;
  const parent = qualifiedName(exprKind.value.operand);
  return parent && `${parent}.${exprKind.value.field}`;
};
