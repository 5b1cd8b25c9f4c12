import type { Command } from 'commander';
import { Api } from './api.ts';
import { collect, collectLabel, type Label, wholeNumber } from './arguments.ts';
import { reasonText } from './reason.ts';
import { paintFor, print, wantsJson } from './screen.ts';
import { ageText, prettyJson, spanText, table } from './text.ts';
import { drawRun } from './watch/draw.ts';
import { showRunLive } from './watch/live.ts';
import { viewOfSnapshot } from './watch/snapshot.ts';
import { readSteps } from './watch/steps.ts';
import { exitCodeOfRun } from './watch/view.ts';
import type { Page, RunItem, Snapshot, WhyAnswer } from './wire.ts';

export function addRun(program: Command): void {
  const group = program.command('run').description('runs: what they did, do and wait for');
  addList(group);
  addShow(group);
  addWatch(group);
  addWhy(group);
}

interface ListOptions {
  readonly status?: readonly string[];
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
    .option('--limit <count>', 'how many, at most 500', wholeNumber, 50)
    .action(async ({ status, type, label = [], active, limit }: ListOptions, command: Command) => {
      const page = await new Api().get<Page<RunItem>>('/api/workflows/runs', {
        status,
        workflow_type: type,
        active_only: active,
        page_size: limit,
        ...Object.fromEntries(label.map(({ key, id }) => [`label.${key}`, id])),
      });
      const rows = page.items.map((run) => [
        run.run_id,
        `${run.family_slug} v${run.version}`,
        run.status,
        run.current_step ?? '',
        ageText(run.created_at),
        spanText(run.started_at, run.ended_at),
      ]);
      const more = page.next_page_token === null ? '' : `\nThere are more: narrow the list, or raise --limit.`;
      print(command, {
        json: page,
        text: () => table(['RUN', 'WORKFLOW', 'STATUS', 'STEP', 'CREATED', 'TOOK'], rows) + more,
      });
    });
}

function addShow(group: Command): void {
  group
    .command('show <run-id>')
    .description('show a run: its nodes, output and error')
    .action(async (runId: string, _options: object, command: Command) => {
      const api = new Api();
      const snapshot = await api.get<Snapshot>(`/api/v2/workflow-runs/${encodeURIComponent(runId)}/snapshot`);
      if (wantsJson(command)) return print(command, { json: snapshot, text: () => '' });
      const view = viewOfSnapshot(snapshot, await readSteps(api, snapshot.definition_id));
      const lines = drawRun(view, { nowMs: Date.now(), paint: paintFor(process.stdout) }).map(({ text }) => text);
      const { output, error } = snapshot;
      if (error !== null) lines.push(`error: ${error.code}: ${error.message}`);
      if (output !== null) lines.push(`output: ${prettyJson(output)}`);
      print(command, { json: snapshot, text: () => lines.join('\n') });
    });
}

function addWatch(group: Command): void {
  group
    .command('watch <run-id>')
    .description('show a run as it goes on, until it is over')
    .addHelpText('after', '\nThe exit code is 1 if it failed or was stopped. With --json each event is a line.')
    .action(async (runId: string, _options: object, command: Command) => {
      const form = wantsJson(command) ? 'json' : 'tree';
      const { status } = await showRunLive({ api: new Api(), runId, stream: process.stdout, form });
      process.exitCode = exitCodeOfRun(status);
    });
}

function addWhy(group: Command): void {
  group
    .command('why <run-id>')
    .description('say what a run waits for, and when it is looked at again')
    .action(async (runId: string, _options: object, command: Command) => {
      const answer = await new Api().get<WhyAnswer>(`/api/v2/workflow-runs/${encodeURIComponent(runId)}/why`);
      print(command, { json: answer, text: () => whyText(answer) });
    });
}

function whyText({ run_id, status, reasons }: WhyAnswer): string {
  const head = `run ${run_id} ${status}`;
  if (reasons.length === 0) return `${head}: it waits for nothing`;
  const rows = reasons.map((reason) => [
    reason.step_ref === null ? '(the run)' : [reason.step_ref, ...reason.branch].join('.'),
    reasonText(reason),
    ageText(reason.since),
    reason.next_wake_at,
  ]);
  return `${head}\n${table(['STEP', 'WAITS FOR', 'SINCE', 'LOOKED AT AGAIN'], rows)}`;
}
