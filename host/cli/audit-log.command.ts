import type { Command } from 'commander';
import { openClient } from './client.ts';
import { examples } from './examples.ts';
import { LIMIT, pageSize, printList } from './list.ts';

interface Options {
  readonly tenant?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly target?: string;
  readonly limit: number;
}

export function addAuditLog(program: Command): void {
  program
    .command('audit-log')
    .description("list who changed what, newest first; it takes an operator's key")
    .option('--tenant <id>', 'only of this tenant')
    .option('--actor <actor>', 'only by this one, such as key:deploy')
    .option('--action <action>', 'only of this kind, such as workflow_run.cancel')
    .option('--target <id>', 'only what was done to this')
    .option(...LIMIT)
    .addHelpText('after', examples('audit-log --tenant acme --action workflow_run.cancel'))
    .action(async ({ tenant, actor, action, target, limit }: Options, command: Command) => {
      const entries = openClient().paged('/api/audit-log', {
        params: {
          query: {
            ...(tenant !== undefined && { tenant_id: tenant }),
            ...(actor !== undefined && { actor }),
            ...(action !== undefined && { action }),
            ...(target !== undefined && { target }),
            page_size: pageSize(limit),
          },
        },
      });
      await printList(command, entries, {
        limit,
        head: ['AT', 'TENANT', 'ACTOR', 'ACTION', 'TARGET', 'DETAILS'],
        row: (entry) => [
          ...[entry.at, entry.tenant_id ?? '', entry.actor, entry.action, entry.target, JSON.stringify(entry.details)],
        ],
      });
    });
}
