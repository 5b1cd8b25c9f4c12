import { join, sep } from 'node:path';
import type { Json } from '@ductor/core';
import type { Config } from '../config/config.ts';
import { type Contribution, checkContributions } from './check-contributions.ts';
import { checkManifests } from './check-manifests.ts';
import { contribute, resolveDeps, type ServiceMap } from './contribute.ts';
import { type Contributed, type Disabled, freeze } from './contributed.ts';
import { type FoundPlugin, type FoundPlugins, findPlugins } from './find-plugins.ts';
import { provideCore } from './host-core.ts';
import { type LoadedPlugin, loadEntry } from './load-entry.ts';
import { ownPluginFolders } from './own-plugins.ts';
import { type BootProblem, bootRefused } from './problem.ts';
import { readOptions } from './read-options.ts';

export interface PluginSources {
  readonly config: Pick<Config, 'plugins' | 'dataDir' | 'baseDir' | 'locate'>;
  /** What the host stands behind `refs`; they may come to life later, for nothing is called here. */
  readonly services: ServiceMap;
  /** Folders of our own. */
  readonly own?: readonly string[];
  /** Where others are installed; default: `<data>/plugins`. */
  readonly installed?: string;
}

/** What there is, and all that is wrong with it. */
export interface Inspection {
  readonly found: readonly FoundPlugin[];
  /** Of the plugins that are on and whole, in their order. */
  readonly contributions: readonly Contribution[];
  readonly disabled: Disabled;
  readonly problems: readonly BootProblem[];
}

/**
 * Boots the plugins: parse manifests → check names, ranges, cycles → resolve deps → contribute → freeze. Touches no
 * database: the answer says what is to be migrated, once it is known that nothing is wrong.
 *
 * @throws DuctorError `failed_precondition` with every problem of every plugin, each with what to do.
 */
export async function loadPlugins(sources: PluginSources): Promise<Contributed> {
  const { contributions, disabled, problems } = await inspectPlugins(sources);
  if (problems.length > 0) throw bootRefused(problems);
  return freeze(contributions, disabled);
}

/** The same up to the answer: what is wrong is part of it. */
export async function inspectPlugins({
  config,
  services,
  own = ownPluginFolders(),
  installed = join(config.dataDir, 'plugins'),
}: PluginSources): Promise<Inspection> {
  const problems: BootProblem[] = [];
  const all = await findPlugins({ own, installed, config });
  problems.push(...all.problems);
  const { ordered, problems: manifestProblems, disabled } = checkManifests(all);
  problems.push(...manifestProblems);
  if (all.found.some(({ folder }) => folder.startsWith(join(installed, sep)))) await provideCore(installed);

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
  const contributions: Contribution[] = [];
  for (const { by, options } of ready) {
    const resolved = resolveDeps(by, services);
    const answer = 'problems' in resolved ? resolved : contribute(by, resolved.deps, options);
    if ('problems' in answer) problems.push(...answer.problems);
    else contributions.push({ by, contributions: answer.contributions });
  }
  problems.push(...checkContributions(contributions));
  return { found: all.found, contributions, disabled, problems: problems.map(placedIn(all, config)) };
}

/** Where the file names the plugin that a problem is about, unless that says more already. */
const placedIn =
  ({ found }: FoundPlugins, { plugins, locate }: PluginSources['config']) =>
  (problem: BootProblem): BootProblem => {
    const name = found.find(({ manifest }) => manifest.id === problem.plugin)?.settingName ?? problem.plugin;
    return plugins.has(name) ? { place: locate(['plugins', name]), ...problem } : problem;
  };
