import { DuctorError, type JsonObject } from '@ductor/core';
import Joi, { type Schema } from '@hapi/joi';
import { withChoices } from './choices.ts';
import { mapSchema, withNull } from './json-schema.ts';

export type NamedSchemas = { readonly [name: string]: JsonObject };

/**
 * Joi schemas as JSON Schema, by joi's own conversion. Joi writes a named schema out wherever it is used and loses
 * names in arrays and alternatives; so each schema is converted by itself, with placeholders for those inside it.
 */
export class Components {
  private readonly said: NamedSchemas;
  private readonly named = new Map<string, JsonObject>();
  private readonly owners = new Map<string, Schema>();

  /** `said`: JSON Schemas that say more than the schemas of the same names. */
  constructor(said: NamedSchemas) {
    this.said = said;
  }

  /** All by name, in alphabetical order, with those of `given` that no schema has named. */
  all(given: NamedSchemas): JsonObject {
    const all = Object.entries({ ...given, ...Object.fromEntries(this.named), ...this.said });
    return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** The schema itself, or a reference to the component of its name. `open`: of an answer, which may grow. */
  of(schema: Schema, { open }: { readonly open: boolean }): JsonObject {
    const name: unknown = schema.$_getFlag('id');
    if (typeof name !== 'string') return this.inline(schema, open);
    this.name(name, schema, open);
    const reference = { $ref: `#/components/schemas/${name}` };
    return allowsNull(schema) ? withNull(reference) : reference;
  }

  /** The first that has a name defines it: requests come before answers. */
  private name(name: string, schema: Schema, open: boolean): void {
    const owner = this.owners.get(name);
    const plain = schema.optional().invalid(null);
    if (owner !== undefined) {
      if (owner === schema || same(owner.describe(), schema.describe())) return;
      throw new DuctorError('internal', `Two schemas of the API are named ${name}: give one of them another id.`);
    }
    this.owners.set(name, schema);
    // Held before it is known, for one that refers to itself.
    this.named.set(name, {});
    this.named.set(name, this.inline(plain, open));
  }

  private inline(schema: Schema, open: boolean): JsonObject {
    const inner: Schema[] = [];
    const shallow = withChildren(schema, (child) => {
      const place = Joi.any().description(`${PLACEHOLDER}${inner.push(child) - 1}`);
      return child.$_getFlag('presence') === 'required' ? place.required() : place;
    });
    const { $defs: _, ...plain } = shallow['~standard'].jsonSchema.input({ target: 'draft-2020-12' }) as JsonObject;
    const converted = withChoices(plain as JsonObject, schema.describe());
    return mapSchema(converted, (each) => {
      const child = inner[placeOf(each)];
      if (child !== undefined) return this.of(child, { open });
      const { 'x-constraint': _, additionalProperties, enum: values, ...rest } = each;
      return {
        ...rest,
        ...(additionalProperties !== undefined &&
          !(open && additionalProperties === false) && { additionalProperties }),
        // Joi names null in the type, and leaves it out of the values.
        ...(Array.isArray(values) && {
          enum: [each.type].flat().includes('null') && !values.includes(null) ? [...values, null] : values,
        }),
      };
    });
  }
}

/** A copy with each schema directly inside it replaced. Joi's types have `each` as a boolean, which it never is. */
const withChildren = (schema: Schema, each: (child: Schema) => Schema): Schema =>
  (schema as unknown as { $_modify(options: { ref: false; each: typeof each }): Schema }).$_modify({
    ref: false,
    each,
  });

const PLACEHOLDER = 'ductor placeholder ';
const placeOf = ({ description }: JsonObject): number =>
  typeof description === 'string' && description.startsWith(PLACEHOLDER)
    ? Number(description.slice(PLACEHOLDER.length))
    : -1;

const allowsNull = (schema: Schema): boolean =>
  (schema.describe() as { readonly allow?: readonly unknown[] }).allow?.includes(null) === true;

const same = (a: object, b: object): boolean => essence(a) === essence(b);

/** Whether a place asks for it, has a default for it or allows null in it is the place's own. */
const essence = (description: object): string => {
  const {
    flags,
    allow: _,
    invalid: ___,
    ...rest
  } = description as { flags?: object; allow?: unknown; invalid?: unknown };
  const { presence: __, default: ____, ...others } = { presence: undefined, default: undefined, ...flags };
  return JSON.stringify([others, rest], (_key, value: unknown) => (value instanceof RegExp ? String(value) : value));
};
