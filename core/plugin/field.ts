import type { Graph } from '../definition/graph.ts';
import type { Problem } from '../errors.ts';
import type { Json, JsonObject } from '../json.ts';
import type { FromSchema, JsonSchema } from '../schema.ts';

/** A plugin's word in a document. A `run` field is kept on the run, shown in its snapshot, and seen by CEL as `run.<name>`. */
export interface FieldSpec<S extends JsonSchema> {
  readonly of: 'step' | 'graph' | 'settings' | 'trigger' | 'run';
  readonly name: string;
  readonly schema: S;
  /** Of a trigger's word: what authors call it in `settings.triggers`, where it is a template. Default: its name. */
  readonly nameInTriggers?: string;
  /** At publish, or at the trigger's door: what the schema cannot say. Paths are relative to the field. */
  check?(value: FromSchema<S>, graph: Graph | null): readonly Problem[];
}

/** The same as a typed key. */
export interface Field<S extends JsonSchema> extends FieldSpec<S> {
  in(document: JsonObject): FromSchema<S> | undefined;
  set(value: FromSchema<S>): JsonObject;
}

// biome-ignore lint/suspicious/noExplicitAny: lists of differently typed fields, each sealed
export type AnyField = Field<any>;

export const defineField = <const S extends JsonSchema>(spec: FieldSpec<S>): Field<S> => ({
  ...spec,
  in: (document) => document[spec.name] as FromSchema<S> | undefined,
  set: (value) => ({ [spec.name]: value as Json }),
});
