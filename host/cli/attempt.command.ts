import { randomUUID } from 'node:crypto';
import type { Schemas } from '@ductor/client';
import { type Command, Option } from 'commander';
import { readJson } from './arguments.ts';
import { openClient } from './client.ts';
import { UsageError } from './errors.ts';
import { examples } from './examples.ts';
import { acceptedText } from './run/controls.ts';
import { print } from './screen.ts';

interface Options {
  readonly as: 'completed' | 'failed' | 'retry';
  readonly output?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly requestId?: string;
}

export function addAttempt(program: Command): void {
  program
    .command('attempt')
    .description('executions of a step')
    .command('resolve <run-id> <attempt-id>')
    .description('say what came of an attempt whose outcome nobody knows; `run attempts` names it')
    .addOption(
      new Option('--as <outcome>', 'what came of it').choices(['completed', 'failed', 'retry']).makeOptionMandatory(),
    )
    .option('--output <json>', 'with completed: its output as JSON, @file, or @- for stdin (default: null)')
    .option('--message <text>', 'with failed: what went wrong')
    .option('--reason <text>', 'kept in the audit log')
    .option('--request-id <id>', 'the same id is applied once (default: a random one)')
    .addHelpText(
      'after',
      examples(
        'attempt resolve 0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11 0198f2a4-8d00-7000-8000-000000000001 --as completed --output \'{"sent": true}\'',
      ),
    )
    .action(async (run_id: string, attempt_id: string, options: Options, command: Command) => {
      const { reason, requestId = randomUUID() } = options;
      const { data } = await openClient().POST('/api/v2/workflow-runs/{run_id}/attempts/{attempt_id}:resolve', {
        params: { path: { run_id, attempt_id } },
        body: { request_id: requestId, ...(reason !== undefined && { reason }), resolution: resolutionOf(options) },
      });
      print(command, { json: data, text: () => acceptedText(data) });
    });
}

function resolutionOf({ as: outcome, output, message }: Options): Schemas['ResolveAttempt']['resolution'] {
  if (output !== undefined && outcome !== 'completed') throw new UsageError('--output goes with --as completed.');
  if (message !== undefined && outcome !== 'failed') throw new UsageError('--message goes with --as failed.');
  if (outcome === 'retry') return { outcome };
  if (outcome === 'failed') return { outcome, ...(message !== undefined && { message }) };
  return { outcome, ...(output !== undefined && { output: readJson(output, '--output') }) };
}
