import { type CelValue, isCelList, isCelMap, isCelType, isCelUint } from '@bufbuild/cel';
import type { Json } from '../json.ts';
import { currentBudget } from './budget.ts';
import { engineFunction } from './engine.ts';
import { shownJson } from './values.ts';

const asText = engineFunction('string');

/** What an expression yields, as plain JSON. Values taken whole from a variable are shared, not copied. */
export const toJson = (value: CelValue): Json => {
  currentBudget().spend(0.1);
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'string':
      return storable(value);
    case 'number':
      return finite(value);
    case 'bigint':
      return safeInteger(value);
    default:
      return value === null ? null : compoundToJson(value);
  }
};

const compoundToJson = (value: Exclude<CelValue, null | boolean | string | number | bigint>): Json => {
  const shown = shownJson(value);
  if (shown !== undefined) {
    currentBudget().share(shown);
    return shown;
  }
  if (isCelList(value)) return Array.from(value, toJson);
  if (isCelMap(value)) return Object.fromEntries(Array.from(value, ([key, field]) => [fieldName(key), toJson(field)]));
  if (isCelUint(value)) return safeInteger(value.value);
  if (value instanceof Uint8Array) return base64(value);
  if (isCelType(value)) throw new Error(`the result is the type ${value}; a value was expected`);
  // What is left are timestamps and durations, which have a text.
  const text = asText(value);
  if (typeof text !== 'string') throw new Error('the result has no form in JSON');
  return text;
};

const finite = (value: number): number => {
  if (!Number.isFinite(value)) throw new Error(`the result is ${value}, which is no JSON number`);
  return value === 0 ? 0 : value;
};

const safeInteger = (value: bigint): number => {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new Error(`the integer ${value} is beyond ±2^53`);
  return number;
};

const fieldName = (key: unknown): string => {
  if (typeof key !== 'string') throw new Error(`the key ${key} of a map is no string`);
  if (key === '__proto__') throw new Error("'__proto__' is refused as a key");
  return storable(key);
};

/** The database stores neither; `\p{Surrogate}` matches only a lone one. */
const storable = (text: string): string => {
  if (text.includes('\0')) throw new Error('the result has a string with U+0000');
  if (/\p{Surrogate}/u.test(text))
    throw new Error('the result has a string with half of a character (a lone surrogate)');
  return text;
};

const base64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
