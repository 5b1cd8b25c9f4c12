import type { Graph } from '../definition/graph.ts';
import type { Problem } from '../errors.ts';
import type { Json, JsonObject } from '../json.ts';
import type { FromSchema, JsonSchema } from '../schema.ts';

/** What a check may ask of the definition that its word stands in. */
export interface AroundField {
  /** What is certain to be wrong with a template of a run's input, by `settings.input_schema`. */
  inputProblems(template: Json, path: string): readonly Problem[];
}

/** A plugin's word in a document. A `run` field is kept on the run, shown in its snapshot, and seen by CEL as `run.<name>`. */
export interface FieldSpec<S extends JsonSchema> {
  readonly of: 'step' | 'graph' | 'settings' | 'trigger' | 'run';
  readonly name: string;
  readonly schema: S;
  /** Of a trigger's word: what authors call it in `settings.triggers`, where it is a template. Default: its name. */
  readonly nameInTriggers?: string;
  /** Of a trigger's word: only plugins give it, through `refs.trigger`; neither callers nor authors can. */
  readonly isInternal?: true;
  /**
   * At publish, or at the trigger's door: what the schema cannot say. Paths are relative to the field. `around`: given for
   * words in settings.
   */
  check?(value: FromSchema<S>, graph: Graph | null, around?: AroundField): readonly Problem[];
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
