import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Contributed } from '../boot/contributed.ts';
import { contributionsOf } from '../boot/contributions-of.ts';
import type { Config } from '../config/config.ts';
import { embeddedUrlOfRunning } from '../embedded/embedded-postgres.ts';
import { errorText } from '../embedded/error-code.ts';
import { openDatabase } from '../postgres/connection.ts';
import { broken, type Check, type Finding, type Look, type Opened, ok, skipped } from './check.ts';
import { apiKeys } from './checks/api-keys.ts';
import { clock } from './checks/clock.ts';
import { credentials } from './checks/credentials.ts';
import { dataDirectory } from './checks/data-directory.ts';
import { databaseVersion } from './checks/database.ts';
import { diskSpace } from './checks/disk-space.ts';
import { embedded } from './checks/embedded.ts';
import { hosts } from './checks/hosts.ts';
import { masterKey } from './checks/master-key.ts';
import { migrations } from './checks/migrations.ts';
import { node } from './checks/node.ts';
import { parkedRuns } from './checks/parked-runs.ts';
import { port } from './checks/port.ts';
import { settings } from './checks/settings.ts';
import { threads } from './checks/threads.ts';

const onMachine: readonly Check<Config>[] = [dataDirectory, diskSpace, masterKey, embedded, threads, settings, port];
const onDatabase: readonly Check<Opened>[] = [
  databaseVersion,
  clock,
  migrations,
  apiKeys,
  credentials,
  hosts,
  parkedRuns,
];

/** How to reach the embedded database of a data directory that no host runs. */
export type StartEmbedded = (
  config: Config,
  work: (url: string) => Promise<readonly Finding[]>,
) => Promise<readonly Finding[]>;

/**
 * Looks at everything that a host needs; changes nothing.
 *
 * @param start `null`: an embedded database that does not run is not looked into.
 */
export async function examine({
  readConfig,
  start,
}: {
  readonly readConfig: () => Promise<Config>;
  readonly start: StartEmbedded | null;
}): Promise<readonly Finding[]> {
  const findings = [await finding(node, null)];
  const { value: config, look: read } = await outcome(readConfig, ({ file }) => file ?? 'the defaults');
  findings.push({ check: 'configuration', ...read });
  if (config === null) return findings;
  findings.push(...(await Promise.all(onMachine.map((check) => finding(check, config)))));

  const { value: contributed, look: loaded } = await outcome(() => contributionsOf(config), names);
  findings.push({ check: 'plugins', ...loaded });
  const ofDatabase = databaseFindings(config, { contributed, start });
  return [...findings, ...(await ofDatabase.catch((error: unknown) => [about(thrown(error))]))];
}

const names = ({ plugins }: Contributed): string =>
  plugins.map(({ id, version }) => `${id} ${version}`).join(', ') || 'none is on';

async function databaseFindings(
  config: Config,
  { contributed, start }: { readonly contributed: Contributed | null; readonly start: StartEmbedded | null },
): Promise<readonly Finding[]> {
  const lookInto = (url: string) => findingsAt(url, { config, contributed });
  if (config.database.url !== null) return lookInto(config.database.url);
  if (!existsSync(join(config.dataDir, 'postgres'))) return [about(ok('none yet; the first start makes one'))];
  const running = await embeddedUrlOfRunning(config.dataDir);
  if (running !== null) return lookInto(running);
  if (start !== null) return start(config, lookInto);
  return [about(skipped('the embedded database does not run', 'look while a host runs, or with --start'))];
}

const about = (look: Look): Finding => ({ check: 'database', ...look });

async function findingsAt(url: string, { config, contributed }: Omit<Opened, 'knex'>): Promise<readonly Finding[]> {
  const database = openDatabase({ connection: url, poolSize: 2, log: pino({ level: 'silent' }) });
  const { knex } = database;
  try {
    const reached = await knex.raw('select 1').then(() => null, errorText);
    if (reached !== null) return [about(unreachable(config, reached))];
    const opened = { config, knex, contributed };
    const findings = [about(ok('reached'))];
    for (const check of onDatabase) findings.push(await finding(check, opened));
    return findings;
  } finally {
    await database.close();
  }
}

const unreachable = ({ database, locate }: Config, reason: string): Look =>
  broken(
    `cannot be reached: ${reason}`,
    database.url === null
      ? "look into the host's log"
      : `correct ${locate(['database', 'url'])}, or start the server that it names`,
  );

async function finding<Subject>(check: Check<Subject>, subject: Subject): Promise<Finding> {
  const look = await Promise.resolve()
    .then(() => check.look(subject))
    .catch(thrown);
  return { check: check.name, ...look };
}

/** What was made, and how that looks; `null`: it could not be made. */
async function outcome<T>(
  make: () => Promise<T>,
  found: (value: T) => string,
): Promise<{ readonly value: T | null; readonly look: Look }> {
  try {
    const value = await make();
    return { value, look: ok(found(value)) };
  } catch (error) {
    return { value: null, look: thrown(error) };
  }
}

/** Our own errors say what to do in their message. */
const thrown = (error: unknown): Look => broken(errorText(error), null);
