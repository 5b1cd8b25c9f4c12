import type { Command } from 'commander';
import { examples } from './examples.ts';
import { print } from './screen.ts';

export function addBackup(program: Command): void {
  program
    .command('backup')
    .description('copy the data directory with its embedded database, while a host works on it or not')
    .argument('<dir>', 'a folder that is new or empty, outside the data directory')
    .option('--config <file>', 'default: DUCTOR_CONFIG, else ./ductor.yaml, else the defaults')
    .addHelpText('after', '\nThe backup holds the keys of the data directory: guard it as you guard those.')
    .addHelpText('after', examples('backup /var/backups/ductor'))
    .action(async (target: string, { config }: { config?: string }, command: Command) => {
      const [{ readConfig }, { backUpData }, { summary }] = await Promise.all([
        import('./config-file.ts'),
        import('./backup/back-up-data.ts'),
        import('./backup/summary.ts'),
      ]);
      const { manifest, missing } = await backUpData(await readConfig(config), target);
      print(command, {
        json: { backup: target, ...summary(manifest).json, missing },
        text: () =>
          [
            `Backed up to ${target}: ${summary(manifest).text}.`,
            `Whatever was acknowledged by ${manifest.complete_until} is in it.`,
            ...missing.map((each) => `Not in it: ${each}.`),
          ].join('\n'),
      });
    });
}
