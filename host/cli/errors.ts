/** The one place where errors become text and an exit code. */
import { CommanderError } from 'commander';
import { printable } from './text.ts';

/** The command was not used as it has to be; its message says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** No host has answered. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** One finding of a refusal, and where in a file it lies if that is known. */
export interface Detail {
  readonly path?: string;
  readonly code?: string;
  readonly message?: string;
  readonly position?: { readonly line: number; readonly column: number };
  readonly allowed?: readonly string[];
  /** `lead-router.yaml:12:5` */
  readonly place?: string;
}

/** A host has answered with a refusal. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly details: unknown;
  /** What to do about it, where the host cannot know. */
  readonly advice: string | undefined;

  constructor(code: string, message: string, { details, advice }: { details?: unknown; advice?: string } = {}) {
    super(message);
    this.code = code;
    this.details = details;
    this.advice = advice;
  }
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UsageError) return 2;
  if (error instanceof Unreachable || (error instanceof ApiError && error.code === 'unavailable')) return 3;
  return 1;
}

/** To stderr, whatever is printed for machines. */
export function report(error: unknown, { json }: { readonly json: boolean }): void {
  console.error(json ? JSON.stringify({ error: asJson(error) }) : asText(error));
}

function asJson(error: unknown): object {
  if (!(error instanceof Error)) return { code: 'internal', message: String(error) };
  const details = 'details' in error && error.details !== undefined ? { details: error.details } : {};
  return { code: codeOf(error), message: error.message, ...details };
}

/** DuctorError has a code too, but is not imported: the core behind it would slow each command down. */
function codeOf(error: Error): string {
  if (error instanceof UsageError) return 'usage';
  if (error instanceof Unreachable) return 'unreachable';
  return 'code' in error && typeof error.code === 'string' ? error.code : 'internal';
}

function asText(error: unknown): string {
  if (!(error instanceof Error)) return `error: ${String(error)}`;
  const code = codeOf(error);
  if (code === 'internal' && !(error instanceof ApiError)) return error.stack ?? error.message;
  const details = 'details' in error ? detailLines(error.details) : [];
  if (!(error instanceof ApiError)) return [`error: ${error.message}`, ...details].join('\n');
  const advice = error.advice === undefined ? [] : [error.advice];
  return [`error: ${printable(error.message)} (${code})`, ...details, ...advice].join('\n');
}

/** Only lists: a message of our own has its other details in it. */
function detailLines(details: unknown): readonly string[] {
  if (!Array.isArray(details)) return [];
  return details.map((detail: Detail) => {
    const { place, path = '', message = JSON.stringify(detail), position, allowed } = detail;
    const within =
      position === undefined ? '' : ` (line ${position.line}, column ${position.column} of the expression)`;
    const choice = allowed === undefined || allowed.length === 0 ? '' : ` (allowed: ${allowed.join(', ')})`;
    const head = [place, path].filter((part) => part !== undefined && part !== '').join('  ');
    return printable(`  ${head}${head === '' ? '' : ': '}${message}${within}${choice}`);
  });
}
