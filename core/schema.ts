import type { Json } from './json.ts';

/** The part of JSON Schema 2020-12 that types are read from; Ajv sees the whole. */
export interface JsonSchema {
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';
  readonly format?: string;
  readonly default?: Json;
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly items?: JsonSchema;
  readonly oneOf?: readonly JsonSchema[];
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly cel?: CelKeyword;
}

/**
 * Our one keyword: the author writes CEL, the reader receives what it yields.
 * An expression that awaits variables which exist only later, or that is `folded`, arrives as an `Expression`.
 */
export interface CelKeyword {
  readonly as: 'bare' | 'template';
  readonly value: JsonSchema;
  readonly awaits: readonly string[];
  /** What is known of the variables that it awaits, for the check at publish. */
  readonly known?: { readonly [variable: string]: object };
  readonly folded?: true;
  /** Elements of a list that a macro may go through. */
  readonly maxListLength?: number;
}

/**
 * A CEL expression or template, folded: `given` holds the variables it reads of all that was known,
 * `awaits` names the ones it still needs. Plain data: it may lie in a row.
 */
export type Expression<Awaits extends string, Value> = {
  readonly source: Json;
  readonly as: 'bare' | 'template';
  readonly given: { readonly [variable: string]: Json };
  readonly awaits: readonly Awaits[];
  readonly maxListLength?: number;
  readonly __value?: Value;
};

/** The one evaluator: bounded, and without I/O, clock or randomness. Throws `ExpressionError`. */
export type Evaluate = <A extends string, V>(
  expression: Expression<A, V>,
  variables: { readonly [K in A]: unknown },
) => V;

/** `condition`, `items`, `match`: written bare. */
export const cel = <const V extends JsonSchema, const A extends readonly string[]>(value: V, ...awaits: A) =>
  ({ type: 'string', cel: { as: 'bare', value, awaits } }) as const;

/** `args`, `reply`, `payload`: JSON with `${ }` in it. */
export const template = <const V extends JsonSchema, const A extends readonly string[]>(value: V, ...awaits: A) =>
  ({ cel: { as: 'template', value, awaits } }) as const;

/** Not evaluated at the start although it could be: whoever receives it decides whether and when. */
export const folded = <const S extends { readonly cel: CelKeyword }>(schema: S) =>
  ({ ...schema, cel: { ...schema.cel, folded: true } }) as S & { readonly cel: { readonly folded: true } };

/** With what is known of a variable that it awaits: publish finds fields that it cannot have. */
export const knowing = <const S extends { readonly cel: CelKeyword }>(
  schema: S,
  known: { readonly [variable: string]: object },
): S => ({ ...schema, cel: { ...schema.cel, known } });

/** As long as the lists of an expression may be that says so. */
export const MOST_LISTED = 100_000;
export const longLists = <const S extends { readonly cel: CelKeyword }>(schema: S): S => ({
  ...schema,
  cel: { ...schema.cel, maxListLength: MOST_LISTED },
});

/** Written `PT30S`, received in milliseconds. */
export const duration = { type: 'string', format: 'duration' } as const;

/** Always there after validation: required, or filled by its default. */
type Present<P, R> = { [K in keyof P]: K extends R ? K : P[K] extends { default: Json } ? K : never }[keyof P];
type Fields<P, R> = { readonly [K in Present<P, R>]: FromSchema<P[K]> } & {
  readonly [K in Exclude<keyof P, Present<P, R>>]?: FromSchema<P[K]>;
};

/** The type of a valid value, after defaults, durations and expressions are resolved. */
// biome-ignore format: one case a line reads like the table it is
export type FromSchema<S> =
  S extends { cel: { folded: true; value: infer V; awaits: readonly (infer A extends string)[] } } ? Expression<A, FromSchema<V>>
  : S extends { cel: { value: infer V; awaits: readonly [] } } ? FromSchema<V>
  : S extends { cel: { value: infer V; awaits: readonly (infer A extends string)[] } } ? Expression<A, FromSchema<V>>
  : S extends { const: infer C } ? C
  : S extends { enum: readonly (infer E)[] } ? E
  : S extends { oneOf: readonly (infer O)[] } ? (O extends unknown ? FromSchema<O> : never)
  : S extends { format: 'duration' } ? number
  : S extends { type: 'string' } ? string
  : S extends { type: 'number' | 'integer' } ? number
  : S extends { type: 'boolean' } ? boolean
  : S extends { type: 'array' } ? readonly (S extends { items: infer I } ? FromSchema<I> : Json)[]
  : S extends { properties: infer P } ? Fields<P, S extends { required: readonly (infer R)[] } ? R : never>
  : S extends { type: 'object' } ? { readonly [key: string]: Json }
  : Json;
