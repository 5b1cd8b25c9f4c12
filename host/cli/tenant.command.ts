import type { Schemas } from '@ductor/client';
import { type Command, Option } from 'commander';
import { readObject } from './arguments.ts';
import { openClient } from './client.ts';
import { examples } from './examples.ts';
import { LIMIT, pageSize, printList } from './list.ts';
import { print } from './screen.ts';
import { ageText } from './text.ts';

interface CreateOptions {
  readonly releasePolicy?: Schemas['Tenant']['release_policy'];
  readonly entitlements?: string;
}

export function addTenant(program: Command): void {
  const group = program.command('tenant').description("tenants, and what holds for them; it takes an operator's key");
  group
    .command('create <id>')
    .description('make a tenant')
    .addOption(
      new Option('--release-policy <policy>', 'required: triggers carry the live release').choices([
        'none',
        'required',
      ]),
    )
    .option('--entitlements <json>', 'limits as JSON, @file, or @- for stdin; what is not named is unlimited')
    .addHelpText('after', examples(`tenant create acme --entitlements '{"max_open_runs": 1000}'`))
    .action(async (id: string, { releasePolicy, entitlements }: CreateOptions, command: Command) => {
      const { data } = await openClient().POST('/api/tenants', {
        body: {
          id,
          ...(releasePolicy && { release_policy: releasePolicy }),
          ...(entitlements !== undefined && { entitlements: readObject(entitlements, '--entitlements') }),
        },
      });
      const next = `ductor api-key create --tenant ${data.id} --name … --scopes …`;
      print(command, { json: data, text: () => `${data.id}: created\nGive it a key: ${next}` });
    });
  group
    .command('list')
    .description('list tenants, and their limits')
    .option(...LIMIT)
    .addHelpText('after', examples('tenant list'))
    .action(async ({ limit }: { limit: number }, command: Command) => {
      const tenants = openClient().paged('/api/tenants', { params: { query: { page_size: pageSize(limit) } } });
      await printList(command, tenants, {
        limit,
        head: ['TENANT', 'RELEASES', 'LIMITS', 'CREATED'],
        row: (tenant) => [
          tenant.id,
          tenant.release_policy,
          limitsText(tenant.entitlements),
          ageText(tenant.created_at),
        ],
      });
    });
}

const limitsText = (entitlements: Schemas['Entitlements']): string =>
  Object.entries(entitlements)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${Array.isArray(value) ? value.join(' ') : value}`)
    .join(', ');
