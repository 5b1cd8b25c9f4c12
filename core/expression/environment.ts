import { type CelEnv, type CelFunc, type CelResult, type CelValue, celEnv, celError, isCelList } from '@bufbuild/cel';
import { currentBudget, MAX_TEXT_LENGTH } from './budget.ts';
import { engineFunctions } from './engine.ts';
import { overloads } from './overloads.ts';
import { timeFunctions } from './time.ts';

/**
 * Characters (of texts) and elements (of lists) that cost as much as one round of a loop, about a microsecond,
 * for functions that go through all they are given or make.
 */
const lengthAStep: ReadonlyMap<string, number> = new Map([
  ['_+_', 1024],
  ['bytes', 64],
  ['contains', 1024],
  ['format', 8],
  ['indexOf', 1024],
  ['join', 8],
  ['lastIndexOf', 1024],
  ['lowerAscii', 32],
  ['matches', 16],
  ['replace', 8],
  ['size', 16],
  ['split', 8],
  ['string', 64],
  ['strings.quote', 4],
  ['sum', 16],
  ['trim', 64],
  ['upperAscii', 32],
]);

/** Compiling a pattern costs about this many rounds, whatever the text. */
const stepsAPattern = 10;

const lengthOf = (value: CelResult | undefined): number => {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length;
  return isCelList(value) ? value.size : 0;
};

/** Lists know their size, and maps count their own work. */
const countsElements = ({ name, target, arguments: [only] }: CelFunc): boolean =>
  name === 'size' && ['list', 'map'].includes((target ?? only)?.name ?? '');

const metered = (func: CelFunc): CelFunc => {
  const perStep = lengthAStep.get(func.name);
  if (perStep === undefined || countsElements(func)) return func;
  const fixed = func.name === 'matches' ? stepsAPattern : 0;
  const call = (id: number, target: CelValue | undefined, args: CelValue[]): CelResult | undefined => {
    const result = func.call(id, target, args);
    if (result === undefined) return undefined;
    const made = lengthOf(result);
    if (typeof result === 'string' && made > MAX_TEXT_LENGTH)
      return celError(`the text is longer than ${MAX_TEXT_LENGTH} characters`, id);
    const read = args.reduce<number>((sum, arg) => sum + lengthOf(arg), lengthOf(target));
    currentBudget().spend(fixed + (read + made) / perStep);
    return result;
  };
  // The engine's functions are class instances: their getters would be lost by spreading alone.
  return {
    ...func,
    id: func.id,
    name: func.name,
    target: func.target,
    arguments: func.arguments,
    result: func.result,
    call,
  };
};

/** Pure functions only; the same for every tenant, host and version of a definition. */
export const environment: CelEnv = celEnv({
  funcs: [...engineFunctions(), ...overloads, ...timeFunctions].map(metered),
});

/** All forms of the functions that an author may call, by name. */
export const signatures: ReadonlyMap<string, readonly CelFunc[]> = new Map(
  [...environment.funcs].reduce<Map<string, CelFunc[]>>((byName, func) => {
    byName.set(func.name, [...(byName.get(func.name) ?? []), func]);
    return byName;
  }, new Map()),
);
