import { join } from 'node:path';
import { problemText } from '../../boot/problem.ts';
import { readManifest } from '../../boot/read-manifest.ts';
import type { Config } from '../../config/config.ts';
import { examine } from './examine.ts';
import { installedFolder, installedPackages } from './installed.ts';

export interface ListedPlugin {
  /** Its name in `ductor.yaml`. */
  readonly name: string;
  readonly id: string | null;
  readonly version: string | null;
  readonly own: boolean;
  /** `unnamed`: installed, and not in `ductor.yaml`. */
  readonly state: 'on' | 'off' | 'unnamed' | 'broken';
  readonly step_types: readonly string[];
  readonly problems: readonly string[];
}

/** Our plugins and the others, as a host that is started now would find them. */
export async function listPlugins(config: Config): Promise<readonly ListedPlugin[]> {
  const { found, problems } = await examine(config);
  const problemsOf = (id: string) => problems.filter(({ plugin }) => plugin === id).map(problemText);
  const known = found.map(({ manifest: { id, version, stepTypes }, settingName, own, setting }): ListedPlugin => {
    const state = setting.enabled ? 'on' : 'off';
    return { name: settingName, id, version, own, state, step_types: stepTypes, problems: problemsOf(id) };
  });
  const ids = new Set(found.map(({ manifest }) => manifest.id));
  const broken = [...new Set(problems.map(({ plugin }) => plugin))]
    .filter((name) => !ids.has(name))
    .map((name): ListedPlugin => {
      return { name, id: null, version: null, own: false, state: 'broken', step_types: [], problems: problemsOf(name) };
    });
  return [...known, ...broken, ...(await unnamed(config))];
}

async function unnamed(config: Config): Promise<readonly ListedPlugin[]> {
  const folder = installedFolder(config);
  const names = (await installedPackages(folder)).filter((name) => !config.plugins.has(name));
  return Promise.all(
    names.map(async (name): Promise<ListedPlugin> => {
      const answer = await readManifest(join(folder, 'node_modules', name), name);
      if (!('package' in answer)) {
        const problems = answer.problems.map(problemText);
        return { name, id: answer.id, version: null, own: false, state: 'unnamed', step_types: [], problems };
      }
      const { id, version, stepTypes } = answer.package.manifest;
      return { name, id, version, own: false, state: 'unnamed', step_types: stepTypes, problems: [] };
    }),
  );
}
