import { Command } from 'commander';
import { packageVersion } from './package-version.ts';

const help = `
Commands that run on the host's machine read ductor.yaml and the environment:
  start, migrate, config, plugin, doctor, backup, restore, api-key create
The others speak to a running host:
  DUCTOR_URL      where it answers (http://127.0.0.1:8080)
  DUCTOR_API_KEY  the key; without it the file bootstrap-key in DUCTOR_DATA_DIR (.ductor) is read
  DUCTOR_TENANT   the tenant, which only an operator's key has to name

Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 the host cannot be reached.`;

/** In the order of the help. A group is loaded when it is named: no command waits for the code of others. */
const GROUPS: ReadonlyMap<string, () => Promise<(program: Command) => void>> = new Map([
  ['start', async () => (await import('./start.command.ts')).addStart],
  ['migrate', async () => (await import('./migrate.command.ts')).addMigrate],
  ['config', async () => (await import('./config.command.ts')).addConfig],
  ['plugin', async () => (await import('./plugin.command.ts')).addPlugin],
  ['doctor', async () => (await import('./doctor.command.ts')).addDoctor],
  ['backup', async () => (await import('./backup.command.ts')).addBackup],
  ['restore', async () => (await import('./restore.command.ts')).addRestore],
  ['api-key', async () => (await import('./api-key.command.ts')).addApiKey],
  ['tenant', async () => (await import('./tenant.command.ts')).addTenant],
  ['audit-log', async () => (await import('./audit-log.command.ts')).addAuditLog],
  ['credential', async () => (await import('./credential.command.ts')).addCredential],
  ['definition', async () => (await import('./definition.command.ts')).addDefinition],
  ['trigger', async () => (await import('./trigger.command.ts')).addTrigger],
  ['run', async () => (await import('./run.command.ts')).addRun],
  ['attempt', async () => (await import('./attempt.command.ts')).addAttempt],
  ['event', async () => (await import('./event.command.ts')).addEvent],
  ['operation', async () => (await import('./operation.command.ts')).addOperation],
  ['stats', async () => (await import('./stats.command.ts')).addStats],
]);

/** The group that `args` name first; all of them where they name none, as `--help` does. A group adds its own. */
export async function createProgram(args: readonly string[]): Promise<Command> {
  const program = new Command('ductor')
    .description('Runs durable workflows, and operates them')
    .version(packageVersion())
    .option('--json', 'print JSON and nothing else')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(add --help for what it takes)')
    .exitOverride()
    .addHelpText('after', help);
  const name = args.find((arg) => !arg.startsWith('-')) ?? '';
  const named = GROUPS.get(name);
  const groups = named === undefined ? [...GROUPS.values()] : [named];
  for (const add of await Promise.all(groups.map((load) => load()))) add(program);
  return program;
}
