import type { Openness } from '@ductor/core';
import type { ErrorObject } from 'ajv/dist/2020.js';

type OpennessOf = (text: string) => Openness;

/** Keywords whose verdict may turn with any value below the place where they stand. */
const WHOLE = new Set(['oneOf', 'anyOf', 'not', 'if', 'const', 'enum', 'contains', 'uniqueItems']);

/** Without what a value that is still to come may set right. */
export function withoutOpen(errors: readonly ErrorObject[], opennessOf: OpennessOf): readonly ErrorObject[] {
  const undecided = errors.filter((error) => WHOLE.has(error.keyword) && hasOpen(error.data, opennessOf));
  return errors.filter((error) => {
    if (undecided.some((whole) => error === whole || isInside(error, whole))) return false;
    if (typeof error.data !== 'string') return true;
    const openness = opennessOf(error.data);
    return openness === null || (openness === 'text' && error.keyword === 'type');
  });
}

function hasOpen(value: unknown, opennessOf: OpennessOf): boolean {
  if (typeof value === 'string') return opennessOf(value) !== null;
  return typeof value === 'object' && value !== null && Object.values(value).some((each) => hasOpen(each, opennessOf));
}

/**
 * One answer for a choice that failed: what is wrong in the one alternative of the value's own type, if there is just
 * one such, else that none of them fits.
 */
export function collapsed(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const choices = errors.filter(({ keyword }) => keyword === 'oneOf' || keyword === 'anyOf');
  return choices.reduce<readonly ErrorObject[]>((left, choice) => {
    const inside = left.filter((error) => isInside(error, choice));
    if (inside.length === 0) return left;
    const ofOtherType = new Set(
      inside.filter((error) => isTypeOf(error, choice)).map((error) => branchOf(error, choice)),
    );
    const fitting = inside.filter((error) => !ofOtherType.has(branchOf(error, choice)));
    const branches = new Set(fitting.map((error) => branchOf(error, choice)));
    const outside = left.filter((error) => !inside.includes(error));
    if (branches.size === 1) return [...outside.filter((error) => error !== choice), ...fitting];
    if (branches.size > 1) return outside;
    const types = inside.filter((error) => isTypeOf(error, choice)).flatMap(({ params }) => params.type);
    return outside.map((error) => (error === choice ? { ...error, keyword: 'type', params: { type: types } } : error));
  }, errors);
}

/** What `$ref` leads to is told by its own place in the schema, and so by no more than the place in the value. */
const REFERRED = /^(?!#\/)|^#\/(?:\$defs|definitions)\/[^/]*/;

function isInside(error: ErrorObject, whole: ErrorObject): boolean {
  if (error === whole) return false;
  const { instancePath, schemaPath } = error;
  const isAtOrBelow = instancePath === whole.instancePath || instancePath.startsWith(`${whole.instancePath}/`);
  return isAtOrBelow && (partsOf(whole).some((part) => schemaPath.startsWith(part)) || REFERRED.test(schemaPath));
}

/** Where in the schema that stands which a keyword chooses from. */
function partsOf({ keyword, schemaPath }: ErrorObject): readonly string[] {
  if (keyword !== 'if') return [`${schemaPath}/`];
  const beside = schemaPath.slice(0, -'if'.length);
  return [`${beside}then/`, `${beside}else/`];
}

const branchOf = (error: ErrorObject, choice: ErrorObject): string =>
  error.schemaPath.startsWith(`${choice.schemaPath}/`)
    ? (error.schemaPath.slice(choice.schemaPath.length + 1).split('/')[0] ?? '')
    : (REFERRED.exec(error.schemaPath)?.[0] ?? '');

const isTypeOf = (error: ErrorObject, choice: ErrorObject): boolean =>
  error.keyword === 'type' && error.instancePath === choice.instancePath;
