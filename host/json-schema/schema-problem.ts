import type { Problem } from '@ductor/core';
import type { ErrorObject } from 'ajv/dist/2020.js';

/** One of Ajv's errors in our words; the path is written as in an expression. */
export function problemOf(error: ErrorObject, value: unknown, path: string): Problem {
  const at = pathOf(error.instancePath, value, path);
  const params: Params = error.params;
  switch (error.keyword) {
    case 'required':
    case 'dependentRequired':
      return { path: join(at, params.missingProperty ?? ''), code: 'required', message: 'It is missing.' };
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = params.additionalProperty ?? params.unevaluatedProperty ?? '';
      const allowed = Object.keys(error.parentSchema?.properties ?? {});
      return { path: join(at, name), code: 'unknown_field', message: `No field '${name}' here.`, allowed };
    }
    case 'enum':
    case 'const': {
      const allowed = (params.allowedValues ?? [params.allowedValue]).map(textOf);
      return { path: at, code: 'not_allowed', message: `It can only be ${allowed.join(', ')}.`, allowed };
    }
    case 'type': {
      const types = [params.type ?? []].flat();
      return { path: at, code: 'wrong_type', message: `${sentence(types.map(withArticle).join(' or '))} is needed.` };
    }
    case 'format':
      return { path: at, code: 'wrong_form', message: formatMessage(params.format ?? '') };
    case 'oneOf':
    case 'anyOf':
      return { path: at, code: 'invalid_value', message: choiceMessage(params.passingSchemas) };
    default:
      return { path: at, code: 'invalid_value', message: `It ${error.message ?? 'is not valid'}.` };
  }
}

interface Params {
  readonly missingProperty?: string;
  readonly additionalProperty?: string;
  readonly unevaluatedProperty?: string;
  readonly allowedValues?: readonly unknown[];
  readonly allowedValue?: unknown;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly passingSchemas?: readonly number[] | null;
}

const choiceMessage = (passing: Params['passingSchemas']): string =>
  passing
    ? 'It fits more than one of the forms that exclude each other here.'
    : 'It fits none of the forms allowed here.';

function formatMessage(format: string): string {
  if (format !== 'duration') return `Text of the format ${format} is needed.`;
  return 'A duration such as PT30S or P1D is needed; months and years have no fixed length.';
}

/** From a JSON pointer; whether a number is an index is seen from the value. */
function pathOf(pointer: string, value: unknown, path: string): string {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  let current = value;
  return keys.reduce((parent, key) => {
    const inArray = Array.isArray(current);
    current = typeof current === 'object' && current !== null ? Reflect.get(current, key) : undefined;
    return inArray ? `${parent}[${key}]` : join(parent, key);
  }, path);
}

const join = (path: string, key: string): string => {
  if (!/^[A-Za-z_]\w*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const withArticle = (type: string): string => (type === 'null' ? type : `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`);

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
