import {
  type CompiledExpression,
  type CompiledTemplate,
  compileExpression,
  compileTemplate,
  EACH,
  ExpressionError,
  evaluateExpression,
  evaluateTemplate,
  foldExpression,
  type Leg,
  type Path,
} from '../expression/index.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import type { CelKeyword, JsonSchema } from '../schema.ts';
import { parseDuration } from './duration.ts';

/** What an expression reads, so that only that is built for it. */
export interface Reads {
  readonly roots: ReadonlySet<string>;
  readonly steps: ReadonlySet<string> | 'all';
}
/** Answers with the variables that `reads` names; what is absent there may be absent here. */
export type VariableSource = (reads: Reads) => { readonly [name: string]: unknown };

/** A document with its expressions compiled, its durations in milliseconds, and its defaults filled in. */
export type Plan =
  | { readonly kind: 'value'; readonly value: Json | undefined }
  | { readonly kind: 'bare'; readonly compiled: CompiledExpression; readonly cel: CelKeyword }
  | { readonly kind: 'template'; readonly compiled: CompiledTemplate; readonly value: JsonSchema }
  | { readonly kind: 'folded'; readonly source: Json; readonly cel: CelKeyword }
  /** No document: what is seen at these paths, by name, as far as it is there. */
  | { readonly kind: 'seen'; readonly paths: readonly Path[]; readonly reads: Reads }
  | { readonly kind: 'object'; readonly fields: readonly (readonly [string, Plan])[] }
  | { readonly kind: 'array'; readonly items: readonly Plan[] };

/** Plans a document that its schema accepts. Throws `ExpressionError` for what does not compile. */
export function planDocument(schema: JsonSchema, document: Json | undefined): Plan {
  if (document === undefined) {
    return schema.default === undefined ? { kind: 'value', value: undefined } : planDocument(schema, schema.default);
  }
  if (schema.cel) return planExpression(schema.cel, document);
  if (schema.format === 'duration' && typeof document === 'string') {
    return { kind: 'value', value: parseDuration(document) ?? 0 };
  }
  if (schema.properties && isObject(document)) {
    const names = new Set([...Object.keys(schema.properties), ...Object.keys(document)]);
    const fields = [...names].map(
      (name) => [name, planDocument(schema.properties?.[name] ?? {}, document[name])] as const,
    );
    return fields.every(([, plan]) => plan.kind === 'value')
      ? { kind: 'value', value: resolvePlan({ kind: 'object', fields }, () => ({})) }
      : { kind: 'object', fields };
  }
  if (schema.items && Array.isArray(document)) {
    return { kind: 'array', items: document.map((item: Json) => planDocument(schema.items ?? {}, item)) };
  }
  return { kind: 'value', value: document };
}

function planExpression(cel: CelKeyword, document: Json): Plan {
  if (cel.folded || cel.awaits.length > 0) return { kind: 'folded', source: document, cel };
  if (cel.as === 'bare') return { kind: 'bare', compiled: compileExpression(String(document)), cel };
  const compiled = compileTemplate(document);
  return compiled.constant
    ? { kind: 'value', value: evaluateTemplate(compiled, {}) }
    : { kind: 'template', compiled, value: cel.value };
}

/** The document with its expressions evaluated. Throws `ExpressionError`. */
export function resolvePlan(plan: Plan, variables: VariableSource): Json | undefined {
  switch (plan.kind) {
    case 'value':
      return plan.value;
    case 'bare': {
      const { compiled, cel } = plan;
      return expected(evaluateExpression(compiled, variables(compiled), limitsOf(cel)), cel.value, compiled.source);
    }
    case 'template':
      return expected(evaluateTemplate(plan.compiled, variables(plan.compiled)), plan.value, '');
    case 'folded': {
      const { source, cel } = plan;
      const folded = foldExpression({ source, as: cel.as, awaits: cel.awaits, variables });
      return { ...folded, ...limitsOf(cel) } as unknown as Json;
    }
    case 'seen':
      return pick(variables(plan.reads) as JsonObject, plan.paths);
    case 'object': {
      const result: Record<string, Json> = {};
      for (const [name, field] of plan.fields) {
        const value = resolvePlan(field, variables);
        if (value !== undefined) result[name] = value;
      }
      return result;
    }
    case 'array':
      return plan.items.map((item) => resolvePlan(item, variables) ?? null);
  }
}

export const seenAt = (paths: readonly Path[]): Plan => {
  const ofSteps = paths.flatMap(([name, ref]) => (name === 'steps' ? [ref] : []));
  const refs = ofSteps.filter((ref) => typeof ref === 'string');
  const steps = refs.length < ofSteps.length ? 'all' : new Set(refs);
  return { kind: 'seen', paths, reads: { roots: new Set(paths.map(([name]) => name)), steps } };
};

/** As little of a value as these ways lead to. */
function pick(value: Json, ways: readonly (readonly Leg[])[]): Json {
  if (ways.some(({ length }) => length === 0)) return value;
  const hasFields = ways.some(([leg]) => typeof leg === 'string');
  if (Array.isArray(value) && !hasFields) {
    const within = ways.flatMap(([leg, ...rest]) => (leg === EACH ? [rest] : []));
    return value.map((each: Json) => pick(each, within));
  }
  if (!isObject(value) || ways.some(([leg]) => typeof leg !== 'string')) return value;
  const byField = new Map<string, Leg[][]>();
  for (const [field, ...rest] of ways) {
    if (typeof field === 'string') byField.set(field, [...(byField.get(field) ?? []), rest]);
  }
  return Object.fromEntries(
    [...byField].flatMap(([field, rest]) => {
      const at = Object.hasOwn(value, field) ? value[field] : undefined;
      return at === undefined ? [] : [[field, pick(at, rest)]];
    }),
  );
}

const limitsOf = ({ maxListLength }: CelKeyword) => (maxListLength === undefined ? {} : { maxListLength });

const withArticle = (type: string): string => (type === 'null' ? type : `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`);

function expected(value: Json, { type }: JsonSchema, source: string): Json {
  const is = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  if (type === undefined || is === type || (type === 'integer' && Number.isInteger(value))) return value;
  throw new ExpressionError({
    message: `It yields ${withArticle(is)}; ${withArticle(type)} is needed.`,
    source,
  });
}
