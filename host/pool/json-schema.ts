import type { Problem } from '@ductor/core';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** Every fault of a value, by its path; none: it is valid. */
export type Checker = (value: unknown) => readonly Problem[];

export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const manifests = new Ajv2020({ allErrors: true, useDefaults: true, strict: true, strictRequired: false });
formats.default(manifests);

/** For schemas of our own: fills in their defaults, in place, and finds all faults. `T` is what the schema says. */
export const reader = <T>(schema: object): ((value: unknown) => Read<T>) => {
  const validate = manifests.compile<T>(schema);
  return (value) =>
    validate(value) ? { ok: true, value } : { ok: false, problems: (validate.errors ?? []).map(problem) };
};

/** Whether a third party's schema is one; it is compiled only when it is used. */
export const isSchema = (schema: object): boolean => {
  try {
    return manifests.validateSchema(schema) === true;
  } catch {
    return false;
  }
};

/** For schemas of third parties: unknown keywords pass, the first fault ends the check, the value stays as it is. */
export const inputChecker = (schema: object): Checker => {
  // An instance each: two actions may use the same `$id`.
  const ajv = new Ajv2020({ strict: false, logger: false });
  formats.default(ajv);
  const validate = ajv.compile(schema);
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map(problem));
};

const problem = (error: ErrorObject): Problem => {
  const params: { readonly allowedValues?: readonly string[]; readonly additionalProperty?: string } = error.params;
  const path = error.instancePath
    .slice(1)
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.');
  const allowed = params.allowedValues;
  const extra = params.additionalProperty === undefined ? '' : `: ${params.additionalProperty}`;
  return {
    path,
    code: 'invalid_value',
    message: `${error.message ?? 'is not valid'}${extra}${allowed === undefined ? '' : `: ${allowed.join(', ')}`}`,
    ...(allowed === undefined ? {} : { allowed }),
  };
};
