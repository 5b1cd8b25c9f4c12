import type { Schemas } from '@ductor/client';
import { type Command, Option } from 'commander';
import { collectLabel, type Label, readJson } from './arguments.ts';
import { openClient } from './client.ts';
import { UsageError } from './errors.ts';
import { examples } from './examples.ts';
import { print } from './screen.ts';
import { prettyJson } from './text.ts';
import { exitCodeOfRun, isFinalStatus } from './watch/view.ts';

interface Options {
  readonly input?: string;
  readonly key?: string;
  readonly label?: readonly Label[];
  readonly wait?: boolean;
  readonly checkpoint?: string;
  readonly batch?: string;
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
    .addOption(
      new Option(
        '--batch <file>',
        'start a run for each line, such as {"input": {…}, "idempotency_key": "k"}; - is stdin',
      ).conflicts(['input', 'key', 'label', 'wait', 'checkpoint']),
    )
    .addHelpText(
      'after',
      '\nWith --wait the exit code is 1 if the run has failed or was stopped, with --batch if a line was refused.',
    )
    .addHelpText(
      'after',
      examples(
        `trigger refund-desk --input '{"order": "o-7", "amount": 40}' --wait`,
        'trigger refund-desk --batch orders.jsonl',
      ),
    )
    .action(async (address: string, options: Options, command: Command) => {
      if (address === '') throw new UsageError('Name a workflow by its slug, or a version by its id.');
      if (options.batch !== undefined) {
        const { triggerBatch } = await import('./trigger/batch.ts');
        return triggerBatch({ client: openClient(), address, file: options.batch, command });
      }
      await triggerOne(address, options, command);
    });
}

async function triggerOne(definition_id: string, options: Options, command: Command): Promise<void> {
  const { input, key, label, checkpoint } = options;
  const waits = options.wait === true || checkpoint !== undefined;
  const { data } = await openClient().POST('/api/v2/workflow-definitions/{definition_id}:trigger', {
    params: { path: { definition_id } },
    body: {
      ...(input !== undefined && { input: readJson(input, '--input') }),
      ...(key !== undefined && { idempotency_key: key }),
      ...(label !== undefined && { correlation_labels: [...label] }),
      ...(waits && { wait_for_checkpoint: true }),
      ...(checkpoint !== undefined && { checkpoint_name: checkpoint }),
    },
  });
  print(command, { json: data, text: () => textOf(data, waits) });
  if (waits) process.exitCode = exitCodeOfRun(data.status);
}

function textOf(answer: Schemas['TriggeredRun'], waits: boolean): string {
  const { run_id, status } = answer;
  const head = `run ${run_id} ${status}`;
  if ('response_group_output' in answer) return `${head}\n${prettyJson(answer.response_group_output)}`;
  if (!waits) return `${head}\nWatch it: ductor run watch ${run_id}`;
  return isFinalStatus(status)
    ? `${head} without such a checkpoint\nSee why: ductor run show ${run_id}`
    : `${head}: no such checkpoint yet, and it goes on\nWatch it: ductor run watch ${run_id}`;
}
