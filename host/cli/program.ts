import { Command } from 'commander';
import { addApiKey } from './api-key.command.ts';
import { addAttempt } from './attempt.command.ts';
import { addAuditLog } from './audit-log.command.ts';
import { addBackup } from './backup.command.ts';
import { addConfig } from './config.command.ts';
import { addCredential } from './credential.command.ts';
import { addDefinition } from './definition.command.ts';
import { addDoctor } from './doctor.command.ts';
import { addEvent } from './event.command.ts';
import { addMigrate } from './migrate.command.ts';
import { addOperation } from './operation.command.ts';
import { packageVersion } from './package-version.ts';
import { addPlugin } from './plugin.command.ts';
import { addRestore } from './restore.command.ts';
import { addRun } from './run.command.ts';
import { addStart } from './start.command.ts';
import { addStats } from './stats.command.ts';
import { addTenant } from './tenant.command.ts';
import { addTrigger } from './trigger.command.ts';

const help = `
Commands that run on the host's machine read ductor.yaml and the environment:
  start, migrate, config, plugin, doctor, backup, restore, api-key create
The others speak to a running host:
  DUCTOR_URL      where it answers (http://127.0.0.1:8080)
  DUCTOR_API_KEY  the key; without it the file bootstrap-key in DUCTOR_DATA_DIR (.ductor) is read
  DUCTOR_TENANT   the tenant, which only an operator's key has to name

Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 the host cannot be reached.`;

/** All commands; a group adds its own to the program. */
export function createProgram(): Command {
  const program = new Command('ductor')
    .description('Runs durable workflows, and operates them')
    .version(packageVersion())
    .option('--json', 'print JSON and nothing else')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(add --help for what it takes)')
    .exitOverride()
    .addHelpText('after', help);
  for (const add of [
    addStart,
    addMigrate,
    addConfig,
    addPlugin,
    addDoctor,
    addBackup,
    addRestore,
    addApiKey,
    addTenant,
    addAuditLog,
    addCredential,
    addDefinition,
    addTrigger,
    addRun,
    addAttempt,
    addEvent,
    addOperation,
    addStats,
  ]) {
    add(program);
  }
  return program;
}
