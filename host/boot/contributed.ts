import { join } from 'node:path';
import {
  type AnyField,
  type AnyStepType,
  type AnyTable,
  BUILT_IN_STEPS,
  type Hooks,
  type Registry,
  type Route,
  type Service,
  stepTypes,
} from '@ductor/core';
import type { MigrationSet } from '../postgres/migrate.ts';
import type { Contribution } from './check-contributions.ts';
import type { LoadedPlugin } from './load-entry.ts';

/** A plugin that is on; kept by each host beside its lease. */
export interface RunningPlugin {
  readonly id: string;
  readonly version: string;
  readonly package: string;
}

/** What plugins bring that are here and off, each with the id of its plugin. */
export interface DisabledWords {
  readonly disabledStepTypes: ReadonlyMap<string, string>;
  /** Their words in definitions (`step.audit`). */
  readonly disabledFields: ReadonlyMap<string, string>;
}

/** The same, and the prefixes of their routes. */
export interface Disabled extends DisabledWords {
  readonly disabledRoutes: ReadonlyMap<string, string>;
}

/** All that the plugins bring, frozen for the life of the host. Each list is in the order of the plugins. */
export interface Contributed extends Disabled {
  readonly plugins: readonly RunningPlugin[];
  /** In the order in which they are applied. */
  readonly migrations: readonly MigrationSet[];
  readonly fields: readonly AnyField[];
  readonly steps: readonly AnyStepType[];
  readonly hooks: readonly Hooks[];
  readonly tables: readonly AnyTable[];
  readonly routes: readonly { readonly plugin: string; readonly route: Route }[];
  readonly services: readonly { readonly plugin: string; readonly service: Service }[];
}

/** The plugins that are known to have these step types and words. */
export const pluginsOf = (
  words: readonly string[],
  { disabledStepTypes, disabledFields }: DisabledWords,
): readonly string[] => [
  ...new Set(words.flatMap((word) => disabledStepTypes.get(word) ?? disabledFields.get(word) ?? [])),
];

/** A plugin's migrations and the table that remembers them. */
const migrationsOf = ({ folder, manifest, plugin }: LoadedPlugin): readonly MigrationSet[] =>
  plugin.migrations === undefined
    ? []
    : [
        {
          folder: join(folder, plugin.migrations),
          historyTable: `eec_migration_${manifest.id.replaceAll('-', '_')}`,
        },
      ];

export function freeze(all: readonly Contribution[], disabled: Disabled): Contributed {
  const each = <T>(pick: (contribution: Contribution) => readonly T[]): readonly T[] =>
    Object.freeze(all.flatMap(pick));
  return Object.freeze({
    plugins: each(({ by: { manifest, name } }) => [{ id: manifest.id, version: manifest.version, package: name }]),
    migrations: each(({ by }) => migrationsOf(by)),
    fields: each(({ contributions }) => contributions.fields ?? []),
    steps: each(({ contributions }) => contributions.steps ?? []),
    hooks: each(({ contributions: { hooks } }) => (hooks === undefined ? [] : [hooks])),
    tables: each(({ contributions }) => contributions.tables ?? []),
    routes: each(({ by, contributions }) =>
      (contributions.routes ?? []).map((route) => ({ plugin: by.manifest.id, route })),
    ),
    services: each(({ by, contributions }) =>
      (contributions.services ?? []).map((service) => ({ plugin: by.manifest.id, service })),
    ),
    ...disabled,
  });
}

/** The engine's vocabulary: what every host knows, and what the plugins bring. */
export const registryOf = ({ steps, hooks, fields }: Contributed): Registry => ({
  steps: stepTypes(BUILT_IN_STEPS, steps),
  hooks,
  fields,
});
