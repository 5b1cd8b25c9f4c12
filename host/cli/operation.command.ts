import type { Schemas } from '@ductor/client';
import { type Command, Option } from 'commander';
import { openClient } from './client.ts';
import { examples } from './examples.ts';
import { LIMIT, pageSize, printList } from './list.ts';
import { print } from './screen.ts';
import { ageText, spanText } from './text.ts';

type Operation = Schemas['Operation'];
const STATUSES = ['pending', 'running', 'done', 'failed', 'cancelled'] as const;

interface ListOptions {
  readonly kind?: string;
  readonly status?: Operation['status'];
  readonly limit: number;
}

export function addOperation(program: Command): void {
  const group = program.command('operation').description('long work that was asked for');
  group
    .command('list')
    .description('list operations, newest first')
    .option('--kind <kind>', 'only of this kind, such as run_control')
    .addOption(new Option('--status <status>', 'only with this status').choices(STATUSES))
    .option(...LIMIT)
    .addHelpText('after', examples('operation list --status running'))
    .action(async ({ kind, status, limit }: ListOptions, command: Command) => {
      const found = openClient().paged('/api/operations', {
        params: {
          query: { ...(kind !== undefined && { kind }), ...(status && { status }), page_size: pageSize(limit) },
        },
      });
      await printList(command, found, {
        limit,
        head: ['OPERATION', 'KIND', 'STATUS', 'DONE', 'FAILED', 'BY', 'CREATED', 'TOOK'],
        row: (operation) => [
          ...[operation.operation_id, operation.kind, operation.status, doneText(operation), String(operation.failed)],
          ...[operation.actor, ageText(operation.created_at), spanText(operation.started_at, operation.ended_at)],
        ],
      });
    });
  group
    .command('show <id>')
    .description('show an operation, how far it is, and what has failed')
    .addHelpText('after', examples('operation show 01935f6e-1c00-7000-8000-000000000001'))
    .action(async (id: string, _options: object, command: Command) => {
      const { data } = await openClient().GET('/api/operations/{id}', { params: { path: { id } } });
      print(command, { json: data, text: () => operationText(data) });
    });
  group
    .command('cancel <id>')
    .description('end an operation after the page under way; what it has done stays done')
    .addHelpText('after', examples('operation cancel 01935f6e-1c00-7000-8000-000000000001'))
    .action(async (id: string, _options: object, command: Command) => {
      const { data } = await openClient().POST('/api/operations/{id}:cancel', { params: { path: { id } } });
      print(command, { json: data, text: () => operationText(data) });
    });
}

const doneText = ({ done, total }: Operation): string => (total === null ? String(done) : `${done} of ${total}`);

function operationText(operation: Operation): string {
  const { operation_id, kind, status, failed, failures, error, params } = operation;
  return [
    `${kind} ${operation_id} ${status}: ${doneText(operation)} done, ${failed} of them failed`,
    `asked for by ${operation.actor} ${ageText(operation.created_at)}: ${JSON.stringify(params)}`,
    ...(error === null ? [] : [`error: ${error.code}: ${error.message}`]),
    ...failures.map(({ id, code, message }) => `  ${id}  ${code}: ${message}`),
    ...(failures.length < failed ? ['  …'] : []),
  ].join('\n');
}
