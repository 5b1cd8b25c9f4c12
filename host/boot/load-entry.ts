import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject, type JsonSchema, type Plugin, type ServiceRefs } from '@ductor/core';
import { errorText } from '../embedded/error-code.ts';
import type { FoundPlugin } from './find-plugins.ts';
import { otherCore } from './host-core.ts';
import type { BootProblem } from './problem.ts';

export type AnyPlugin = Plugin<ServiceRefs, JsonSchema>;

export interface LoadedPlugin extends FoundPlugin {
  readonly plugin: AnyPlugin;
}

/** Imports a plugin's entry. From here on its code runs, with the host's full trust. */
export async function loadEntry(found: FoundPlugin): Promise<LoadedPlugin | BootProblem> {
  const { id, entry } = found.manifest;
  const advice = 'Install the plugin again, or ask its author';
  const file = join(found.folder, entry);
  const core = otherCore(file);
  if (core !== null) {
    return {
      plugin: id,
      code: 'second_core',
      message: `imports a copy of @ductor/core of its own, in ${core}`,
      advice: 'Its author has to name @ductor/core in peerDependencies, and nowhere else that is installed with it',
    };
  }
  let exported: unknown;
  try {
    const module: { readonly default?: unknown } = await import(pathToFileURL(file).href);
    exported = module.default;
  } catch (error) {
    return { plugin: id, code: 'entry_failed', message: `${entry} cannot be imported: ${errorText(error)}`, advice };
  }
  if (!isPlugin(exported)) {
    const message = `the default export of ${entry} is not what definePlugin answers: deps, options, contribute`;
    return { plugin: id, code: 'invalid_entry', message, advice };
  }
  if (exported.migrations !== undefined && !existsSync(join(found.folder, exported.migrations))) {
    return { plugin: id, code: 'no_migrations', message: `its folder ${exported.migrations} is not there`, advice };
  }
  return { ...found, plugin: exported };
}

const isPlugin = (value: unknown): value is AnyPlugin =>
  isObject(value) &&
  isObject(value.deps) &&
  Object.values(value.deps).every((ref) => isObject(ref) && typeof ref.id === 'string') &&
  isObject(value.options) &&
  (value.migrations === undefined || typeof value.migrations === 'string') &&
  'contribute' in value &&
  typeof Reflect.get(value, 'contribute') === 'function';
