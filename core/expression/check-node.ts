import { type CelFunc, type CelType, isCelError } from '@bufbuild/cel';
import type { Problem } from '../errors.ts';
import { signatures } from './environment.ts';
import { functionTitle } from './explain.ts';
import { positionAt } from './expression-error.ts';
import {
  type Access,
  accessOffset,
  type Call,
  fieldOf,
  type Literal,
  type Macro,
  type Node,
  typeNames,
} from './syntax.ts';
import { tokenAt } from './tokens.ts';
import { anything, canBe, describeType, eitherOf, elementType, fieldType, type Kind, kind, type Type } from './type.ts';

export type Variables = ReadonlyMap<string, Type>;
export type Finding = Omit<Problem, 'path'>;

/** Infers the type of each node and collects what is certain to be wrong on the way; what is not known is accepted. */
export class NodeChecker {
  readonly findings: Finding[] = [];
  readonly #source: string;
  /** What is read there as a subtraction is meant as a step's name with a minus, and has been reported. */
  readonly #explained: { readonly start: number; readonly end: number }[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  typeOf(node: Node, variables: Variables): Type {
    switch (node.kind) {
      case 'literal':
        return kind(literalKind(node));
      case 'variable':
        return this.#variable(node.name, node.offset, variables);
      case 'select':
      case 'has':
      case 'index':
        return this.#access(node, variables);
      case 'list': {
        const elements = node.elements.map((each) => this.typeOf(each, variables));
        return { ...kind('array'), ...(elements.length > 0 && { element: elements.reduce(eitherOf) }) };
      }
      case 'entries':
        return this.#entries(node.entries, variables);
      case 'macro':
        return this.#macro(node, variables);
      case 'call':
        return this.#call(node, variables);
    }
  }

  report(offset: number, code: string, message: string, allowed?: readonly string[]): void {
    const position = positionAt(this.#source, offset);
    this.findings.push({ code, message, position, ...(allowed && { allowed }) });
  }

  /** Reports a type that cannot be one of those kinds. */
  expect(node: Node, type: Type, what: string, ...kinds: readonly Kind[]): void {
    if (!canBe(type, ...kinds))
      this.report(node.offset, 'wrong_type', `${what} is needed; this is ${describeType(type)}.`);
  }

  #variable(name: string, offset: number, variables: Variables): Type {
    const type = variables.get(name);
    if (type) return type;
    if (typeNames.has(name)) return kind('type');
    if (!this.#isExplained(offset)) {
      const names = [...variables.keys()];
      this.report(offset, 'unknown_variable', `No variable '${name}' here. There is ${listing(names)}.`, names);
    }
    return anything;
  }

  #access(node: Access, variables: Variables): Type {
    // The steps' types say which there are; their variable is never shadowed unnoticed, as its type would differ.
    const operand = this.typeOf(node.operand, variables);
    const name = fieldOf(node);
    if (node.kind === 'index' && name === undefined) {
      this.typeOf(node.key, variables);
      return canBe(operand, 'array') && !canBe(operand, 'object') ? elementType(operand) : anything;
    }
    const field = fieldType(operand, name ?? '');
    if (!('allowed' in field)) return node.kind === 'has' ? kind('boolean') : field;
    const offset = tokenAt(this.#source, accessOffset(node) + 1);
    if (operand.fields && isStepsVariable(node.operand)) this.#unknownStep(name ?? '', offset, field.allowed);
    else if (!canBe(operand, 'object')) {
      this.report(offset, 'unknown_field', `${describeType(operand)} has no field '${name}'.`.replace(/^a/, 'A'));
    } else
      this.report(
        offset,
        'unknown_field',
        `No field '${name}' here. There is ${listing(field.allowed)}.`,
        field.allowed,
      );
    return anything;
  }

  #unknownStep(ref: string, offset: number, refs: readonly string[]): void {
    const [meant] = refs
      .filter((each) => each.startsWith(`${ref}-`) && this.#source.startsWith(each, offset))
      .sort((one, other) => other.length - one.length);
    const message = `No step '${ref}'.`;
    if (meant === undefined) {
      this.report(offset, 'unknown_step', message, refs);
    } else {
      this.#explained.push({ start: offset, end: offset + meant.length });
      const advice = `For the step '${meant}' write steps[${JSON.stringify(meant)}].`;
      this.report(offset, 'unknown_step', `${message} ${advice}`);
    }
  }

  #isExplained(offset: number): boolean {
    return this.#explained.some(({ start, end }) => start <= offset && offset < end);
  }

  #entries(entries: readonly { readonly key: Node; readonly value: Node }[], variables: Variables): Type {
    const fields = new Map<string, Type>();
    let closed = true;
    for (const { key, value } of entries) {
      const keyType = this.typeOf(key, variables);
      this.expect(key, keyType, 'A string as key', 'string');
      const valueType = this.typeOf(value, variables);
      if (key.kind === 'literal' && typeof key.value === 'string') fields.set(key.value, valueType);
      else closed = false;
    }
    return closed ? { ...kind('object'), fields } : kind('object');
  }

  #macro(node: Macro, variables: Variables): Type {
    const range = this.typeOf(node.range, variables);
    this.expect(node.range, range, `For ${node.macro}() an array or an object`, 'array', 'object');
    const element = !canBe(range, 'object') ? elementType(range) : canBe(range, 'array') ? anything : kind('string');
    const inside = new Map(variables).set(node.variable, element);
    if (node.test) this.expect(node.test, this.typeOf(node.test, inside), 'A boolean', 'boolean');
    const value = node.value && this.typeOf(node.value, inside);
    if (node.macro === 'map' || node.macro === 'filter') return { ...kind('array'), element: value ?? element };
    return kind('boolean');
  }

  #call(node: Call, variables: Variables): Type {
    const target = node.target && this.typeOf(node.target, variables);
    const args = node.args.map((arg) => this.typeOf(arg, variables));
    switch (node.name) {
      case '_&&_':
      case '_||_':
        for (const [index, arg] of node.args.entries())
          this.expect(arg, args[index] ?? anything, 'A boolean', 'boolean');
        return kind('boolean');
      case '_?_:_': {
        const [condition = anything, yes = anything, no = anything] = args;
        if (node.args[0]) this.expect(node.args[0], condition, 'A boolean', 'boolean');
        return eitherOf(yes, no);
      }
      default:
        return this.#function(node, target, args);
    }
  }

  #function(node: Call, target: Type | undefined, args: readonly Type[]): Type {
    if (this.#isExplained(node.offset)) return anything;
    const forms = (signatures.get(node.name) ?? []).filter((form) => !form.target === !target);
    if (forms.length === 0) {
      this.report(node.offset, 'unknown_function', unknownFunction(node), callable(target !== undefined));
      return anything;
    }
    const counted = forms.filter((form) => form.arguments.length === args.length);
    if (counted.length === 0) {
      const counts = [...new Set(forms.map((form) => form.arguments.length))].join(' or ');
      const message = `${functionTitle(node.name)} takes ${counts} ${counts === '1' ? 'argument' : 'arguments'}.`;
      this.report(node.offset, 'unknown_function', message);
      return anything;
    }
    const fitting = counted.filter((form) => fits(form, target, args));
    if (fitting.length === 0) {
      const given = [...(target ? [target] : []), ...args].map(describeType).join(', ');
      this.report(node.offset, 'wrong_type', `${functionTitle(node.name)} cannot be used with ${given}.`);
    }
    if (node.name === 'matches') this.#pattern(node.args.at(-1));
    return fitting
      .map((form) => typeOfCel(form.result))
      .reduce(eitherOf, fitting[0] ? typeOfCel(fitting[0].result) : anything);
  }

  #pattern(pattern: Node | undefined): void {
    if (pattern?.kind !== 'literal' || typeof pattern.value !== 'string') return;
    const result = signatures.get('matches')?.[0]?.call(0, '', [pattern.value]);
    if (isCelError(result)) this.report(pattern.offset, 'invalid_regex', `${result.message}.`);
  }
}

const isStepsVariable = (node: Node): boolean => node.kind === 'variable' && node.name === 'steps';

const literalKind = ({ value }: Literal): Kind => {
  if (value === null) return 'null';
  if (typeof value === 'object') return 'bytes';
  return typeof value === 'string' ? 'string' : typeof value === 'boolean' ? 'boolean' : 'number';
};

const kindsOfCel: { readonly [name: string]: Kind } = {
  bool: 'boolean',
  bytes: 'bytes',
  double: 'number',
  int: 'number',
  list: 'array',
  map: 'object',
  null_type: 'null',
  string: 'string',
  type: 'type',
  uint: 'number',
  'google.protobuf.Timestamp': 'timestamp',
  'google.protobuf.Duration': 'duration',
};

const typeOfCel = ({ name }: CelType): Type => {
  const known = kindsOfCel[name];
  return known ? kind(known) : anything;
};

const fits = (form: CelFunc, target: Type | undefined, args: readonly Type[]): boolean =>
  (!target || !form.target || compatible(target, form.target)) &&
  form.arguments.every((parameter, index) => compatible(args[index] ?? anything, parameter));

const compatible = (type: Type, parameter: CelType): boolean => {
  const known = kindsOfCel[parameter.name];
  return known === undefined || canBe(type, known);
};

const callable = (method: boolean): readonly string[] =>
  [...signatures]
    .filter(([name, forms]) => /^[a-z]/.test(name) && forms.some((form) => (form.target !== undefined) === method))
    .map(([name]) => name)
    .sort();

const examples: { readonly [name: string]: string } = {
  has: 'has(input.day)',
  all: 'list.all(x, x > 0)',
  exists: 'list.exists(x, x > 0)',
  exists_one: 'list.exists_one(x, x > 0)',
  filter: 'list.filter(x, x > 0)',
  map: 'list.map(x, x + 1)',
};

const unknownFunction = ({ name, target }: Call): string => {
  const example = Object.hasOwn(examples, name) ? examples[name] : undefined;
  if (example) return `'${name}' is written as in ${example}.`;
  const otherWay = signatures.has(name) ? `; it is written ${target ? `${name}(value)` : `value.${name}()`}` : '';
  return `No ${target ? 'method' : 'function'} '${name}'${otherWay}.`;
};

const listing = (names: readonly string[]): string => (names.length > 0 ? names.join(', ') : 'none');
