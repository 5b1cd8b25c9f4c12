import type { Json, JsonObject } from '@ductor/core';

/** All texts within the secret fields of a credential. */
export const secretsOf = (values: JsonObject, secretFields: readonly string[]): readonly string[] =>
  secretFields.flatMap((field) => texts(values[field] ?? null));

const texts = (value: Json): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(texts);
};
