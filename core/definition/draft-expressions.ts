import { joinPath } from '../expression/template-text.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import type { CelKeyword, JsonSchema } from '../schema.ts';

/** A place of a document where its schema has the keyword `cel`. */
export interface CelPosition {
  readonly cel: CelKeyword;
  readonly written: Json;
  readonly path: string;
}

/** Walks where `planDocument` does: what is found here is what the engine will evaluate. */
export function* celPositions(
  schema: JsonSchema,
  document: Json | undefined,
  path: string,
): Generator<CelPosition, void, undefined> {
  if (document === undefined) return;
  if (schema.cel) yield { cel: schema.cel, written: document, path };
  else if (schema.properties && isObject(document)) {
    for (const [name, each] of Object.entries(schema.properties)) {
      yield* celPositions(each, document[name], joinPath(path, name));
    }
  } else if (schema.items && Array.isArray(document)) {
    for (const [index, item] of document.entries()) yield* celPositions(schema.items, item, joinPath(path, index));
  }
}

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
