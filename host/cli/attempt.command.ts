import { randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import { Api } from './api.ts';
import { readJson } from './arguments.ts';
import { UsageError } from './errors.ts';
import { print } from './screen.ts';

interface Options {
  readonly as: 'completed' | 'failed' | 'retry';
  readonly output?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly requestId: string;
}

export function addAttempt(program: Command): void {
  program
    .command('attempt')
    .description('executions of a step')
    .command('resolve <run-id> <attempt-id>')
    .description('say what came of an attempt whose outcome nobody knows; `run why` names its step')
    .addOption(
      new Option('--as <outcome>', 'what came of it').choices(['completed', 'failed', 'retry']).makeOptionMandatory(),
    )
    .option('--output <json>', 'with completed: its output as JSON, @file, or @- for stdin (default: null)')
    .option('--message <text>', 'with failed: what went wrong')
    .option('--reason <text>', 'kept in the audit log')
    .option('--request-id <id>', 'the same id is applied once (default: a random one)', randomUUID())
    .action(async (runId: string, attemptId: string, options: Options, command: Command) => {
      const path = `/api/v2/workflow-runs/${encodeURIComponent(runId)}/attempts/${encodeURIComponent(attemptId)}:resolve`;
      const answer = await new Api().post<{ status: string; run_id: string }>(path, {
        request_id: options.requestId,
        ...(options.reason !== undefined && { reason: options.reason }),
        resolution: resolutionOf(options),
      });
      print(command, {
        json: answer,
        text: () =>
          `${answer.status}: the run takes it up with its next tick\nWatch it: ductor run watch ${answer.run_id}`,
      });
    });
}

function resolutionOf({ as: outcome, output, message }: Options): object {
  if (output !== undefined && outcome !== 'completed') throw new UsageError('--output goes with --as completed.');
  if (message !== undefined && outcome !== 'failed') throw new UsageError('--message goes with --as failed.');
  return {
    outcome,
    ...(output !== undefined && { output: readJson(output, '--output') }),
    ...(message !== undefined && { message }),
  };
}
