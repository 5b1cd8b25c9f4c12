import type { Command } from 'commander';
import { readJson } from './arguments.ts';
import { openClient } from './client.ts';
import { examples } from './examples.ts';
import { LIMIT, pageSize, printList } from './list.ts';
import { print } from './screen.ts';
import { ageText } from './text.ts';

interface PublishOptions {
  readonly key?: string;
  readonly payload?: string;
  readonly id?: string;
}

interface ListOptions {
  readonly name?: string;
  readonly key?: string;
  readonly limit: number;
}

export function addEvent(program: Command): void {
  const group = program.command('event').description('events that waiting steps and triggers hear of');
  group
    .command('publish <name>')
    .description('publish an event: steps that wait for it take it, and triggers of its name start runs')
    .option('--key <key>', 'correlation key: which of the things it is about')
    .option('--payload <json>', 'JSON, @file, or @- for stdin (default: {})')
    .option('--id <id>', "the publisher's own id of it: the same again does nothing (default: a new one)")
    .addHelpText('after', examples(`event publish order.paid --key o-7 --payload '{"amount": 40}' --id payment-311`))
    .action(async (event_name: string, { key, payload, id }: PublishOptions, command: Command) => {
      const { data } = await openClient().POST('/api/v2/workflow-events:publish', {
        body: {
          event_name,
          ...(key !== undefined && { correlation_key: key }),
          ...(payload !== undefined && { payload: readJson(payload, '--payload') }),
          ...(id !== undefined && { event_id: id }),
        },
      });
      print(command, { json: data, text: () => `${event_name} ${data.event_id}: ${data.matched} waits took it` });
    });
  group
    .command('list')
    .description('list events, newest first, and how many took each')
    .option('--name <name>', 'only of this name')
    .option('--key <key>', 'only with this correlation key')
    .option(...LIMIT)
    .addHelpText('after', examples('event list --name order.paid'))
    .action(async ({ name, key, limit }: ListOptions, command: Command) => {
      const events = openClient().paged('/api/workflow-events', {
        params: {
          query: {
            ...(name !== undefined && { event_name: name }),
            ...(key !== undefined && { correlation_key: key }),
            page_size: pageSize(limit),
          },
        },
      });
      await printList(command, events, {
        limit,
        head: ['NAME', 'KEY', 'ID', 'MATCHED', 'PUBLISHED'],
        row: ({ event_name, correlation_key, event_id, matched, matched_at, published_at }) => [
          ...[event_name, correlation_key, event_id],
          matched_at === null ? `${matched}, and going on` : String(matched),
          ageText(published_at),
        ],
      });
    });
}
