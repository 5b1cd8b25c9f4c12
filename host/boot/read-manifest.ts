import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FromSchema, isObject, type Json, type PluginManifest } from '@ductor/core';
import { errorText } from '../embedded/error-code.ts';
import { compileOwn, findingsOf } from '../json-schema/own-schemas.ts';
import { pluginManifestSchema } from './plugin-manifest.schema.ts';
import type { BootProblem } from './problem.ts';

/** A plugin's package as it lies on disk; none of its code has run. */
export interface PluginPackage {
  readonly folder: string;
  /** As npm knows it. */
  readonly name: string;
  readonly manifest: PluginManifest;
  /** What the file that the manifest names as `options` holds; null: it names none. */
  readonly optionsSchema: Json;
}

/** `id`: as far as the manifest can be read, so that nobody is told that this plugin is missing. */
export type ManifestAnswer =
  | { readonly package: PluginPackage }
  | { readonly id: string; readonly problems: readonly BootProblem[] };

const check = compileOwn<FromSchema<typeof pluginManifestSchema>>(pluginManifestSchema);

/** Reads the manifest in a package's folder and the schema of its options; `label` names it until its id is known. */
export async function readManifest(folder: string, label: string): Promise<ManifestAnswer> {
  const path = join(folder, 'package.json');
  const refused = (id: string, messages: readonly string[]): ManifestAnswer => ({
    id,
    problems: messages.map((message) => ({
      plugin: id,
      code: 'invalid_manifest',
      message,
      advice: `Correct ${path}, or install a version of the plugin that is whole`,
    })),
  });
  let content: unknown;
  try {
    content = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    return refused(label, [errorText(error)]);
  }
  if (!check(content)) {
    const faults = findingsOf(check.errors).map(({ keys, message, allowed }) => {
      return `${keys.join('.')} ${message}${allowed === undefined ? '' : ` (allowed: ${allowed.join(', ')})`}`;
    });
    return refused(idIn(content) ?? label, faults);
  }
  const manifest = manifestOf(content);
  let optionsSchema: Json = null;
  if (manifest.options !== undefined) {
    try {
      optionsSchema = JSON.parse(await readFile(join(folder, manifest.options), 'utf8'));
    } catch (error) {
      return refused(manifest.id, [`ductor.plugin.options: ${errorText(error)}`]);
    }
  }
  return { package: { folder, name: content.name, manifest, optionsSchema } };
}

function manifestOf({ version, ductor }: FromSchema<typeof pluginManifestSchema>): PluginManifest {
  const { id, entry, pluginApi, requires, options, stepTypes, fields, routes } = ductor.plugin;
  return {
    id,
    version,
    entry,
    pluginApi,
    requires: Object.fromEntries(Object.entries(requires).map(([other, range]) => [other, String(range)])),
    ...(options !== undefined && { options }),
    stepTypes,
    fields,
    routes: routes === undefined ? [] : typeof routes === 'string' ? [routes] : routes,
  };
}

function idIn(content: unknown): string | null {
  const section = isObject(content) && isObject(content.ductor) ? content.ductor.plugin : null;
  return isObject(section) && typeof section.id === 'string' ? section.id : null;
}
