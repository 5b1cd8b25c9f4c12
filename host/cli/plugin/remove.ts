import { BUILT_IN_STEPS, DuctorError } from '@ductor/core';
import type { Contribution } from '../../boot/check-contributions.ts';
import { isPath } from '../../boot/find-plugins.ts';
import { type ParkedRuns, parkedRuns } from '../../boot/parked-runs.ts';
import type { Config } from '../../config/config.ts';
import { embeddedUrlOfRunning } from '../../embedded/embedded-postgres.ts';
import { createLog } from '../../log.ts';
import { openDatabase } from '../../postgres/connection.ts';
import { UsageError } from '../errors.ts';
import { examine, examineChange, withSetting } from './examine.ts';
import { changeInstalled, installedFolder, installedPackages } from './installed.ts';
import { editPlugins, manifestFile } from './manifest-file.ts';
import { uninstallPackage } from './npm.ts';

export interface Removed {
  readonly package: string;
  /** Open runs that wait until their step types are back; null: no database answers that could tell. */
  readonly parked: readonly ParkedRuns[] | null;
}

/**
 * Takes a plugin out of `ductor.yaml` and its package out of the data directory. Its tables stay.
 *
 * @param named its package, its path in `ductor.yaml`, or its id.
 * @throws DuctorError `not_found`; `failed_precondition`: another plugin requires it.
 */
export async function removePlugin(config: Config, named: string): Promise<Removed> {
  const folder = installedFolder(config);
  const { found } = await examine(config);
  const plugin = found.find(({ settingName, manifest }) => settingName === named || manifest.id === named);
  if (plugin?.own) throw new UsageError(`${named} is one of ours: turn it off with \`${named}: false\` in ductor.yaml`);
  const name = plugin?.settingName ?? named;
  const isInstalled = !isPath(name) && (await installedPackages(folder)).includes(name);
  if (!isInstalled && !config.plugins.has(name)) throw new DuctorError('not_found', `There is no plugin ${named}.`);

  const change = async (installed: string): Promise<Removed> => {
    if (isInstalled) await uninstallPackage(installed, name);
    const { contributions } = await examineChange(config, withSetting(config, name, null), installed);
    return { package: name, parked: await parkedWith(config, contributions) };
  };
  const conclude = () => editPlugins(manifestFile(config), [[[name], undefined]]);
  if (isInstalled) return changeInstalled(folder, { change, conclude });
  const removed = await change(folder);
  await conclude();
  return removed;
}

/** The open runs that a host with these plugins alone leaves waiting. */
async function parkedWith(config: Config, plugins: readonly Contribution[]): Promise<readonly ParkedRuns[] | null> {
  const types = [...BUILT_IN_STEPS, ...plugins.flatMap(({ contributions: { steps = [] } }) => steps)];
  const url = config.database.url ?? (await embeddedUrlOfRunning(config.dataDir));
  if (url === null) return null;
  const database = openDatabase({ connection: url, poolSize: 1, log: createLog({ level: 'silent' }) });
  try {
    return await parkedRuns(database.knex, { known: types.map(({ type }) => type), off: [] });
  } catch {
    return null;
  } finally {
    await database.close();
  }
}
