/** How arguments are read; what cannot be read is wrong usage. */
import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { UsageError } from './errors.ts';

export interface Label {
  readonly key: string;
  readonly id: string;
}

/** For a repeatable `--label key=id`. */
export function collectLabel(text: string, before: readonly Label[] = []): readonly Label[] {
  const [key, id] = pairOf(text, 'key=id, such as order=o-42');
  return [...before, { key, id }];
}

/** `name=value`, which `form` says in the words of its option. Throws InvalidArgumentError. */
export function pairOf(text: string, form: string): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1 || at === text.length - 1) throw new InvalidArgumentError(`Write it as ${form}.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

export const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** For options that count something. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It is a whole number from 1 on.');
  return Number(text);
}

/** For `--branch 0.2`: the indexes of the branches around a step, outermost first. */
export function branchPath(text: string): number[] {
  if (!/^\d{1,9}(\.\d{1,9})*$/.test(text)) throw new InvalidArgumentError('Write it as indexes, such as 0 or 0.2.');
  return text.split('.').map(Number);
}

/** JSON itself, `@file`, or `@-` for stdin. Throws `UsageError`. */
export function readJson(text: string, option: string): unknown {
  const source = text.startsWith('@') ? readText(text.slice(1), option) : text;
  try {
    return JSON.parse(source);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${option} is no JSON: ${reason}. Write JSON, or @file for JSON in a file.`);
  }
}

/** As `readJson`, where nothing but an object makes sense. */
export function readObject(text: string, option: string): { [name: string]: unknown } {
  const value = readJson(text, option);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new UsageError(`${option} has to be a JSON object, such as {"a": 1}.`);
}

/** `-` is stdin. Throws `UsageError`. */
export function readText(file: string, option: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new UsageError(`${option}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
