import type { Json } from '@ductor/core';
import type { Config } from '../config/config.ts';
import { type Contribution, checkContributions } from './check-contributions.ts';
import { checkManifests } from './check-manifests.ts';
import { contribute, resolveDeps, type ServiceMap } from './contribute.ts';
import { type Contributed, freeze } from './contributed.ts';
import { findPlugins } from './find-plugins.ts';
import { type LoadedPlugin, loadEntry } from './load-entry.ts';
import { ownPluginFolders } from './own-plugins.ts';
import { type BootProblem, bootRefused } from './problem.ts';
import { readOptions } from './read-options.ts';

/**
 * Boots the plugins: parse manifests → check names, ranges, cycles → resolve deps → contribute → freeze. Touches no
 * database: the answer says what is to be migrated, once it is known that nothing is wrong.
 *
 * @param services what the host stands behind `refs`; they may come to life later, for nothing is called here.
 * @throws DuctorError `failed_precondition` with every problem of every plugin, each with what to do.
 */
export async function loadPlugins({
  config,
  services,
  own = ownPluginFolders(),
}: {
  readonly config: Pick<Config, 'plugins' | 'dataDir' | 'baseDir' | 'locate'>;
  readonly services: ServiceMap;
  readonly own?: readonly string[];
}): Promise<Contributed> {
  const problems: BootProblem[] = [];
  const found = await findPlugins({ own, config });
  problems.push(...found.problems);
  const { ordered, disabledStepTypes, problems: manifestProblems } = checkManifests(found);
  problems.push(...manifestProblems);

  const ready: { readonly by: LoadedPlugin; readonly options: Json }[] = [];
  const refused = new Set(problems.map(({ plugin }) => plugin));
  for (const plugin of ordered.filter(({ manifest }) => !refused.has(manifest.id))) {
    const by = await loadEntry(plugin);
    if ('code' in by) {
      problems.push(by);
      continue;
    }
    const answer = readOptions(by, config);
    if ('problems' in answer) problems.push(...answer.problems);
    else ready.push({ by, options: answer.options });
  }

  // Contributing has no effects: what else is wrong is found although something is already.
  const all: Contribution[] = [];
  for (const { by, options } of ready) {
    const resolved = resolveDeps(by, services);
    const answer = 'problems' in resolved ? resolved : contribute(by, resolved.deps, options);
    if ('problems' in answer) problems.push(...answer.problems);
    else all.push({ by, contributions: answer.contributions });
  }
  problems.push(...checkContributions(all));
  if (problems.length > 0) throw bootRefused(problems);
  return freeze(all, disabledStepTypes);
}
