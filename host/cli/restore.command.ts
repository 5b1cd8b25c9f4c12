import { resolve } from 'node:path';
import type { Command } from 'commander';
import { examples } from './examples.ts';
import { print } from './screen.ts';

interface Options {
  readonly dataDir?: string;
  readonly config?: string;
}

export function addRestore(program: Command): void {
  program
    .command('restore')
    .description('make a data directory of a backup')
    .argument('<dir>', 'the folder of the backup')
    .option('--data-dir <dir>', "a folder that is new or empty; default: the configuration's")
    .option('--config <file>', 'default: DUCTOR_CONFIG, else ./ductor.yaml, else the defaults')
    .addHelpText(
      'after',
      '\nRuns go on from there as soon as a host starts: never let the host that was copied run beside it, or both act.',
    )
    .addHelpText('after', examples('restore /var/backups/ductor --data-dir .ductor'))
    .action(async (backup: string, { dataDir, config }: Options, command: Command) => {
      const [{ readConfig }, { restore }, { summary }, { pathText }] = await Promise.all([
        import('./config-file.ts'),
        import('../backup/restore.ts'),
        import('./backup/summary.ts'),
        import('./text.ts'),
      ]);
      const target = dataDir === undefined ? (await readConfig(config)).dataDir : resolve(dataDir);
      const manifest = await restore({ backup: resolve(backup), dataDir: target });
      print(command, {
        json: { data_dir: target, ...summary(manifest).json },
        text: () =>
          [
            `Restored to ${pathText(target)}, as of ${manifest.complete_until}: ${summary(manifest).text}.`,
            'Make sure that the host it was made from does not run any more, then start one:',
            `  DUCTOR_DATA_DIR=${pathText(target)} ductor start`,
          ].join('\n'),
      });
    });
}
