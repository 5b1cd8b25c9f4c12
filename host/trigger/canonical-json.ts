import { createHash } from 'node:crypto';
import { isObject, type Json } from '@ductor/core';

/** JSON text in which equal values are equal: keys in order, at every depth. */
function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((item: Json) => canonicalJson(item)).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`);
  return `{${members.join(',')}}`;
}

export const canonicalHash = (value: Json): string =>
  createHash('sha256').update(canonicalJson(value)).digest('base64url');
