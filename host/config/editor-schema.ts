import { isObject, type Json, type JsonObject } from '@ductor/core';

const reference = { type: 'string', pattern: '\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}', title: 'a reference such as ${NAME}' };

/**
 * A schema for the file as it is written: wherever a single value stands, a text may refer to the environment. The host
 * judges what comes of it.
 */
export const editorSchema = (schema: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schema).map(([key, inner]) => [key, widened(inner ?? null)]));

function widened(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(widened);
  if (!isObject(schema)) return schema;
  const { type, description = null } = schema;
  const isValue = schema.enum !== undefined || type === 'string' || type === 'integer' || type === 'boolean';
  if (isValue) return { ...(description !== null && { description }), anyOf: [schema, reference] };
  return editorSchema(schema);
}
