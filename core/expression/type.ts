import { isObject } from '../json.ts';

export type Kind =
  | 'null'
  | 'boolean'
  | 'number'
  | 'string'
  | 'array'
  | 'object'
  | 'bytes'
  | 'timestamp'
  | 'duration'
  | 'type';

/** Any JSON Schema; of it only what narrows a type is read, and what is not understood narrows nothing. */
export interface JsonSchemaLike {
  readonly type?: unknown;
  readonly const?: unknown;
  readonly enum?: unknown;
  readonly items?: unknown;
  readonly properties?: unknown;
  readonly additionalProperties?: unknown;
  readonly patternProperties?: unknown;
  readonly oneOf?: unknown;
  readonly anyOf?: unknown;
  readonly allOf?: unknown;
  readonly $ref?: unknown;
}

/** What is known of a value before it exists. */
export interface Type {
  /** The kinds it can be of; null: any. */
  readonly kinds: ReadonlySet<Kind> | null;
  readonly schema?: JsonSchemaLike | null;
  /** All its fields, where they do not come from a schema. */
  readonly fields?: ReadonlyMap<string, Type>;
  readonly element?: Type;
}

export const anything: Type = { kinds: null };
export const kind = (...kinds: readonly Kind[]): Type => ({ kinds: new Set(kinds) });

export const canBe = (type: Type, ...kinds: readonly Kind[]): boolean =>
  type.kinds === null || kinds.some((each) => type.kinds?.has(each));

export const eitherOf = (one: Type, other: Type): Type => {
  if (one === other) return one;
  return one.kinds && other.kinds ? { kinds: new Set([...one.kinds, ...other.kinds]) } : anything;
};

/** `a string`, `a string or null` */
export const describeType = ({ kinds }: Type): string =>
  [...(kinds ?? [])]
    .map((each) => (each === 'null' ? each : `${/^[ao]/.test(each) ? 'an' : 'a'} ${each}`))
    .join(' or ') || 'anything';

export const typeOfSchema = (schema: unknown): Type =>
  isObject(schema) ? { kinds: kindsOfSchema(schema), schema } : anything;

/** The field's type, or the names that there are instead. */
export const fieldType = (type: Type, name: string): Type | { readonly allowed: readonly string[] } => {
  if (!canBe(type, 'object')) return { allowed: [] };
  if (type.fields) return type.fields.get(name) ?? { allowed: [...type.fields.keys()] };
  const { schema } = type;
  if (!schema) return anything;
  const properties = isObject(schema.properties) ? schema.properties : {};
  if (Object.hasOwn(properties, name)) return typeOfSchema(properties[name]);
  if (composing.some((keyword) => schema[keyword] !== undefined)) return anything;
  return schema.additionalProperties === false
    ? { allowed: Object.keys(properties) }
    : typeOfSchema(schema.additionalProperties);
};

export const elementType = ({ element, schema }: Type): Type => element ?? typeOfSchema(schema?.items);

/** Keywords that may allow a field which `properties` does not name. */
const composing = ['$ref', 'allOf', 'anyOf', 'oneOf', 'patternProperties'] as const;

const kindsOfSchema = (schema: JsonSchemaLike): ReadonlySet<Kind> | null => {
  const { type, enum: values, oneOf, anyOf } = schema;
  const names = typeof type === 'string' ? [type] : Array.isArray(type) ? type : undefined;
  if (names) return allKinds(names.map((name) => kindOfName[String(name)]));
  if (schema.const !== undefined) return allKinds([kindOfJson(schema.const)]);
  if (Array.isArray(values)) return allKinds(values.map(kindOfJson));
  const alternatives = Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : undefined;
  if (!alternatives) return null;
  const kinds = alternatives.map((each) => typeOfSchema(each).kinds);
  return kinds.some((each) => each === null) ? null : new Set(kinds.flatMap((each) => [...(each ?? [])]));
};

const allKinds = (kinds: readonly (Kind | undefined)[]): ReadonlySet<Kind> | null =>
  kinds.some((each) => each === undefined) ? null : new Set(kinds.filter((each) => each !== undefined));

const kindOfName: { readonly [name: string]: Kind | undefined } = {
  null: 'null',
  boolean: 'boolean',
  number: 'number',
  integer: 'number',
  string: 'string',
  array: 'array',
  object: 'object',
};

const kindOfJson = (value: unknown): Kind | undefined =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : kindOfName[typeof value];
