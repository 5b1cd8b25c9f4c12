/** Places of a document that its schema marks by a `format`: `action` names a connector's action, `credential` a credential. */
import { joinPath } from '../expression/template-text.ts';
import { isObject, type Json } from '../json.ts';
import type { JsonSchema } from '../schema.ts';

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
  const { properties, items } = schema;
  if (properties && isObject(document)) {
    const { action, args, credential } = document;
    if (properties.action?.format === 'action' && typeof action === 'string') yield { action, args, credential, path };
    for (const [name, each] of Object.entries(properties))
      yield* actionPositions(each, document[name], joinPath(path, name));
  } else if (items && Array.isArray(document)) {
    for (const [index, item] of document.entries()) yield* actionPositions(items, item, joinPath(path, index));
  }
}

/** Every credential that a document names. */
export function* credentialNames(
  { format, properties, items }: JsonSchema,
  document: Json | undefined,
): Generator<string, void, undefined> {
  if (format === 'credential' && typeof document === 'string') yield document;
  else if (properties && isObject(document)) {
    for (const [name, each] of Object.entries(properties)) yield* credentialNames(each, document[name]);
  } else if (items && Array.isArray(document)) {
    for (const item of document) yield* credentialNames(items, item);
  }
}
