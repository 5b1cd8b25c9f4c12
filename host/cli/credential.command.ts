import type { Schemas } from '@ductor/client';
import type { Command } from 'commander';
import { readObject } from './arguments.ts';
import { openClient } from './client.ts';
import { credentialId } from './credential/id.ts';
import { collectVariable, readValues, type ValueOptions } from './credential/values.ts';
import { UsageError } from './errors.ts';
import { examples } from './examples.ts';
import { LIMIT, pageSize, printList } from './list.ts';
import { print } from './screen.ts';
import { ageText } from './text.ts';

const VALUES = ['--values <file>', 'its secrets: an object in JSON or YAML; - is stdin'] as const;
const VALUE_FROM = [
  '--value-from <field=VARIABLE>',
  'a secret from an environment variable; may be repeated',
  collectVariable,
] as const;
const CONFIG = ['--settings <json>', 'what is not secret: JSON, @file, or @- for stdin'] as const;

export function addCredential(program: Command): void {
  const group = program
    .command('credential')
    .description('what connectors need to reach other systems; values go in and never come out');
  addCreate(group);
  addReplace(group);
  group
    .command('list')
    .description('list credentials, without their values')
    .option('--connector <id>', 'only of this connector')
    .option(...LIMIT)
    .addHelpText('after', examples('credential list --connector http'))
    .action(async ({ connector, limit }: { connector?: string; limit: number }, command: Command) => {
      const found = openClient().paged('/api/credentials', {
        params: { query: { ...(connector !== undefined && { connector }), page_size: pageSize(limit) } },
      });
      await printList(command, found, {
        limit,
        head: ['NAME', 'CONNECTOR', 'KIND', 'VALUES', 'CHANGED', 'ID'],
        row: ({ name, connector, auth, fields, readable, updated_at, id }) => [
          ...[name, connector, auth, readable ? fields.join(' ') : 'unreadable: its master key is gone'],
          ...[ageText(updated_at), id],
        ],
      });
    });
  group
    .command('delete <name-or-id>')
    .description('delete a credential')
    .option('--force', 'also while published workflows name it: their steps then wait for another')
    .addHelpText('after', examples('credential delete crm'))
    .action(async (address: string, { force }: { force?: boolean }, command: Command) => {
      const client = openClient();
      const { data } = await client.DELETE('/api/credentials/{id}', {
        params: { path: { id: await credentialId(client, address) }, query: { ...(force && { force }) } },
      });
      print(command, { json: data, text: () => `${data.name}: deleted` });
    });
  group
    .command('test <name-or-id>')
    .description('prove a credential by the action that its connector names for that; exit code 1 if it fails')
    .addHelpText('after', examples('credential test crm'))
    .action(async (address: string, _options: object, command: Command) => {
      const client = openClient();
      const { data } = await client.POST('/api/credentials/{id}:test', {
        params: { path: { id: await credentialId(client, address) } },
      });
      print(command, { json: data, text: () => testText(data) });
      if (data.status === 'failed') process.exitCode = 1;
    });
}

interface CreateOptions extends ValueOptions {
  readonly connector: string;
  readonly auth: string;
  readonly settings?: string;
}

function addCreate(group: Command): void {
  group
    .command('create <name>')
    .description('keep a credential under a name that steps can use')
    .requiredOption('--connector <id>', 'whose it is')
    .requiredOption('--auth <kind>', "the kind, by its id in the connector's manifest")
    .option(...VALUES)
    .option(...VALUE_FROM)
    .option(...CONFIG)
    .addHelpText(
      'after',
      examples(
        'credential create crm --connector http --auth bearer --value-from token=CRM_TOKEN',
        'credential create crm --connector http --auth bearer --values - < crm.yaml',
      ),
    )
    .action(async (name: string, options: CreateOptions, command: Command) => {
      const { connector, auth, settings } = options;
      const { data } = await openClient().POST('/api/credentials', {
        body: {
          ...{ name, connector, auth },
          values: (await readValues(options)) ?? {},
          ...(settings !== undefined && { config: readObject(settings, '--settings') }),
        },
      });
      print(command, { json: data, text: () => savedText(data, 'created') });
    });
}

function addReplace(group: Command): void {
  group
    .command('replace <name-or-id>')
    .description('replace the values or the settings of a credential, each as a whole')
    .option(...VALUES)
    .option(...VALUE_FROM)
    .option(...CONFIG)
    .addHelpText('after', examples('credential replace crm --value-from token=CRM_TOKEN'))
    .action(async (address: string, options: ValueOptions & { settings?: string }, command: Command) => {
      const { settings } = options;
      const values = await readValues(options);
      if (values === null && settings === undefined) {
        throw new UsageError('Nothing to replace: give --values, --value-from or --settings.');
      }
      const client = openClient();
      const { data } = await client.PATCH('/api/credentials/{id}', {
        params: { path: { id: await credentialId(client, address) } },
        body: {
          ...(values && { values }),
          ...(settings !== undefined && { config: readObject(settings, '--settings') }),
        },
      });
      print(command, { json: data, text: () => savedText(data, 'replaced') });
    });
}

const savedText = ({ name, id, fields, warnings }: Schemas['SavedCredential'], became: string): string =>
  [
    `${name}: ${became}, with ${fields.length === 0 ? 'no values' : fields.join(', ')}; id ${id}`,
    ...warnings.map(({ path, message }) => `warning: ${path}: ${message}`),
  ].join('\n');

function testText({ status, error }: Schemas['CredentialTestResult']): string {
  if (status === 'untested') return 'untested: the connector has no action that proves this kind';
  return error === undefined ? status : `${status}: ${error.code}: ${error.message}`;
}
