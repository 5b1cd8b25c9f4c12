import { type CelResult, type CelValue, celError, celList, isCelError, isCelList, isCelMap, plan } from '@bufbuild/cel';
import { currentBudget } from './budget.ts';
import { environment } from './environment.ts';
import type { Macro, Node } from './syntax.ts';

/** Variables by name; an inner scope has the outer one as its prototype. */
export interface Scope {
  [name: string]: CelValue;
}
export type Program = (scope: Scope) => CelResult;

export const planNode = (node: Node): Program => plan(environment, node.plannable);

/**
 * The engine expands macros into a fold that appends to a list per element: quadratic views, and a stack overflow
 * near 4,500. So each macro is replaced by a name, and here is what that name is bound to: a getter, run when and
 * only if the engine reads it, in whatever scope it is read.
 */
export const macroScope = (macros: readonly Macro[]): Scope => {
  const scope: Scope = Object.create(null);
  for (const macro of macros) {
    const run = planMacro(macro);
    Object.defineProperty(scope, macro.resultName, {
      get(this: Scope) {
        return run(this);
      },
    });
  }
  return scope;
};

const planMacro = (macro: Macro): Program => {
  const range = planNode(macro.range);
  const fold = planFold(macro);
  return (scope) => {
    const over = range(scope);
    if (isCelError(over)) return over;
    const size = isCelList(over) || isCelMap(over) ? over.size : undefined;
    if (size === undefined) return failure(macro, `${macro.macro} needs a list or a map`);
    const { maxListLength } = currentBudget();
    if (size > maxListLength) {
      return failure(macro, `${macro.macro} over ${size} elements; at most ${maxListLength} are allowed`);
    }
    const elements: Iterable<CelValue> = isCelMap(over) ? over.keys() : isCelList(over) ? over : [];
    return fold(elements, Object.create(scope));
  };
};

type Fold = (elements: Iterable<CelValue>, scope: Scope) => CelResult;

/** One scope serves all rounds: nothing keeps it once a round is over. */
const planFold = (macro: Macro): Fold => {
  const { variable } = macro;
  const test = macro.test && planTest(macro, macro.test);
  const value = macro.value && planNode(macro.value);
  const round = (scope: Scope, element: CelValue): boolean | ReturnType<typeof celError> => {
    currentBudget().spend(1);
    scope[variable] = element;
    return test ? test(scope) : true;
  };

  switch (macro.macro) {
    case 'map':
    case 'filter':
      return (elements, scope) => {
        const results: CelValue[] = [];
        for (const element of elements) {
          const holds = round(scope, element);
          if (isCelError(holds)) return holds;
          if (!holds) continue;
          const result = value ? value(scope) : element;
          if (isCelError(result)) return result;
          results.push(result);
        }
        return celList(results);
      };
    case 'exists_one':
      return (elements, scope) => {
        let count = 0;
        for (const element of elements) {
          const holds = round(scope, element);
          if (isCelError(holds)) return holds;
          if (holds) count++;
        }
        return count === 1;
      };
    case 'all':
    case 'exists': {
      // CEL: one element that decides outweighs errors at others, before or after it.
      const deciding = macro.macro === 'exists';
      return (elements, scope) => {
        let firstError: ReturnType<typeof celError> | undefined;
        for (const element of elements) {
          const holds = round(scope, element);
          if (isCelError(holds)) firstError ??= holds;
          else if (holds === deciding) return deciding;
        }
        return firstError ?? !deciding;
      };
    }
  }
};

const planTest = (macro: Macro, test: Node): ((scope: Scope) => boolean | ReturnType<typeof celError>) => {
  const program = planNode(test);
  return (scope) => {
    const holds = program(scope);
    if (typeof holds === 'boolean' || isCelError(holds)) return holds;
    return failure(macro, `${macro.macro} needs a condition that is true or false`);
  };
};

const failure = ({ plannable }: Macro, message: string) => celError(message, plannable.id);
