import type { Command } from 'commander';
import { examples } from './examples.ts';

export function addStart(program: Command): void {
  program
    .command('start')
    .description('run a host in the foreground; its log goes to stdout as JSON')
    .option('--config <file>', 'default: DUCTOR_CONFIG, else ./ductor.yaml, else the defaults')
    .addHelpText(
      'after',
      '\nSIGINT and SIGTERM end it in order: what runs may end first. A second one ends it at once.',
    )
    .addHelpText('after', examples('start', 'start --config /etc/ductor.yaml'))
    .action(async ({ config }: { config?: string }) => {
      const { runInForeground } = await import('./start/foreground.ts');
      await runInForeground(config);
    });
}
