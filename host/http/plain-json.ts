import { DuctorError } from '@ductor/core';
import { pathText } from './validation.ts';

const DEEPEST = 64;
const LONE_SURROGATE = /\p{Surrogate}/u;

type Path = readonly (string | number)[];

/**
 * Refuses what the database would lose or refuse, naming the path: nesting deeper than 64, U+0000, lone surrogates,
 * integers beyond ±2^53 (JSON.parse has rounded those already), numbers too large to be any, `__proto__` keys.
 */
export const checkPlainJson = (value: unknown): void => check(value, []);

/** `path` is where it stands by now: one list for the whole walk. */
function check(value: unknown, path: (string | number)[]): void {
  if (typeof value === 'string') return checkText(value, path);
  if (typeof value === 'number') return checkNumber(value, path);
  if (typeof value !== 'object' || value === null) return;
  if (path.length >= DEEPEST) throw refused(path, 'too_deep', `is nested deeper than ${DEEPEST} levels`);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      path.push(index);
      check(value[index], path);
      path.pop();
    }
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    if (key === '__proto__') throw refused(path, 'forbidden_key', 'has a key named __proto__');
    checkText(key, path);
    path.push(key);
    check(item, path);
    path.pop();
  }
}

/** For text that comes outside of a body: a query, a path. */
export function checkText(text: string, path: Path): void {
  if (text.includes('\0')) throw refused(path, 'forbidden_character', 'has text with U+0000');
  if (LONE_SURROGATE.test(text)) throw refused(path, 'forbidden_character', 'has text with a lone surrogate');
}

function checkNumber(value: number, path: Path): void {
  if (!Number.isFinite(value)) throw refused(path, 'number_too_large', 'is a number too large to be kept');
  // 2^53 itself may be the rounded form of its neighbour.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw refused(path, 'integer_too_large', 'is an integer beyond ±2^53; send it as text');
  }
}

function refused(path: Path, code: string, why: string): DuctorError {
  const at = pathText(path.map((part) => (typeof part === 'string' ? printable(part) : part)));
  return new DuctorError('invalid_argument', `${at === '' ? 'The body' : at} ${why}.`, [
    { path: at, code, message: `It ${why}.` },
  ]);
}

/** A key may hold the very thing that is refused. */
const printable = (key: string): string =>
  key
    .slice(0, 64)
    .replaceAll('\0', '\uFFFD')
    .replace(/\p{Surrogate}/gu, '\uFFFD');
