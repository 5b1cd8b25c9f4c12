import type { AnyField } from '../plugin/field.ts';
import { cel, duration, type JsonSchema, template } from '../schema.ts';
import { COMMON_STEP_FIELDS } from '../steps/common.ts';
import type { StepTypes } from '../steps/registry.ts';
import type { AnyStepType } from '../steps/step-type.ts';
import { DRAFT_LIMITS, type DraftLimits } from './draft.ts';

type ObjectSchema = JsonSchema & { readonly properties: { readonly [name: string]: JsonSchema } };

/** Every word that a definition may say on this host, with the schema of each place. */
export interface Vocabulary {
  readonly types: StepTypes;
  readonly fields: readonly AnyField[];
  /** Step types of plugins that are known here and switched off, with the plugin's id. */
  readonly disabledStepTypes: ReadonlyMap<string, string>;
  /** Words of such plugins, with where they stand (`step.audit`). */
  readonly disabledFields: ReadonlyMap<string, string>;
  /** By step type: its own fields, those that every step has, and the plugins'. */
  readonly steps: ReadonlyMap<string, ObjectSchema>;
  /** Of a step whose type is not known: what any step may say. */
  readonly anyStep: ObjectSchema;
  readonly edge: ObjectSchema;
  /** Of the graph beside its steps and edges. */
  readonly graph: ObjectSchema;
  readonly settings: ObjectSchema;
  readonly limits: DraftLimits;
}

/** The engine's own settings. */
const SETTINGS_FIELDS = {
  input_schema: { type: 'object' },
  failure_policy: { enum: ['fail_fast', 'drain'] },
  run_timeout: duration,
  cancel_grace: duration,
  connectors: { type: 'object', additionalProperties: { type: 'string' } },
} as const;

/** What starts a run of it when an event is published; callers' words of a trigger may be given too. */
const eventTriggers = (fields: readonly AnyField[]) =>
  ({
    type: 'array',
    maxItems: 20,
    items: {
      type: 'object',
      required: ['event_name'],
      properties: {
        event_name: { type: 'string', minLength: 1, maxLength: 256 },
        condition: cel({ type: 'boolean' }, 'event'),
        input: template({}, 'event'),
        idempotency_key: cel({ type: 'string' }, 'event'),
        ...Object.fromEntries(
          fields
            .filter(({ of, isInternal }) => of === 'trigger' && !isInternal)
            .map(({ name, nameInTriggers = name, schema }) => [nameInTriggers, template(kindOf(schema), 'event')]),
        ),
      },
    },
  }) as const;

/** As much of a schema as can be told of a template: the rest is checked when it has its values. */
const kindOf = ({ type }: JsonSchema): JsonSchema => (type === undefined ? {} : { type });

const EDGE_FIELDS = {
  from: { type: 'string' },
  to: { type: 'string' },
  type: { type: 'string' },
  case: { type: 'string' },
  condition: cel({ type: 'boolean' }, 'output'),
} as const;

/** A node's effects are evaluated when it ends, and see what it yielded. */
const effectsOfStep = {
  ...COMMON_STEP_FIELDS.effects,
  properties: { context: template({ type: 'object' }, 'output'), attributes: template({ type: 'object' }, 'output') },
} as const;

/** Built once, when the registries are frozen. */
export function vocabularyOf({
  types,
  fields = [],
  disabledStepTypes = new Map(),
  disabledFields = new Map(),
  limits = DRAFT_LIMITS,
}: {
  readonly types: StepTypes;
  readonly fields?: readonly AnyField[];
  readonly disabledStepTypes?: ReadonlyMap<string, string>;
  readonly disabledFields?: ReadonlyMap<string, string>;
  readonly limits?: DraftLimits;
}): Vocabulary {
  const common = { ...COMMON_STEP_FIELDS, effects: effectsOfStep, ...fieldsOf('step', fields) };
  return {
    types,
    fields,
    disabledStepTypes,
    disabledFields,
    limits,
    steps: new Map([...types.values()].map((type) => [type.type, stepSchema(type, common)])),
    anyStep: { type: 'object', properties: common },
    edge: closed({ type: 'object', properties: EDGE_FIELDS }),
    graph: closed({
      type: 'object',
      properties: { steps: {}, edges: {}, output: template({}), ...fieldsOf('graph', fields) },
    }),
    settings: closed({
      type: 'object',
      properties: { ...SETTINGS_FIELDS, triggers: eventTriggers(fields), ...fieldsOf('settings', fields) },
    }),
  };
}

const fieldsOf = (of: AnyField['of'], fields: readonly AnyField[]): { readonly [name: string]: JsonSchema } =>
  Object.fromEntries(fields.filter((field) => field.of === of).map(({ name, schema }) => [name, schema]));

const stepSchema = ({ schema }: AnyStepType, common: { readonly [name: string]: JsonSchema }): ObjectSchema => {
  const own: JsonSchema = schema;
  return closed({ ...own, properties: { ...own.properties, ...common } });
};

/** An object that names its fields has no others, unless its schema says otherwise: a misspelt word is found. */
const closed = <S extends JsonSchema>(schema: S): S => ({
  ...schema,
  ...(schema.properties && {
    additionalProperties: false,
    ...schema,
    properties: Object.fromEntries(Object.entries(schema.properties).map(([name, each]) => [name, closed(each)])),
  }),
  ...(schema.items && { items: closed(schema.items) }),
  // Beside named fields the alternatives only choose among them.
  ...(schema.oneOf && !schema.properties && { oneOf: schema.oneOf.map((each) => closed(each)) }),
});
