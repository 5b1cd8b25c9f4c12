import type { Command } from 'commander';
import { examples } from './examples.ts';
import { paintFor, print } from './screen.ts';

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('look for what is wrong with this machine, the configuration and the database, and say what to do')
    .option('--start', 'start the embedded database for the look if no host runs it')
    .option('--config <file>', 'default: DUCTOR_CONFIG, else ./ductor.yaml, else the defaults')
    .addHelpText('after', '\nExit code 0: nothing is broken. 1: something is. Warnings do not count.')
    .addHelpText('after', examples('doctor'))
    .action(async ({ start = false, config }: { start?: boolean; config?: string }, command: Command) => {
      const [{ readConfig }, { examine }, { report }, { withEmbedded }] = await Promise.all([
        import('./config-file.ts'),
        import('../doctor/doctor.ts'),
        import('./doctor/report.ts'),
        import('./database/with-database.ts'),
      ]);
      const findings = await examine({ readConfig: () => readConfig(config), start: start ? withEmbedded : null });
      const isBroken = findings.some(({ status }) => status === 'broken');
      print(command, {
        json: { ok: !isBroken, checks: findings },
        text: () => report(findings, paintFor(process.stdout)),
      });
      if (isBroken) process.exitCode = 1;
    });
}
