import { type AnyField, isObject, type Json, type JsonObject, type JsonSchema, type Vocabulary } from '@ductor/core';

/**
 * Definitions as publish wants them: a component for each step type that is on, with its own fields, those that every
 * step has, and the plugins'. Drafts may say less, and are kept as they are.
 */
export function definitionComponents(vocabulary: Vocabulary): { readonly [name: string]: JsonObject } {
  const steps = [...vocabulary.steps].map(([type, schema]) => [nameOf(type), stepSchema(type, schema)] as const);
  const types = [...vocabulary.steps.keys()];
  return {
    ...Object.fromEntries(steps),
    Step: {
      description: 'One of the step types of this host.',
      oneOf: types.map((type) => reference(nameOf(type))),
      discriminator: {
        propertyName: 'type',
        mapping: Object.fromEntries(types.map((type) => [type, reference(nameOf(type)).$ref])),
      },
    },
    Graph: withProperties(plainSchema(vocabulary.graph), {
      steps: { type: 'array', items: reference('Step') },
      edges: { type: 'array', items: reference('Edge') },
    }),
    Settings: plainSchema(vocabulary.settings),
  };
}

/** What a plugin's field is named by, and says. */
export const fieldComponents = (fields: readonly AnyField[]): { readonly [name: string]: JsonObject } =>
  Object.fromEntries(fields.map(({ name, schema }) => [fieldComponent(name), plainSchema(schema)]));

/** `correlation_labels` → `CorrelationLabels` */
export const fieldComponent = (name: string): string => pascal(name);

/** `STEP_TYPE_ACTION` → `ActionStep` */
const nameOf = (type: string): string => `${pascal(type.replace(/^STEP_TYPE_/, ''))}Step`;

const pascal = (snake: string): string =>
  snake
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join('');

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function stepSchema(type: string, schema: JsonSchema): JsonObject {
  const plain = withProperties(plainSchema(schema), { type: { const: type } });
  return { ...plain, required: [...new Set(['ref', 'type', ...(schema.required ?? [])])] };
}

const withProperties = (schema: JsonObject, more: JsonObject): JsonObject => ({
  ...schema,
  properties: { ...(isObject(schema.properties) ? schema.properties : {}), ...more },
});

/** A schema in words that other programs know: what is an expression is said in its description. */
function plainSchema(schema: JsonSchema): JsonObject {
  const { cel } = schema;
  if (cel?.as === 'template') return { description: 'JSON; `${ }` in its texts holds CEL.' };
  if (cel) {
    const yields = cel.value.type === undefined ? '' : ` that yields a ${cel.value.type}`;
    return { type: 'string', description: `A CEL expression${yields}.` };
  }
  const entries = Object.entries(schema).map(([key, value]: [string, Json]) => [key, plainKeyword(key, value)]);
  const plain: JsonObject = Object.fromEntries(entries);
  return plain.format === 'duration' ? { ...plain, description: 'ISO 8601, such as PT30S.' } : plain;
}

function plainKeyword(key: string, value: Json): Json {
  const inner = (each: Json): Json => (isObject(each) ? plainSchema(each as JsonSchema) : each);
  if (key === 'items' || key === 'additionalProperties') return inner(value);
  if (key === 'oneOf' && Array.isArray(value)) return value.map(inner);
  if (key !== 'properties' || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inner(each ?? null)]));
}
