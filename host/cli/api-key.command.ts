import { type Command, Option } from 'commander';
import { openClient } from './client.ts';
import { examples } from './examples.ts';
import { LIMIT, pageSize, printList } from './list.ts';
import { print } from './screen.ts';
import { ageText } from './text.ts';

export function addApiKey(program: Command): void {
  const group = program.command('api-key').description('keys of the REST API');
  addCreate(group);
  group
    .command('list')
    .description("list keys, newest first, expired and revoked ones too; it takes an operator's key")
    .option('--tenant <id>', 'only of this tenant')
    .option(...LIMIT)
    .addHelpText('after', examples('api-key list --tenant acme'))
    .action(async ({ tenant, limit }: { tenant?: string; limit: number }, command: Command) => {
      const keys = openClient().paged('/api/api-keys', {
        params: { query: { ...(tenant !== undefined && { tenant_id: tenant }), page_size: pageSize(limit) } },
      });
      await printList(command, keys, {
        limit,
        head: ['NAME', 'TENANT', 'STATE', 'SCOPES', 'CREATED', 'ID'],
        row: (key) => [
          key.name,
          key.tenant_id ?? '(operator)',
          stateOf(key),
          key.scopes.join(' '),
          ageText(key.created_at),
          key.id,
        ],
      });
    });
  group
    .command('revoke <id>')
    .description("revoke a key, for good; it takes an operator's key")
    .addHelpText('after', examples('api-key revoke 0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11'))
    .action(async (id: string, _options: object, command: Command) => {
      const { data } = await openClient().POST('/api/api-keys/{id}:revoke', { params: { path: { id } } });
      print(command, { json: data, text: () => `revoked: ${data.name}, id ${data.id}` });
    });
}

function stateOf({ revoked_at, expires_at }: { revoked_at: string | null; expires_at: string | null }): string {
  if (revoked_at !== null) return 'revoked';
  if (expires_at === null) return 'valid';
  return Date.parse(expires_at) <= Date.now() ? 'expired' : `until ${expires_at}`;
}

interface CreateOptions {
  readonly name: string;
  /** `false`: --no-tenant. */
  readonly tenant: string | false;
  readonly scopes: readonly string[];
  readonly config?: string;
}

function addCreate(group: Command): void {
  group
    .command('create')
    .description("make a key, directly in the database of this machine's configuration, and print it once")
    .requiredOption('--name <name>', 'who it is for; actors in the log are named by it')
    .requiredOption('--scopes <scope...>', 'what it may do, such as workflow:read workflow:write')
    .addOption(new Option('--tenant <id>', 'the tenant it speaks for').default('default').env('DUCTOR_TENANT'))
    .option('--no-tenant', "an operator's key, of no tenant; it needs the scope operator")
    .option('--config <file>', 'default: DUCTOR_CONFIG, else ./ductor.yaml, else the defaults')
    .addHelpText(
      'after',
      examples(
        'api-key create --name deploy --scopes workflow_definition:write workflow:write',
        'api-key create --name ops --no-tenant --scopes operator workflow:read',
      ),
    )
    .action(async ({ name, tenant, scopes, config }: CreateOptions, command: Command) => {
      const [{ readConfig }, { createKey }] = await Promise.all([
        import('./config-file.ts'),
        import('./database/create-key.ts'),
      ]);
      const tenantId = tenant === false ? null : tenant;
      const wanted = scopes.flatMap((scope) => scope.split(',')).filter((scope) => scope !== '');
      const { id, key } = await createKey(await readConfig(config), { name, tenantId, scopes: wanted });
      print(command, {
        json: { id, name, tenant: tenantId, scopes: wanted, key },
        text: () => `${key}\nThis is the only time it is shown. Its id is ${id}.`,
      });
    });
}
