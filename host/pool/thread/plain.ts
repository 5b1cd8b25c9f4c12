import type { Json } from '@ductor/core';

/** Why a value cannot leave the thread. */
export class NotPlain extends Error {
  override readonly name = 'NotPlain';
  readonly code: 'invalid_output' | 'payload_too_large';

  constructor(message: string, code: 'invalid_output' | 'payload_too_large' = 'invalid_output') {
    super(message);
    this.code = code;
  }
}

export interface PlainOptions {
  /** Named in messages as the root of every path. */
  readonly root: string;
  readonly maxBytes: number;
  /** Applied to every string and key. */
  readonly redact: (text: string) => string;
}

const MAX_DEPTH = 64;
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * A copy of `value` as plain JSON. `undefined` is dropped (alone: null), `toJSON` is honoured, instances keep their
 * enumerable data. Throws `NotPlain` for whatever JSON or the database would lose or refuse.
 */
export const toPlain = (value: unknown, options: PlainOptions): Json => {
  const path: (string | number)[] = [];
  let values = 0;

  const refuse = (why: string): never => {
    throw new NotPlain(`${[options.root, ...path].join('.')} ${why}`);
  };

  const text = (value: string): string => {
    if (value.includes('\0')) refuse('has text with U+0000');
    if (LONE_SURROGATE.test(value)) refuse('has text with a lone surrogate');
    return options.redact(value);
  };

  const number = (value: number): number | string => {
    if (!Number.isFinite(value)) refuse(`is ${value}`);
    if (Number.isInteger(value) && Math.abs(value) > 2 ** 53) refuse('is an integer beyond ±2^53');
    const written = String(value);
    const shown = options.redact(written);
    return shown === written ? value : shown;
  };

  const list = (items: readonly unknown[]): Json => {
    if (items.length > options.maxBytes) throw tooLarge(`more than ${items.length}`, options.maxBytes);
    const copy: Json[] = [];
    for (let index = 0; index < items.length; index += 1) {
      path.push(index);
      copy.push(plain(items[index]) ?? null);
      path.pop();
    }
    return copy;
  };

  const object = (value: object): Json => {
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) refuse('is binary data (return base64 text)');
    if (value instanceof Map || value instanceof Set) refuse('is a Map or Set (return an object or a list)');
    if (value instanceof Promise) refuse('is a promise that was not awaited');
    const copy: { [key: string]: Json } = {};
    for (const key of Object.keys(value)) {
      path.push(key);
      if (key === '__proto__') refuse('is a key named __proto__');
      const member = plain(Reflect.get(value, key));
      if (member !== undefined) copy[text(key)] = member;
      path.pop();
    }
    return copy;
  };

  const plain = (value: unknown): Json | undefined => {
    values += 1;
    if (values > options.maxBytes) throw tooLarge(`more than ${values}`, options.maxBytes);
    switch (typeof value) {
      case 'string':
        return text(value);
      case 'number':
        return number(value);
      case 'boolean':
      case 'undefined':
        return value;
      case 'object':
        if (value === null) return null;
        if (path.length >= MAX_DEPTH) refuse(`is nested deeper than ${MAX_DEPTH} levels, or refers to itself`);
        if ('toJSON' in value && typeof value.toJSON === 'function' && !ArrayBuffer.isView(value)) {
          const replaced: unknown = value.toJSON();
          if (typeof replaced !== 'object' || replaced === null) return plain(replaced);
          return Array.isArray(replaced) ? list(replaced) : object(replaced);
        }
        return Array.isArray(value) ? list(value) : object(value);
      default:
        return refuse(`is a ${typeof value}`);
    }
  };

  return plain(value) ?? null;
};

/** The JSON text of a value that leaves; `stringify` is taken before any connector could replace it. */
export const toPlainText = (value: unknown, options: PlainOptions): string => {
  const json = stringify(toPlain(value, options));
  const bytes = byteLength(json);
  if (bytes > options.maxBytes) throw tooLarge(`${bytes}`, options.maxBytes);
  return json;
};

const { stringify } = JSON;
const { byteLength } = Buffer;

const tooLarge = (size: string, limit: number): NotPlain =>
  new NotPlain(`the output is ${size} bytes; the limit is ${limit}`, 'payload_too_large');
