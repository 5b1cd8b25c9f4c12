import type { Problem } from '@ductor/core';
import type { Request } from '@hapi/hapi';
import Joi from '@hapi/joi';

/** For `routes.validate.options`: all problems at once, and nothing that was not asked for. */
export const VALIDATION_OPTIONS = { abortEarly: false, errors: { wrap: { label: '' } } } as const;

/** A UUID as the database writes it: in lower case, without braces. */
export const uuid = Joi.string()
  .lowercase()
  .pattern(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i, 'UUID');

/** An instant that PostgreSQL and RFC 3339 share. */
export const instant = Joi.date().iso().min('0001-01-01T00:00:00Z').max('9999-12-31T23:59:59.999Z');

/** The findings of a failed validation, each at its path; empty if the error is none. */
export function problemsOf(request: Request, error: unknown): readonly Problem[] {
  if (!Joi.isError(error)) return [];
  return error.details.map(({ path, type, message, context }) => {
    const allowed =
      type === 'any.only' ? context?.valids : type === 'object.unknown' ? fieldsAt(request, path) : undefined;
    return {
      path: pathText(path),
      code: CODES[type] ?? type.replaceAll('.', '_'),
      message: `${message}.`,
      ...(Array.isArray(allowed) && { allowed: allowed.filter((value) => value !== null).map(String) }),
    };
  });
}

const CODES: { readonly [type: string]: string } = {
  'any.only': 'not_allowed',
  'any.required': 'required',
  'object.unknown': 'unknown_field',
  'string.pattern.name': 'wrong_form',
  'string.pattern.base': 'wrong_form',
};

/** `graph.edges[1].type` */
export const pathText = (path: readonly (string | number)[]): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');

/** The fields that could have stood where an unknown one does, on the first level. */
function fieldsAt({ route }: Request, path: readonly (string | number)[]): readonly string[] | undefined {
  if (path.length !== 1) return undefined;
  const { query, payload } = route.settings.validate ?? {};
  const keys = [query, payload].flatMap((schema) =>
    Joi.isSchema(schema) ? Object.keys((schema.describe() as { keys?: object }).keys ?? {}) : [],
  );
  return keys.length === 0 ? undefined : keys;
}
