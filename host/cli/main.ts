/** The program behind `ductor`: its exit code is 0 done, 1 refused, 2 usage, 3 unreachable. */
import { CommanderError } from 'commander';
import { createProgram } from './program.ts';

// A reader that has seen enough (`ductor run list | head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

try {
  const program = await createProgram(process.argv.slice(2));
  await program.parseAsync();
} catch (error) {
  const { exitCodeOf, report } = await import('./report.ts');
  // commander has said what it had to say.
  if (!(error instanceof CommanderError)) report(error, { json: process.argv.includes('--json') });
  process.exitCode = exitCodeOf(error);
}
