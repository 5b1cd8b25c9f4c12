import { type Command, Option } from 'commander';
import { print } from './screen.ts';

interface Options {
  readonly name: string;
  /** `false`: --no-tenant. */
  readonly tenant: string | false;
  readonly scopes: readonly string[];
  readonly config?: string;
}

export function addApiKey(program: Command): void {
  program
    .command('api-key')
    .description('keys of the REST API')
    .command('create')
    .description("make a key, directly in the database of this machine's configuration, and print it once")
    .requiredOption('--name <name>', 'who it is for; actors in the log are named by it')
    .requiredOption('--scopes <scope...>', 'what it may do, such as workflow:read workflow:write')
    .addOption(new Option('--tenant <id>', 'the tenant it speaks for').default('default').env('DUCTOR_TENANT'))
    .option('--no-tenant', "an operator's key, of no tenant; it needs the scope operator")
    .option('--config <file>', 'default: DUCTOR_CONFIG, else ./ductor.yaml, else the defaults')
    .action(async ({ name, tenant, scopes, config }: Options, command: Command) => {
      const [{ readConfig }, { createKey }] = await Promise.all([
        import('./config-file.ts'),
        import('./database/create-key.ts'),
      ]);
      const tenantId = tenant === false ? null : tenant;
      const wanted = scopes.flatMap((scope) => scope.split(',')).filter((scope) => scope !== '');
      const { id, key } = await createKey(readConfig(config), { name, tenantId, scopes: wanted });
      print(command, {
        json: { id, name, tenant: tenantId, scopes: wanted, key },
        text: () => `${key}\nThis is the only time it is shown. Its id is ${id}.`,
      });
    });
}
