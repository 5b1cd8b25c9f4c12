import type { Command } from 'commander';
import { examples } from './examples.ts';
import { print } from './screen.ts';

export function addConfig(program: Command): void {
  program
    .command('config')
    .description('the configuration of the host on this machine')
    .command('check')
    .description(
      'check ductor.yaml, the environment and the plugins, and print what a host would go by, without secrets',
    )
    .option('--config <file>', 'default: DUCTOR_CONFIG, else ./ductor.yaml, else the defaults')
    .addHelpText('after', examples('config check'))
    .action(async ({ config: file }: { config?: string }, command: Command) => {
      const [{ readConfig }, { migrationSets }, { redacted }, { notActedOnText }, { stringify }] = await Promise.all([
        import('./config-file.ts'),
        import('./database/migration-sets.ts'),
        import('../config/redacted.ts'),
        import('../config/announce.ts'),
        import('yaml'),
      ]);
      const config = await readConfig(file);
      // Loads the plugins, which judges their options.
      await migrationSets(config);
      print(command, {
        json: redacted(config),
        text: () =>
          [
            `# ${config.file ?? 'no ductor.yaml'}: valid`,
            ...(config.notActedOn.length === 0 ? [] : [`# ${notActedOnText(config)}`]),
            stringify(redacted(config)).trimEnd(),
          ].join('\n'),
      });
    });
}
