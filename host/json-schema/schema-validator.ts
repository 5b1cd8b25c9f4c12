import { isObject, type Problem, parseDuration, type SchemaValidator } from '@ductor/core';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { linearRegExp } from './linear-regexp.ts';
import { collapsed, withoutOpen } from './schema-faults.ts';
import { problemOf } from './schema-problem.ts';

/** JSON Schema 2020-12 for all that third parties write: steps, settings, arguments, schemas themselves. */
export function createSchemaValidator(): SchemaValidator {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    // Authors may annotate as they like; two tenants may use one `$id`.
    strict: false,
    addUsedSchema: false,
    // Optimized code takes twice as long to make, and checks no faster.
    code: { regExp: linearRegExp, optimize: false },
    logger: false,
  });
  formats.default(ajv);
  ajv.addFormat('duration', (text) => parseDuration(text) !== null);
  // Checked by itself: here it only says that a text is an expression.
  ajv.addKeyword('cel');

  /** Ajv would keep every schema for ever; these go with the definition or manifest that they came in. */
  const compiled = new WeakMap<object, ValidateFunction>();
  const compile = (schema: object): ValidateFunction => {
    const known = compiled.get(schema);
    if (known) return known;
    try {
      const validate = ajv.compile(schema);
      compiled.set(schema, validate);
      return validate;
    } finally {
      ajv.removeSchema(schema);
    }
  };

  return {
    validate({ schema, value, path, openness }) {
      const validate = compile(schema);
      if (validate(value)) return [];
      const errors = validate.errors ?? [];
      const certain = openness ? withoutOpen(errors, openness) : errors;
      return collapsed(certain).map((error) => problemOf(error, value, path));
    },
    check(schema, path) {
      if (!isObject(schema)) return [invalidSchema(path, 'A JSON Schema is an object.')];
      // Ajv would answer with a promise, which every check would take for a yes.
      if (schema.$async !== undefined) return [invalidSchema(path, '$async is not supported.')];
      return faultsOf(schema, path);
    },
  };

  function faultsOf(schema: object, path: string): readonly Problem[] {
    if (compiled.has(schema)) return [];
    try {
      if (ajv.validateSchema(schema) !== true) {
        const errors: readonly ErrorObject[] = ajv.errors ?? [];
        return collapsed(errors).map((error) => ({ ...problemOf(error, schema, path), code: 'invalid_schema' }));
      }
      compile(schema);
      return [];
    } catch (error) {
      return [invalidSchema(path, error instanceof Error ? `${error.message}.` : 'It is not valid.')];
    }
  }
}

const invalidSchema = (path: string, message: string): Problem => ({ path, code: 'invalid_schema', message });
