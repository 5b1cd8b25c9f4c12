import type { Json, JsonObject } from '@ductor/core';
import type { Contribution } from '../../boot/check-contributions.ts';
import type { Config } from '../../config/config.ts';
import { examineChange, withSetting } from './examine.ts';
import { changeInstalled, installedFolder } from './installed.ts';
import { editPlugins, manifestFile } from './manifest-file.ts';
import { installPackage } from './npm.ts';

/** What a plugin brings to a host. */
export interface Added {
  /** Its name in `ductor.yaml`. */
  readonly package: string;
  readonly id: string;
  readonly version: string;
  /** Where it is named now. */
  readonly file: string;
  readonly requires: { readonly [id: string]: string };
  readonly step_types: readonly string[];
  readonly fields: readonly string[];
  readonly hooks: readonly string[];
  readonly tables: readonly string[];
  readonly routes: readonly string[];
  readonly services: readonly string[];
  /** JSON Schema; null: it has none. */
  readonly options: Json;
}

/**
 * Installs a plugin's package, checks it as a boot would, and names it in `ductor.yaml`. Nothing is left of one that is
 * refused.
 *
 * @param spec what npm calls one: `name@range`, a folder, an archive, …
 * @param options what `ductor.yaml` shall tell it; else what is written there already.
 * @throws DuctorError `failed_precondition`: npm fails, or a host would not start with it.
 */
export function addPlugin(
  config: Config,
  { spec, options }: { readonly spec: string; readonly options?: JsonObject },
): Promise<Added> {
  const file = manifestFile(config);
  return changeInstalled(installedFolder(config), {
    async change(copy) {
      const name = await installPackage(copy, spec);
      const written = config.plugins.get(name);
      const told = options ?? (written?.enabled ? written.options : {});
      const setting = { enabled: true, options: told, version: null } as const;
      const { contributions } = await examineChange(config, withSetting(config, name, setting), copy);
      const found = contributions.find(({ by }) => by.settingName === name);
      if (found === undefined) throw new TypeError(`${name} was installed, and is not there`);
      return describe(found, file);
    },
    conclude: ({ package: name, version }) =>
      editPlugins(file, [
        [[name, 'version'], version],
        ...(options === undefined ? [] : [[[name, 'options'], options] as const]),
      ]),
  });
}

function describe({ by, contributions }: Contribution, file: string): Added {
  const { manifest, settingName, optionsSchema } = by;
  const { fields = [], hooks = {}, tables = [], routes = [], services = [] } = contributions;
  return {
    package: settingName,
    id: manifest.id,
    version: manifest.version,
    file,
    requires: manifest.requires,
    step_types: manifest.stepTypes,
    fields: fields.map(({ of, name }) => `${of}.${name}`),
    hooks: Object.keys(hooks),
    tables: tables.map(({ name }) => name),
    routes: routes.map(({ method, path }) => `${method.toUpperCase()} ${path}`),
    services: services.map(({ name, where }) => `${name} (${where})`),
    options: optionsSchema,
  };
}
