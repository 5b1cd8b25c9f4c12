import { isObject, type Json } from '@ductor/core';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import valid from 'semver/functions/valid.js';
import validRange from 'semver/ranges/valid.js';
import { nearest } from '../config/nearest.ts';
import { cidrList } from '../pool/thread/addresses.ts';

/** A fault of a document that an operator wrote. Its message never repeats a value: that may be a secret. */
export interface Finding {
  /** The keys that lead to it, from the document's root. */
  readonly keys: readonly string[];
  readonly message: string;
  readonly allowed?: readonly string[];
}

/** Each document is checked once in a start: to optimize its check takes longer than the check. */
const OPTIONS = { allErrors: true, useDefaults: true, verbose: true, code: { optimize: false } } as const;

/** Our own are JSON Schema, as their test says: compiling the schema of schemas for them costs most of a start. */
const own = addFormats(new Ajv2020({ ...OPTIONS, validateSchema: false }));

/** Ids of two plugins may be equal: none of their schemas stays here. */
const foreign = addFormats(new Ajv2020({ ...OPTIONS, strict: false, logger: false, addUsedSchema: false }));

/** Compiles a schema of our own; a checked document has its defaults filled in. */
export function compileOwn<T>(schema: object): ValidateFunction<T> {
  return own.compile<T>(schema);
}

/** The same for a schema that a plugin brings. Throws what Ajv does. */
export function compileForeign(schema: object): ValidateFunction<Json> {
  try {
    return foreign.compile<Json>(schema);
  } finally {
    foreign.removeSchema(schema);
  }
}

function addFormats(ajv: Ajv2020): Ajv2020 {
  formats.default(ajv);
  return ajv
    .addFormat('version', (text) => valid(text) !== null)
    .addFormat('version-range', (text) => validRange(text) !== null)
    .addFormat('network-range', isNetworkRange);
}

/** Every fault of one check, in the document's words. */
export function findingsOf(errors: readonly ErrorObject[] | null | undefined): readonly Finding[] {
  const all = errors ?? [];
  const alternatives = all.filter(({ keyword }) => keyword === 'oneOf');
  return all.filter((error) => !isNoise(error, alternatives)).map(finding);
}

/** Of the alternatives `const` and object, the one that was meant says what is wrong; the other is noise. */
function isNoise(error: ErrorObject, alternatives: readonly ErrorObject[]): boolean {
  return alternatives.some((alternative) => {
    const inside = error.schemaPath.startsWith(`${alternative.schemaPath}/`);
    const here = error.instancePath === alternative.instancePath;
    if (!isObject(alternative.data)) return inside && here;
    return error === alternative || (inside && here && (error.keyword === 'const' || error.keyword === 'type'));
  });
}

function finding(error: ErrorObject): Finding {
  const keys = error.instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const { params, parentSchema = {} } = error;
  const expected: unknown = parentSchema.title ?? parentSchema.description;
  switch (error.keyword) {
    case 'additionalProperties': {
      const key = String(params.additionalProperty);
      const allowed = Object.keys(parentSchema.properties ?? {});
      return { keys: [...keys, key], message: `unknown key${suggestion(key, allowed)}`, allowed };
    }
    case 'required':
      return { keys: [...keys, String(params.missingProperty)], message: 'is missing' };
    case 'enum': {
      const allowed = listOf(params.allowedValues);
      return { keys, message: `must be one of the allowed values${suggestion(String(error.data), allowed)}`, allowed };
    }
    case 'const':
      return { keys, message: 'must be the allowed value', allowed: listOf([params.allowedValue]) };
    default: {
      // Words say more than a pattern does.
      const isCryptic = ['pattern', 'format', 'oneOf'].includes(error.keyword) && typeof expected === 'string';
      return { keys, message: isCryptic ? `expected ${expected}` : (error.message ?? 'is not valid') };
    }
  }
}

function suggestion(word: string, allowed: readonly string[]): string {
  const meant = nearest(word, allowed);
  return meant === null ? '' : `; did you mean ${meant}?`;
}

const listOf = (values: unknown): readonly string[] => (Array.isArray(values) ? values.map(String) : []);

function isNetworkRange(text: string): boolean {
  try {
    cidrList([text]);
    return true;
  } catch {
    return false;
  }
}
