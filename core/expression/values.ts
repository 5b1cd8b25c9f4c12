import { type CelList, type CelMap, type CelValue, isCelList, isCelMap } from '@bufbuild/cel';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { currentBudget } from './budget.ts';

/*
 * The engine copies an object's entries each time a variable is read, and takes a null field for an absent one.
 * These two read through to the JSON instead; the engine knows its maps and lists by these registered symbols.
 */
const mapBrand = Symbol.for('@bufbuild/cel/map');
const listBrand = Symbol.for('@bufbuild/cel/list');

class JsonMap {
  readonly [mapBrand] = true;
  readonly json: JsonObject;

  constructor(json: JsonObject) {
    this.json = json;
  }

  get size(): number {
    return this.#names().length;
  }

  get(key: unknown): CelValue | undefined {
    if (typeof key !== 'string' || !Object.hasOwn(this.json, key)) return undefined;
    const value = this.json[key];
    return value === undefined ? undefined : fromJson(value);
  }

  has(key: unknown): boolean {
    return this.get(key) !== undefined;
  }

  forEach(callback: (value: CelValue, key: string, map: JsonMap) => void): void {
    for (const [key, value] of this) callback(value, key, this);
  }

  keys(): IterableIterator<string> {
    return this.#names().values();
  }

  *values(): Generator<CelValue> {
    for (const [, value] of this) yield value;
  }

  *entries(): Generator<[string, CelValue]> {
    for (const key of this.#names()) yield [key, fromJson(this.json[key])];
  }

  [Symbol.iterator](): Generator<[string, CelValue]> {
    return this.entries();
  }

  /** The one thing that takes longer the larger the object is. */
  #names(): readonly string[] {
    const names = Object.keys(this.json);
    currentBudget().spend(names.length * 0.25);
    return names;
  }
}

class JsonList {
  readonly [listBrand] = true;
  readonly json: readonly Json[];

  constructor(json: readonly Json[]) {
    this.json = json;
  }

  get size(): number {
    return this.json.length;
  }

  get(index: number): CelValue | undefined {
    const value = this.json[index];
    return value === undefined ? undefined : fromJson(value);
  }

  *values(): Generator<CelValue> {
    for (const value of this.json) yield fromJson(value);
  }

  [Symbol.iterator](): Generator<CelValue> {
    return this.values();
  }
}

const branded = <T>(value: unknown, is: (value: unknown) => value is T): T => {
  if (!is(value)) throw new Error('the CEL engine no longer knows these values as its own');
  return value;
};
const mapOf = (json: JsonObject): CelMap => branded(new JsonMap(json), isCelMap);
const listOf = (json: readonly Json[]): CelList => branded(new JsonList(json), isCelList);

/** A view, not a copy: constant time whatever the size. */
export const fromJson = (value: unknown): CelValue => {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value;
  }
  if (Array.isArray(value)) return listOf(value);
  if (isObject(value)) return mapOf(value);
  throw new Error(`a variable holds a ${typeof value}, which is no JSON`);
};

/** The JSON that a value merely shows, not made by the expression. */
export const shownJson = (value: CelValue): JsonObject | readonly Json[] | undefined =>
  value instanceof JsonMap || value instanceof JsonList ? value.json : undefined;
