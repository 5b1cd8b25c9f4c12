import type { Problem } from '@ductor/core';
import type { Request } from '@hapi/hapi';
import Joi, { type ValidationErrorItem } from '@hapi/joi';

/** For `routes.validate.options`: all problems at once, and nothing that was not asked for. */
export const VALIDATION_OPTIONS = { abortEarly: false, errors: { wrap: { label: '' } } } as const;

/** A UUID as the database writes it: in lower case, without braces. */
export const uuid = Joi.string()
  .lowercase()
  .pattern(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i, 'UUID');

/** An instant that PostgreSQL and RFC 3339 share. */
export const instant = Joi.date().iso().min('0001-01-01T00:00:00Z').max('9999-12-31T23:59:59.999Z');

/** The findings of a failed validation, each at its path; empty if the error is none. */
export const problemsOf = (request: Request, error: unknown): readonly Problem[] =>
  problemsIn(error, schemasOf(request));

/** `schemas`: what was validated by, to tell what could have stood where an unknown field does. */
export function problemsIn(error: unknown, schemas: readonly unknown[]): readonly Problem[] {
  if (!Joi.isError(error)) return [];
  return error.details.map((detail) => {
    const { path, type, context } = detail;
    const allowed = type === 'object.unknown' ? fieldsAt(schemas, path) : context?.valids;
    return {
      path: pathText(path),
      // Joi's types have a dot; another is a code that the schema has given its refusal.
      code: CODES[type] ?? (type.includes('.') ? 'invalid_value' : type),
      message: messageOf(detail),
      ...(Array.isArray(allowed) && { allowed: allowed.filter((value) => value !== null).map(String) }),
    };
  });
}

/** Joi's types in our words, which are those of other findings too. */
const CODES: { readonly [type: string]: string } = {
  'any.only': 'not_allowed',
  'any.required': 'required',
  'array.base': 'wrong_type',
  'array.max': 'out_of_range',
  'array.min': 'out_of_range',
  'boolean.base': 'wrong_type',
  'date.base': 'wrong_form',
  'date.format': 'wrong_form',
  'date.max': 'out_of_range',
  'date.min': 'out_of_range',
  'number.base': 'wrong_type',
  'number.integer': 'wrong_type',
  'number.max': 'out_of_range',
  'number.min': 'out_of_range',
  'number.unsafe': 'out_of_range',
  'object.base': 'wrong_type',
  'object.missing': 'required',
  'object.unknown': 'unknown_field',
  'object.xor': 'exclusive_fields',
  'string.base': 'wrong_type',
  'string.empty': 'out_of_range',
  'string.max': 'out_of_range',
  'string.min': 'out_of_range',
  'string.pattern.base': 'wrong_form',
  'string.pattern.name': 'wrong_form',
};

function messageOf({ type, message, context }: ValidationErrorItem): string {
  if (type !== 'object.xor') return `${message}.`;
  const list = (names: unknown) => [names].flat().join(', ');
  return `${context?.label} has ${list(context?.present)}: exactly one of ${list(context?.peers)} is needed.`;
}

/** `graph.edges[1].type` */
export const pathText = (path: readonly (string | number)[]): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');

function schemasOf({ route }: Request): readonly unknown[] {
  const { query, payload } = route.settings.validate ?? {};
  return [query, payload];
}

/** The fields that could have stood where an unknown one does, on the first level. */
function fieldsAt(schemas: readonly unknown[], path: readonly (string | number)[]): readonly string[] | undefined {
  if (path.length !== 1) return undefined;
  const keys = schemas.flatMap((schema) =>
    Joi.isSchema(schema) ? Object.keys((schema.describe() as { keys?: object }).keys ?? {}) : [],
  );
  return keys.length === 0 ? undefined : keys;
}
