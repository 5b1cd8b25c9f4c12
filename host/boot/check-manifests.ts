import { BUILT_IN_STEPS, PLUGIN_API } from '@ductor/core';
import satisfies from 'semver/functions/satisfies.js';
import type { Disabled } from './contributed.ts';
import type { FoundPlugin, FoundPlugins } from './find-plugins.ts';
import { orderByRequires } from './order.ts';
import type { BootProblem } from './problem.ts';

export interface CheckedManifests {
  /** The plugins that are on, each after all that it requires, then by id. */
  readonly ordered: readonly FoundPlugin[];
  readonly disabled: Disabled;
  readonly problems: readonly BootProblem[];
}

/** Checks ids, ranges and step types against each other and this host, and sorts. No plugin's code has run yet. */
export function checkManifests({ found, brokenIds }: FoundPlugins): CheckedManifests {
  const enabled = found.filter(({ setting }) => setting.enabled);
  const { ids, cycles } = orderByRequires(
    enabled.map(({ manifest }) => ({ id: manifest.id, requires: Object.keys(manifest.requires) })),
  );
  const byId = new Map(enabled.map((plugin) => [plugin.manifest.id, plugin]));
  return {
    ordered: ids.flatMap((id) => byId.get(id) ?? []),
    disabled: {
      disabledStepTypes: ofDisabled(found, ({ stepTypes }) => stepTypes),
      disabledFields: ofDisabled(found, ({ fields }) => fields),
      disabledRoutes: ofDisabled(found, ({ routes }) => routes),
    },
    problems: [
      ...enabled.flatMap(versionProblems),
      ...duplicatePlugins(found),
      ...enabled.flatMap((plugin) => requirementProblems(plugin, found, brokenIds)),
      ...cycles.map(cycleProblem),
      ...duplicateStepTypes(found),
      ...enabled.flatMap(prefixProblems),
    ],
  };
}

/** What one that is on has as well is not missing. */
function ofDisabled(
  found: readonly FoundPlugin[],
  names: (manifest: FoundPlugin['manifest']) => readonly string[],
): ReadonlyMap<string, string> {
  const of = (enabled: boolean) =>
    found
      .filter(({ setting }) => setting.enabled === enabled)
      .flatMap(({ manifest }) => names(manifest).map((name) => [name, manifest.id] as const));
  const there = new Map(of(true));
  return new Map(of(false).filter(([name]) => !there.has(name)));
}

function versionProblems({ manifest, setting, own }: FoundPlugin): readonly BootProblem[] {
  const { id, version, pluginApi } = manifest;
  const wanted = setting.enabled ? setting.version : null;
  return [
    ...(satisfies(PLUGIN_API, pluginApi)
      ? []
      : [
          {
            plugin: id,
            code: 'wrong_plugin_api',
            message: `is written for plugin API ${pluginApi}, and this host has ${PLUGIN_API}`,
            advice: own ? 'Build the repository again' : 'Install a version of the plugin for this host',
          } as const,
        ]),
    ...(wanted === null || satisfies(version, wanted, { includePrerelease: true })
      ? []
      : [
          {
            plugin: id,
            code: 'wrong_version',
            message: `is here in version ${version}, and ductor.yaml asks for ${wanted}`,
            advice: 'Install that version, or change the one asked for',
          } as const,
        ]),
  ];
}

function duplicatePlugins(found: readonly FoundPlugin[]): readonly BootProblem[] {
  return found.flatMap(({ manifest: { id }, name }, index) => {
    const first = found.findIndex(({ manifest }) => manifest.id === id);
    if (first === index) return [];
    const other = found[first]?.name;
    return [
      {
        plugin: id,
        code: 'duplicate_plugin',
        message: `is the id of both ${other} and ${name}`,
        advice: 'Take one of them out of ductor.yaml',
      },
    ];
  });
}

function requirementProblems(
  { manifest }: FoundPlugin,
  found: readonly FoundPlugin[],
  brokenIds: ReadonlySet<string>,
): readonly BootProblem[] {
  const plugin = manifest.id;
  return Object.entries(manifest.requires).flatMap(([id, range]): readonly BootProblem[] => {
    const other = found.find((candidate) => candidate.manifest.id === id);
    // One that is here and broken has its own problem.
    if (other === undefined && brokenIds.has(id)) return [];
    if (other === undefined) {
      const message = `requires the plugin ${id}, which is not here`;
      return [{ plugin, code: 'requires_missing', message, advice: `Install ${id} and name it in ductor.yaml` }];
    }
    if (!other.setting.enabled) {
      const message = `requires the plugin ${id}, which ductor.yaml turns off`;
      return [{ plugin, code: 'requires_disabled', message, advice: `Turn ${id} on, or ${plugin} off` }];
    }
    if (satisfies(other.manifest.version, range)) return [];
    const message = `requires ${id} ${range}, and ${other.manifest.version} is here`;
    return [{ plugin, code: 'requires_version', message, advice: `Install a version of ${id} or ${plugin} that fits` }];
  });
}

const cycleProblem = (cycle: readonly string[]): BootProblem => ({
  plugin: cycle[0] ?? '',
  code: 'requires_cycle',
  message: `requires itself: ${cycle.join(' → ')}`,
  advice: 'Turn one of them off; their authors have to undo the cycle',
});

/** Over all that are here: turning a plugin on must not change what a step type means. */
function duplicateStepTypes(found: readonly FoundPlugin[]): readonly BootProblem[] {
  const owners = new Map<string, string>(BUILT_IN_STEPS.map(({ type }) => [type, 'the core']));
  return found.flatMap(({ manifest: { id, stepTypes } }) =>
    stepTypes.flatMap((type): readonly BootProblem[] => {
      const owner = owners.get(type);
      if (owner === undefined) {
        owners.set(type, id);
        return [];
      }
      const message = `brings the step type ${type}, which ${owner} has already`;
      return [{ plugin: id, code: 'duplicate_step_type', message, advice: `Take ${id} out of ductor.yaml` }];
    }),
  );
}

function prefixProblems({ own, manifest: { id, routes } }: FoundPlugin): readonly BootProblem[] {
  const prefix = `/api/plugins/${id}`;
  const outside = own ? [] : routes.filter((claimed) => claimed !== prefix);
  return outside.map((claimed) => ({
    plugin: id,
    code: 'route_outside_prefix',
    message: `claims the routes below ${claimed}`,
    advice: `Its author has to put them below ${prefix}`,
    allowed: [prefix],
  }));
}
