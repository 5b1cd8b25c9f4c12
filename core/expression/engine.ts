import { type CelFunc, type CelResult, type CelValue, celEnv } from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';

/** The engine as it comes; `environment.ts` is what expressions run in. */
const engine = celEnv({ funcs: strings });

export const engineFunctions = (): readonly CelFunc[] => [...engine.funcs];

/** One of the engine's own functions, for our own to build on. Undefined or an error where it does not apply. */
export const engineFunction = (name: string): ((...args: CelValue[]) => CelResult | undefined) => {
  const group = engine.funcs.find(name);
  if (group === undefined) throw new Error(`the CEL engine has no function ${name}`);
  return (...args) => group.call(0, undefined, args);
};
