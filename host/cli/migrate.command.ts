import type { Command } from 'commander';
import { examples } from './examples.ts';
import { print } from './screen.ts';

export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description("apply the database migrations of the core and the plugins, as a host's start does")
    .option('--check', 'only name what is pending; exit code 1 if anything is')
    .option('--config <file>', 'default: DUCTOR_CONFIG, else ./ductor.yaml, else the defaults')
    .addHelpText('after', examples('migrate --check'))
    .action(async ({ check = false, config }: { check?: boolean; config?: string }, command: Command) => {
      const [{ readConfig }, { migrateAll }] = await Promise.all([
        import('./config-file.ts'),
        import('./database/migrate-all.ts'),
      ]);
      const migrations = await migrateAll(await readConfig(config), { check });
      const one = ({ history, name, mark }: (typeof migrations)[number]) => `  ${history}  ${name} (${mark})`;
      print(command, {
        json: { [check ? 'pending' : 'applied']: migrations },
        text: () => {
          if (migrations.length === 0) return 'The database is up to date.';
          return [check ? 'Pending:' : 'Applied:', ...migrations.map(one), ...(check ? advice(migrations) : [])].join(
            '\n',
          );
        },
      });
      if (check && migrations.length > 0) process.exitCode = 1;
    });
}

function advice(migrations: readonly { readonly mark: string }[]): readonly string[] {
  const isBreaking = migrations.some(({ mark }) => mark === 'breaking');
  return [
    isBreaking
      ? 'Breaking ones end hosts of the version before: back up, stop them, then run `ductor migrate`.'
      : 'Hosts of the version before keep working: back up, then run `ductor migrate`.',
  ];
}
