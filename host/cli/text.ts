/** What is printed for people: durations, ages, paths, tables. */
import { relative } from 'node:path';

/** Text from elsewhere must not steer the terminal. */
export const printable = (text: string): string => text.replaceAll(/[^\P{Cc}\t\n]/gu, '\ufffd');

/** For cells and lines of a tree. */
export const oneLine = (text: string): string => printable(text.replaceAll(/\s+/g, ' '));

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
] as const;

/** `12 ms`, `1.03 s`, `2 m 5 s`, `3 d 4 h`. */
export function durationText(ms: number): string {
  const whole = Math.max(0, Math.round(ms));
  if (whole < 1_000) return `${whole} ms`;
  if (whole < 60_000) return `${(whole / 1_000).toFixed(whole < 10_000 ? 2 : 1)} s`;
  const seconds = Math.round(whole / 1_000) * 1_000;
  const at = UNITS.findIndex(([, unit]) => seconds >= unit);
  const [name, unit] = UNITS[at] ?? UNITS[2];
  const [lesser, lesserUnit] = UNITS[at + 1] ?? (['s', 1_000] as const);
  const rest = Math.floor((seconds % unit) / lesserUnit);
  return `${Math.floor(seconds / unit)} ${name}${rest === 0 ? '' : ` ${rest} ${lesser}`}`;
}

/** `512 B`, `31.4 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const power = Math.min(4, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1_000 ** power).toFixed(1)} ${'kMGT'[power - 1]}B`;
}

/** Between two instants as the API writes them; empty if one is missing. */
export const spanText = (from: string | null | undefined, to: string | null | undefined): string =>
  from && to ? durationText(Date.parse(to) - Date.parse(from)) : '';

export function ageText(at: string | null): string {
  if (at === null) return '';
  const ms = Date.now() - Date.parse(at);
  return ms < 60_000 ? `${Math.max(0, Math.floor(ms / 1_000))} s ago` : `${durationText(ms)} ago`;
}

/** A file as it is found from here, or by its whole path if it lies elsewhere. */
export function pathText(path: string): string {
  const here = relative(process.cwd(), path);
  return here.startsWith('..') ? path : here;
}

/** Columns as wide as they have to be; nothing is cut. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '(none)';
  const all = [head, ...rows].map((row) => row.map(oneLine));
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export const prettyJson = (value: unknown): string => printable(JSON.stringify(value, null, 2) ?? 'null');
