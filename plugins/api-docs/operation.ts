import { isObject, type Json, type JsonObject, type RouteExample } from '@ductor/core';
import type { Schema } from '@hapi/joi';
import { METADATA } from './answer.ts';
import type { Components } from './components.ts';
import { errorAnswers } from './errors.ts';
import type { TableRoute } from './route-table.ts';

/** One route as an OpenAPI operation. */
export function operationOf(route: TableRoute, components: Components): JsonObject {
  const { scopes } = route;
  const takesTenant = scopes !== null && !route.isAboveTenants;
  const examples = namedExamples(route.examples);
  const parameters = [
    ...(takesTenant ? [{ $ref: '#/components/parameters/TenantId' }] : []),
    ...pathParameters(route, components, examples),
    ...queryParameters(route.query, components, examples),
  ];
  const body = bodyOf(route.payload, components, examples);
  const needs = scopes === null ? 'Open without a key.' : `Scope: ${scopes.map((name) => `\`${name}\``).join(' or ')}.`;
  return {
    operationId: route.id ?? derivedId(route),
    ...(route.description !== undefined && { summary: route.description }),
    description: [route.notes, needs].filter((text) => text !== '').join('\n\n'),
    tags: route.tags,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: {
      ...answersOf(route, components, examples),
      ...errorAnswers({
        isOpen: scopes === null,
        takesTenant,
        hasParams: route.path.includes('{'),
        writes: route.method !== 'get',
      }),
    },
    security: (scopes ?? []).map((scope) => ({ ApiKey: [scope] })),
  };
}

/** For a route that gives itself no `id`. */
const derivedId = ({ method, path }: TableRoute): string =>
  [method, ...path.split(/[^A-Za-z\d]+/)]
    .filter((word) => word !== '' && word !== 'api' && word !== 'v2')
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');

type Examples = readonly (readonly [name: string, example: RouteExample])[];

/** One name for all the parts of a call. */
const namedExamples = (examples: readonly RouteExample[]): Examples =>
  examples.map((example) => [
    example.summary
      .toLowerCase()
      .replace(/[^a-z\d]+/g, '-')
      .replace(/^-|-$/g, ''),
    example,
  ]);

const examplesOf = (examples: Examples, pick: (example: RouteExample) => Json | undefined): JsonObject => {
  const picked = examples.flatMap(([name, example]) => {
    const value = pick(example);
    return value === undefined ? [] : [[name, { summary: example.summary, value }] as const];
  });
  return picked.length === 0 ? {} : { examples: Object.fromEntries(picked) };
};

function pathParameters(
  { path, params }: TableRoute,
  components: Components,
  examples: Examples,
): readonly JsonObject[] {
  const fields = fieldsOf(params, components);
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const { description, ...schema } = fields[name] ?? { type: 'string' };
    return {
      name,
      in: 'path',
      required: true,
      ...(description !== undefined && { description }),
      schema,
      ...examplesOf(examples, (example) => example.params?.[name]),
    };
  });
}

function queryParameters(query: Schema | null, components: Components, examples: Examples): readonly JsonObject[] {
  if (query === null) return [];
  const { properties, patternProperties, required = [] } = components.of(query, { open: false });
  const named = Object.entries(isObject(properties) ? properties : {}).map(([name, field]) => {
    const { description, ...schema } = isObject(field) ? oneOrMore(field) : {};
    return {
      name,
      in: 'query',
      ...(Array.isArray(required) && required.includes(name) && { required: true }),
      ...(description !== undefined && { description }),
      schema,
      ...examplesOf(examples, (example) => example.query?.[name]),
    };
  });
  if (!isObject(patternProperties)) return named;
  const names = Object.keys(patternProperties).map(
    (pattern) => `\`${pattern.replace(/^\^|\$$|\\/g, '').replace(/\.\.?$/, '.<key>')}\``,
  );
  const isOther = (name: string) => !(isObject(properties) && name in properties);
  const others = {
    name: 'filters',
    in: 'query',
    description: `Any number of ${names.join(', ')}.`,
    style: 'form',
    explode: true,
    schema: { type: 'object', patternProperties },
    ...examplesOf(examples, ({ query: asked = {} }) => {
      const entries = Object.entries(asked).filter(([name]) => isOther(name));
      return entries.length === 0 ? undefined : Object.fromEntries(entries);
    }),
  };
  return [...named, others];
}

/** Joi takes one value for a list of one; a query says a list by saying its name again. */
function oneOrMore(field: JsonObject): JsonObject {
  const { anyOf, ...rest } = field;
  const list = Array.isArray(anyOf) ? anyOf.find((each: Json) => isObject(each) && each.type === 'array') : undefined;
  return isObject(list) ? { ...rest, ...list } : field;
}

function fieldsOf(schema: Schema | null, components: Components): { readonly [name: string]: JsonObject } {
  if (schema === null) return {};
  const { properties } = components.of(schema, { open: false });
  return (isObject(properties) ? properties : {}) as { readonly [name: string]: JsonObject };
}

function bodyOf(payload: Schema | null, components: Components, examples: Examples): JsonObject | null {
  if (payload === null) return null;
  const { allow = [], keys = {} } = payload.describe() as { allow?: readonly unknown[]; keys?: object };
  const isOptional = allow.includes(null);
  // A call that needs no body takes an empty object for none.
  if (isOptional && Object.keys(keys).length === 0) return null;
  const schema = components.of(payload.invalid(null), { open: false });
  return {
    required: !isOptional,
    content: { 'application/json': { schema, ...examplesOf(examples, ({ payload: sent }) => sent) } },
  };
}

function answersOf(route: TableRoute, components: Components, examples: Examples): JsonObject {
  const { answers, mediaType, isDocument } = route;
  return Object.fromEntries(
    [...answers].map(([status, schema]) => {
      const description = status === 204 ? 'Nothing more is to come.' : 'The answer.';
      if (status === 204) return [status, { description }];
      const own = examples.filter(([, example]) => (example.status ?? 200) === status);
      const isPlain = mediaType !== 'application/json' || isDocument;
      const form = schema === null ? formOf(mediaType) : components.of(schema, { open: true });
      return [
        status,
        {
          description,
          content: {
            [mediaType]: {
              schema: isPlain || schema === null ? form : { allOf: [form, { $ref: '#/components/schemas/Answer' }] },
              ...examplesOf(own, ({ answer }) => (isPlain ? answer : { ...answer, metadata: METADATA })),
            },
          },
        },
      ];
    }),
  );
}

const formOf = (mediaType: string): JsonObject =>
  mediaType.includes('json') ? { type: 'object' } : { type: 'string' };
