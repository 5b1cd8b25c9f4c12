import { isObject, type JsonObject } from '@ductor/core';

/** As Joi describes what it says of several fields at once. */
interface Described {
  readonly dependencies?: readonly { readonly rel: string; readonly peers: readonly string[] }[];
}

/** Adds which fields an object needs one of, which joi's conversion leaves out. */
export function withChoices(schema: JsonObject, described: object): JsonObject {
  const { dependencies = [] } = described as Described;
  const { properties } = schema;
  if (!isObject(properties)) return schema;
  const exclusive = dependencies.find(({ rel }) => rel === 'xor');
  // Where that is all of them, each is an object of one field.
  if (exclusive && exclusive.peers.length === Object.keys(properties).length) {
    return { oneOf: exclusive.peers.map((name) => oneField(name, properties[name] ?? {})) };
  }
  const needed = (peers: readonly string[]) => peers.map((name) => ({ required: [name] }));
  const some = dependencies.find(({ rel }) => rel === 'or');
  return {
    ...schema,
    ...(exclusive && { oneOf: needed(exclusive.peers) }),
    ...(some && { anyOf: needed(some.peers) }),
  };
}

const oneField = (name: string, schema: JsonObject[string]): JsonObject => ({
  title: name,
  type: 'object',
  required: [name],
  properties: { [name]: schema },
  additionalProperties: false,
});
