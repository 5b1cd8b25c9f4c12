/** The one place where errors become text and an exit code. */
import { DuctorApiError, DuctorConnectionError } from '@ductor/client';
import { CommanderError } from 'commander';
import { clientSettings } from './client.ts';
import { type Detail, UsageError } from './errors.ts';
import { printable } from './text.ts';

export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UsageError) return 2;
  if (error instanceof DuctorConnectionError) return 3;
  return error instanceof DuctorApiError && error.code === 'unavailable' ? 3 : 1;
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
  if (error instanceof DuctorConnectionError) return 'unreachable';
  return 'code' in error && typeof error.code === 'string' ? error.code : 'internal';
}

function asText(error: unknown): string {
  if (!(error instanceof Error)) return `error: ${String(error)}`;
  const isAnswer = error instanceof DuctorApiError;
  const code = codeOf(error);
  if (code === 'internal' && !isAnswer) return error.stack ?? error.message;
  const details = 'details' in error ? detailLines(error.details) : [];
  const head = isAnswer ? `error: ${printable(error.message)} (${code})` : `error: ${error.message}`;
  return [head, ...details, ...adviceOn(error)].join('\n');
}

/** What to do about it, where the error itself cannot know. */
function adviceOn(error: Error): readonly string[] {
  if (error instanceof DuctorConnectionError) {
    return ['Start a host with `ductor start`, or set DUCTOR_URL to where one answers.'];
  }
  if (!(error instanceof DuctorApiError)) return [];
  if (error.code.startsWith('http_')) return ['Is DUCTOR_URL right?'];
  if (error.code !== 'unauthenticated') return [];
  const { keySource, url } = clientSettings(process.env);
  return [`The key came from ${keySource}. Does it belong to ${url}?`];
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
