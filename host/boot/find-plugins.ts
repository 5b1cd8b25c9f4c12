import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config, PluginSetting } from '../config/config.ts';
import { nearest } from '../config/nearest.ts';
import type { BootProblem } from './problem.ts';
import { type PluginPackage, readManifest } from './read-manifest.ts';

/** A plugin that is here, and what `ductor.yaml` says of it. */
export interface FoundPlugin extends PluginPackage {
  readonly own: boolean;
  /** Its name in `ductor.yaml`. */
  readonly settingName: string;
  readonly setting: PluginSetting;
}

export interface FoundPlugins {
  readonly found: readonly FoundPlugin[];
  /** Ids of those whose manifest is not valid: here, although nothing can be done with them. */
  readonly brokenIds: ReadonlySet<string>;
  readonly problems: readonly BootProblem[];
}

const byDefault: PluginSetting = { enabled: true, options: {}, version: null };

/** Reads the manifests of our own plugins, and of the others that `ductor.yaml` names, on or off. */
export async function findPlugins({
  own,
  installed,
  config,
}: {
  /** Folders of our own. */
  readonly own: readonly string[];
  /** Where others are installed. */
  readonly installed: string;
  readonly config: Pick<Config, 'plugins' | 'baseDir' | 'locate'>;
}): Promise<FoundPlugins> {
  const found: FoundPlugin[] = [];
  const brokenIds = new Set<string>();
  const problems: BootProblem[] = [];

  const named = new Set<string>();
  for (const folder of own) {
    const answer = await readManifest(folder, folder);
    const id = 'package' in answer ? answer.package.manifest.id : answer.id;
    named.add(id);
    if ('package' in answer) {
      found.push({ ...answer.package, own: true, settingName: id, setting: config.plugins.get(id) ?? byDefault });
    } else {
      brokenIds.add(id);
      problems.push(...answer.problems);
    }
  }

  const ownIds = [...named];
  for (const [name, setting] of config.plugins) {
    if (named.has(name)) continue;
    const folder = isPath(name) ? resolve(config.baseDir, name) : join(installed, 'node_modules', name);
    if (!existsSync(join(folder, 'package.json'))) {
      problems.push(unknownPlugin({ name, folder, ownIds }));
      continue;
    }
    const answer = await readManifest(folder, name);
    if ('package' in answer) {
      found.push({ ...answer.package, own: false, settingName: name, setting });
    } else {
      brokenIds.add(answer.id);
      // What is off may be broken.
      const place = config.locate(['plugins', name]);
      if (setting.enabled) problems.push(...answer.problems.map((problem) => ({ place, ...problem })));
    }
  }
  return { found, brokenIds, problems };
}

export const isPath = (name: string): boolean => /^(\.\.?)?\//.test(name);

function unknownPlugin({
  name,
  folder,
  ownIds,
}: {
  readonly name: string;
  readonly folder: string;
  readonly ownIds: readonly string[];
}): BootProblem {
  const meant = nearest(name, ownIds);
  return {
    plugin: name,
    code: 'unknown_plugin',
    message: `is neither one of our plugins (${ownIds.join(', ')}) nor a package in ${folder}`,
    advice:
      meant === null
        ? 'Install it (`ductor plugin add`), or take it out of ductor.yaml'
        : `Write ${meant} if that is meant`,
  };
}
