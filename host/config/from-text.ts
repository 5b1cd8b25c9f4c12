import { isObject } from '@ductor/core';

/**
 * What comes from the environment is text: where the schema wants a number or a boolean, text that says one becomes it.
 * All else stays as it is, for the check to judge.
 */
export function fromText(schema: unknown, value: unknown): unknown {
  if (!isObject(schema)) return value;
  if (typeof value === 'string') {
    if (schema.type === 'integer' || schema.type === 'number')
      return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
    if (schema.type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
    return value;
  }
  if (Array.isArray(value)) return value.map((item) => fromText(schema.items, item));
  if (!isObject(value)) return value;
  const properties = isObject(schema.properties) ? schema.properties : {};
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, fromText(properties[key] ?? schema.additionalProperties, item)]),
  );
}
