import { type CelFunc, CelScalar, celFunc, celMethod, isCelList, isCelMap, listType, mapType } from '@bufbuild/cel';
import { currentBudget } from './budget.ts';
import { equals } from './equality.ts';

const { BOOL, DOUBLE, DYN, INT, STRING, UINT } = CelScalar;
const LIST = listType(DYN);
const MAP = mapType(DYN, DYN);

/** JSON has doubles only, literals are ints: without these `input.amount + 1` has no meaning in CEL. */
const mixedArithmetic: readonly CelFunc[] = (
  [
    ['_+_', (left: number, right: number) => left + right],
    ['_-_', (left: number, right: number) => left - right],
    ['_*_', (left: number, right: number) => left * right],
    ['_/_', (left: number, right: number) => left / right],
    ['_%_', (left: number, right: number) => left % right],
  ] as const
).flatMap(([operator, apply]) => [
  celFunc(operator, [DOUBLE, INT], DOUBLE, (left, right) => apply(left, Number(right))),
  celFunc(operator, [INT, DOUBLE], DOUBLE, (left, right) => apply(Number(left), right)),
]);

/** The engine compares without a limit, and does not see a key whose value is null. */
const membership: readonly CelFunc[] = [
  celFunc('_==_', [DYN, DYN], BOOL, equals),
  celFunc('_!=_', [DYN, DYN], BOOL, (left, right) => !equals(left, right)),
  celFunc('@in', [DYN, LIST], BOOL, (value, list) => {
    for (const element of list) if (equals(element, value)) return true;
    return false;
  }),
  ...[STRING, DOUBLE, INT, UINT, BOOL].map((key) =>
    celFunc('@in', [key, MAP], BOOL, (value, map) => map.get(value) !== undefined),
  ),
];

/** A flat copy: the engine's nested views overflow the stack after a few thousand. */
const concatenation = celFunc('_+_', [LIST, LIST], LIST, (left, right) => {
  currentBudget().spend((left.size + right.size) * 0.1);
  return [...left, ...right];
});

/** `[1, 2.5].sum()`: CEL has no loop that carries a value on. */
const sum = celMethod('sum', LIST, [], DOUBLE, function () {
  let total = 0;
  for (const element of this) {
    if (typeof element !== 'number' && typeof element !== 'bigint') throw new Error('sum() adds numbers only');
    total += Number(element);
  }
  return total;
});

/** `get(event, "payload.items.0.id", null)`: the value at a path, else the default. */
const get = celFunc('get', [DYN, STRING, DYN], DYN, (root, path, fallback) => {
  let value = root;
  for (const key of path.split('.')) {
    const next = isCelMap(value)
      ? value.get(key)
      : isCelList(value) && /^\d+$/.test(key)
        ? value.get(Number(key))
        : undefined;
    if (next === undefined) return fallback;
    value = next;
  }
  return value;
});

/** What the macro `has(value.field)` becomes: true for a field that is there, null or not. */
export const HAS = '@has';
const has = celFunc(HAS, [DYN, STRING], BOOL, (value, field) => isCelMap(value) && value.get(field) !== undefined);

/** In linear time; the engine's own rebuilds the text at every match. */
const replace = (text: string, from: string, to: string, limit: number): string => {
  const pieces = text.split(from);
  const rest = limit < 0 ? [] : pieces.splice(limit + 1);
  const last = pieces.pop() ?? '';
  return [...pieces, [last, ...rest].join(from)].join(to);
};

const replacing: readonly CelFunc[] = [
  celMethod('replace', STRING, [STRING, STRING], STRING, function (from, to) {
    return replace(this, from, to, -1);
  }),
  celMethod('replace', STRING, [STRING, STRING, INT], STRING, function (from, to, limit) {
    return replace(this, from, to, Number(limit));
  }),
];

/** By runs of letters; the engine's own append a character at a time. */
const lettercase: readonly CelFunc[] = [
  celMethod('lowerAscii', STRING, [], STRING, function () {
    return this.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  }),
  celMethod('upperAscii', STRING, [], STRING, function () {
    return this.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
  }),
];

export const overloads: readonly CelFunc[] = [
  ...mixedArithmetic,
  celFunc('_%_', [DOUBLE, DOUBLE], DOUBLE, (left, right) => left % right),
  ...membership,
  concatenation,
  sum,
  get,
  has,
  ...replacing,
  ...lettercase,
];
