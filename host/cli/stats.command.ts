import type { Schemas } from '@ductor/client';
import { type Command, Option } from 'commander';
import { openClient } from './client.ts';
import { examples } from './examples.ts';
import { print } from './screen.ts';
import { durationText, table } from './text.ts';

interface Options {
  readonly from?: string;
  readonly to?: string;
  readonly bucket: 'minute' | 'hour' | 'day';
  readonly type?: string;
}

export function addStats(program: Command): void {
  program
    .command('stats')
    .description('count runs and attempts over time: by default over the last 24 hours')
    .option('--from <instant>', 'such as 2026-01-02T00:00:00Z')
    .option('--to <instant>', 'before it (default: now)')
    .addOption(new Option('--bucket <size>', 'of time').choices(['minute', 'hour', 'day']).default('hour'))
    .option('--type <slug>', 'only of this workflow')
    .addHelpText('after', examples('stats --bucket day --type refund-desk'))
    .action(async ({ from, to, bucket, type }: Options, command: Command) => {
      const { data } = await openClient().GET('/api/workflows/stats', {
        params: {
          query: {
            bucket,
            ...(from !== undefined && { from }),
            ...(to !== undefined && { to }),
            ...(type !== undefined && { workflow_type: type }),
          },
        },
      });
      print(command, { json: data, text: () => statsText(data) });
    });
}

function statsText({ from, to, series, workflows, actions, open }: Schemas['Stats']): string {
  return [
    `from ${from} to ${to}`,
    `open now: ${open.count}${open.is_capped ? ' or more' : ''}`,
    '',
    table(
      ['FROM', ...RUNS],
      series.map((part) => [part.at, ...runCells(part)]),
    ),
    '',
    table(
      ['WORKFLOW', ...RUNS],
      workflows.map((part) => [part.workflow_type ?? '(gone)', ...runCells(part)]),
    ),
    '',
    table(
      ['ACTION', 'ATTEMPTS', ...DURATIONS],
      actions.map(({ action, attempts, duration }) => [action, countsText(attempts), ...durationCells(duration)]),
    ),
  ].join('\n');
}

const DURATIONS = ['P50', 'P90', 'P99'];
const RUNS = ['CREATED', 'ENDED', ...DURATIONS];

type Counts = Schemas['Stats']['series'][number]['ended'];
type Durations = Schemas['DurationSummary'];

const runCells = (part: { readonly created: number; readonly ended: Counts; readonly duration: Durations }) => [
  String(part.created),
  countsText(part.ended),
  ...durationCells(part.duration),
];

const durationCells = ({ p50_ms, p90_ms, p99_ms }: Durations): readonly string[] =>
  [p50_ms, p90_ms, p99_ms].map((ms) => (ms === null ? '' : durationText(ms)));

const countsText = (counts: Counts): string =>
  Object.entries(counts)
    .map(([status, count]) => `${count} ${status}`)
    .join(', ');
