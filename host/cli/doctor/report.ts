import type { Finding, Status } from '../../doctor/check.ts';
import type { Paint, Style } from '../screen.ts';
import { printable } from '../text.ts';

const styles: { readonly [S in Status]: Style } = { ok: 'green', warning: 'yellow', broken: 'red', skipped: 'dim' };

/** One line for each thing that was looked at, and below it what to do. */
export function report(findings: readonly Finding[], paint: Paint): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, status, found, remedy }) => {
    const indent = ' '.repeat('warning'.length + 2 + width + 2);
    const [first, ...rest] = printable(found).split('\n');
    return [
      `${paint(styles[status], status.padEnd('warning'.length))}  ${check.padEnd(width)}  ${first}`,
      ...rest.map((line) => `${indent}${line}`),
      ...(remedy === null ? [] : [`${indent}→ ${printable(remedy)}`]),
    ];
  });
  return [...lines, '', verdict(findings)].join('\n');
}

function verdict(findings: readonly Finding[]): string {
  const count = (wanted: Status): number => findings.filter(({ status }) => status === wanted).length;
  const warnings = count('warning') === 0 ? '' : `, ${count('warning')} to look at`;
  return count('broken') === 0 ? `Nothing is broken${warnings}.` : `${count('broken')} broken${warnings}.`;
}
