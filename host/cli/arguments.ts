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
  const at = text.indexOf('=');
  if (at < 1 || at === text.length - 1) throw new InvalidArgumentError('Write it as key=id, such as order=o-42.');
  return [...before, { key: text.slice(0, at), id: text.slice(at + 1) }];
}

export const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** For options that count something. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It is a whole number from 1 on.');
  return Number(text);
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

function readText(file: string, option: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new UsageError(`${option}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
