/** Places of a document that its schema marks: by the keyword `cel`, or by a `format` (`action`, `credential`). */
import { joinPath } from '../expression/template-text.ts';
import { isObject, type Json } from '../json.ts';
import type { CelKeyword, JsonSchema } from '../schema.ts';

interface Place {
  readonly schema: JsonSchema;
  readonly written: Json;
  readonly path: string;
}

/** Walks where `planDocument` does: what is found here is what the engine will evaluate. Outermost first. */
function* places(schema: JsonSchema, written: Json | undefined, path: string): Generator<Place, void, undefined> {
  if (written === undefined) return;
  yield { schema, written, path };
  const { cel, properties, items } = schema;
  if (cel) return;
  if (properties && isObject(written)) {
    for (const [name, each] of Object.entries(properties)) yield* places(each, written[name], joinPath(path, name));
  } else if (items && Array.isArray(written)) {
    for (const [index, item] of written.entries()) yield* places(items, item, joinPath(path, index));
  }
}

/** A place where the schema has the keyword `cel`. */
export interface CelPosition {
  readonly cel: CelKeyword;
  readonly written: Json;
  readonly path: string;
}

export function* celPositions(
  schema: JsonSchema,
  document: Json | undefined,
  path: string,
): Generator<CelPosition, void, undefined> {
  for (const { schema: each, written, path: at } of places(schema, document, path)) {
    if (each.cel) yield { cel: each.cel, written, path: at };
  }
}

/** An object that names an action; its `args` and its `credential` stand beside that. */
export interface ActionPosition {
  readonly action: string;
  readonly args: Json | undefined;
  readonly credential: Json | undefined;
  /** Of the object. */
  readonly path: string;
}

/** Every action that a document names, outermost first. */
export function* actionPositions(
  schema: JsonSchema,
  document: Json | undefined,
  path: string,
): Generator<ActionPosition, void, undefined> {
  for (const { schema: each, written, path: at } of places(schema, document, path)) {
    if (each.properties?.action?.format !== 'action' || !isObject(written)) continue;
    const { action, args, credential } = written;
    if (typeof action === 'string') yield { action, args, credential, path: at };
  }
}

/** Every credential that a document names. */
export function* credentialNames(schema: JsonSchema, document: Json | undefined): Generator<string, void, undefined> {
  for (const { schema: each, written } of places(schema, document, '')) {
    if (each.format === 'credential' && typeof written === 'string') yield written;
  }
}
