import type { Schemas } from '@ductor/client';
import type { Command } from 'commander';
import { collect, collectLabel, type Label } from './arguments.ts';
import { openClient } from './client.ts';
import { examples } from './examples.ts';
import { LIMIT, pageSize, printList } from './list.ts';
import { reasonText } from './reason.ts';
import { addRunControls } from './run/controls.ts';
import { addRunHistory } from './run/history.ts';
import { addRunSignals } from './run/signals.ts';
import { paintFor, print, wantsJson } from './screen.ts';
import { ageText, prettyJson, spanText, table } from './text.ts';
import { drawRun } from './watch/draw.ts';
import { showRunLive } from './watch/live.ts';
import { viewOfSnapshot } from './watch/snapshot.ts';
import { readSteps } from './watch/steps.ts';
import { exitCodeOfRun } from './watch/view.ts';

export function addRun(program: Command): void {
  const group = program
    .command('run')
    .description('runs: what they did, do and wait for, and an operator’s word on them');
  addList(group);
  addShow(group);
  addWatch(group);
  addWhy(group);
  addRunHistory(group);
  addRunControls(group);
  addRunSignals(group);
}

interface ListOptions {
  readonly status?: Schemas['RunStatus'][];
  readonly type?: string;
  readonly label?: readonly Label[];
  readonly active?: boolean;
  readonly limit: number;
}

function addList(group: Command): void {
  group
    .command('list')
    .description('list runs, newest first')
    .option('--status <status>', 'only with this status; may be repeated', collect)
    .option('--type <slug>', 'only of this workflow')
    .option('--label <key=id>', 'only with this correlation label; may be repeated', collectLabel)
    .option('--active', 'only those that are not over')
    .option(...LIMIT)
    .addHelpText(
      'after',
      examples('run list --active', 'run list --type refund-desk --status failed --label order=o-7'),
    )
    .action(async ({ status, type, label = [], active, limit }: ListOptions, command: Command) => {
      const runs = openClient().paged('/api/workflows/runs', {
        params: {
          query: {
            ...(status && { status }),
            ...(type !== undefined && { workflow_type: type }),
            ...(active && { active_only: true }),
            page_size: pageSize(limit),
            filters: Object.fromEntries(label.map(({ key, id }) => [`label.${key}`, id])),
          },
        },
      });
      await printList(command, runs, {
        limit,
        head: ['RUN', 'WORKFLOW', 'STATUS', 'STEP', 'CREATED', 'TOOK'],
        row: (run) => [
          run.run_id,
          `${run.family_slug} v${run.version}`,
          run.status,
          run.current_step ?? '',
          ageText(run.created_at),
          spanText(run.started_at, run.ended_at),
        ],
      });
    });
}

function addShow(group: Command): void {
  group
    .command('show <run-id>')
    .description('show a run: its nodes, output and error')
    .addHelpText('after', examples('run show 0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11'))
    .action(async (run_id: string, _options: object, command: Command) => {
      const client = openClient();
      const { data: snapshot } = await client.GET('/api/v2/workflow-runs/{run_id}/snapshot', {
        params: { path: { run_id } },
      });
      const steps = wantsJson(command) ? [] : await readSteps(client, snapshot.definition_id);
      print(command, { json: snapshot, text: () => snapshotText(snapshot, steps) });
    });
}

function snapshotText(snapshot: Schemas['RunSnapshot'], steps: Awaited<ReturnType<typeof readSteps>>): string {
  const drawn = drawRun(viewOfSnapshot(snapshot, steps), { nowMs: Date.now(), paint: paintFor(process.stdout) });
  const { output, error } = snapshot;
  return [
    ...drawn.map(({ text }) => text),
    ...(error === null ? [] : [`error: ${error.code}: ${error.message}`]),
    ...(output === null ? [] : [`output: ${prettyJson(output)}`]),
  ].join('\n');
}

function addWatch(group: Command): void {
  group
    .command('watch <run-id>')
    .description('show a run as it goes on, until it is over')
    .addHelpText('after', '\nThe exit code is 1 if it failed or was stopped. With --json each event is a line.')
    .addHelpText('after', examples('run watch 0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11'))
    .action(async (runId: string, _options: object, command: Command) => {
      const form = wantsJson(command) ? 'json' : 'tree';
      const { status } = await showRunLive({ client: openClient(), runId, stream: process.stdout, form });
      process.exitCode = exitCodeOfRun(status);
    });
}

function addWhy(group: Command): void {
  group
    .command('why <run-id>')
    .description('say what a run waits for, and when it is looked at again')
    .addHelpText('after', examples('run why 0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11'))
    .action(async (run_id: string, _options: object, command: Command) => {
      const { data } = await openClient().GET('/api/v2/workflow-runs/{run_id}/why', { params: { path: { run_id } } });
      print(command, { json: data, text: () => whyText(data) });
    });
}

function whyText({ run_id, status, reasons }: Schemas['RunWhy']): string {
  const head = `run ${run_id} ${status}`;
  if (reasons.length === 0) return `${head}: it waits for nothing`;
  const rows = reasons.map((reason) => [
    reason.step_ref === null ? '(the run)' : [reason.step_ref, ...reason.branch].join('.'),
    reasonText(reason),
    ageText(reason.since),
    reason.next_wake_at ?? '',
  ]);
  return `${head}\n${table(['STEP', 'WAITS FOR', 'SINCE', 'LOOKED AT AGAIN'], rows)}`;
}
