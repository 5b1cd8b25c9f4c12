import type { Command } from 'commander';
import { Api } from './api.ts';
import { collectLabel, type Label, readJson } from './arguments.ts';
import { UsageError } from './errors.ts';
import { print } from './screen.ts';
import { prettyJson } from './text.ts';
import { exitCodeOfRun, isFinalStatus } from './watch/view.ts';
import type { TriggerAnswer } from './wire.ts';

interface Options {
  readonly input?: string;
  readonly key?: string;
  readonly label?: readonly Label[];
  readonly wait?: boolean;
  readonly checkpoint?: string;
}

export function addTrigger(program: Command): void {
  program
    .command('trigger <slug-or-id>')
    .description('start a run: of the latest version for a slug, of exactly that version for its id')
    .option('--input <json>', 'the input as JSON, @file, or @- for stdin (default: {})')
    .option('--key <key>', 'idempotency key: the same key and request answer with the same run')
    .option('--label <key=id>', 'a correlation label; may be repeated', collectLabel)
    .option('--wait', 'wait up to 30 s for the first checkpoint that replies, and print the reply')
    .option('--checkpoint <name>', 'wait for this one; means --wait')
    .addHelpText('after', '\nWith --wait the exit code is 1 if the run has failed or was stopped.')
    .action(async (address: string, options: Options, command: Command) => {
      const { input, key, label, checkpoint } = options;
      const waits = options.wait === true || checkpoint !== undefined;
      if (address === '') throw new UsageError('Name a workflow by its slug, or a version by its id.');
      const answer = await new Api().post<TriggerAnswer>(
        `/api/v2/workflow-definitions/${encodeURIComponent(address)}:trigger`,
        {
          ...(input !== undefined && { input: readJson(input, '--input') }),
          ...(key !== undefined && { idempotency_key: key }),
          ...(label !== undefined && { correlation_labels: label }),
          ...(waits && { wait_for_checkpoint: true }),
          ...(checkpoint !== undefined && { checkpoint_name: checkpoint }),
        },
      );
      print(command, { json: answer, text: () => textOf(answer, waits) });
      if (waits) process.exitCode = exitCodeOfRun(answer.status);
    });
}

function textOf(answer: TriggerAnswer, waits: boolean): string {
  const { run_id, status } = answer;
  const head = `run ${run_id} ${status}`;
  if ('response_group_output' in answer) return `${head}\n${prettyJson(answer.response_group_output)}`;
  if (!waits) return `${head}\nWatch it: ductor run watch ${run_id}`;
  return isFinalStatus(status)
    ? `${head} without such a checkpoint\nSee why: ductor run show ${run_id}`
    : `${head}: no such checkpoint yet, and it goes on\nWatch it: ductor run watch ${run_id}`;
}
