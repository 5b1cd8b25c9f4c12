import { evaluateFolded } from '../expression/index.ts';
import type { Json } from '../json.ts';
import type { Expression } from '../schema.ts';

interface RuleTable {
  readonly rules: readonly { readonly when: Expression<never, boolean>; readonly value: Expression<never, Json> }[];
  readonly hit_policy: 'first' | 'collect';
}

/** Decides a rule table: the first match's value (null if none), or all matches' values. Throws `ExpressionError`. */
export function decideRules(args: Json): Json {
  const { rules, hit_policy } = args as unknown as RuleTable;
  const values: Json[] = [];
  for (const { when, value } of rules) {
    if (evaluateFolded(when, {}) !== true) continue;
    values.push(evaluateFolded(value, {}));
    if (hit_policy === 'first') break;
  }
  return hit_policy === 'first' ? (values[0] ?? null) : values;
}
