import { isObject, type Json, type JsonObject } from '@ductor/core';

const SCHEMAS_BY_NAME = new Set(['properties', 'patternProperties', '$defs']);
const SCHEMA_LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const SCHEMAS = new Set(['items', 'additionalProperties', 'not', 'contains', 'unevaluatedItems']);

/** Each schema in a JSON Schema, the inner ones first, replaced by what `change` makes of it. */
export function mapSchema(schema: JsonObject, change: (schema: JsonObject) => JsonObject): JsonObject {
  const inner = (value: Json): Json => (isObject(value) ? mapSchema(value, change) : value);
  const entries = Object.entries(schema).map(([key, value = null]): [string, Json] => {
    if (SCHEMAS.has(key)) return [key, inner(value)];
    if (SCHEMA_LISTS.has(key) && Array.isArray(value)) return [key, value.map(inner)];
    if (SCHEMAS_BY_NAME.has(key) && isObject(value)) {
      return [key, Object.fromEntries(Object.entries(value).map(([name, each = null]) => [name, inner(each)]))];
    }
    return [key, value];
  });
  return change(Object.fromEntries(entries));
}

export const withNull = (schema: JsonObject): JsonObject => ({ anyOf: [schema, { type: 'null' }] });
