import { isObject, type Json, type JsonObject } from '../json.ts';
import type { JsonSchema } from '../schema.ts';

/** What stands instead of an expression, a template, or the ref of a step (`format: step_ref`). */
export type Rewrite = (marked: JsonSchema, written: Json) => Json;

/** The document with each such place rewritten, all else as it was. */
export function mapMarked({ properties = {} }: JsonSchema, document: JsonObject, rewrite: Rewrite): JsonObject {
  return Object.fromEntries(
    Object.entries(document).map(([name, value]) => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, schema ? mapValue(schema, value, rewrite) : value];
    }),
  );
}

function mapValue(schema: JsonSchema, value: Json, rewrite: Rewrite): Json {
  const { cel, format, properties, items } = schema;
  if (cel || format === 'step_ref') return rewrite(schema, value);
  if (properties && isObject(value)) return mapMarked(schema, value, rewrite);
  if (items && Array.isArray(value)) return value.map((item: Json) => mapValue(items, item, rewrite));
  return value;
}
