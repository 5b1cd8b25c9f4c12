import type { Contributions, Route } from '@ductor/core';
import type { LoadedPlugin } from './load-entry.ts';
import type { BootProblem, BootProblemCode } from './problem.ts';
import { isReserved } from './reserved-fields.ts';

export interface Contribution {
  readonly by: LoadedPlugin;
  readonly contributions: Contributions;
}

/** Holds what the plugins contribute against their manifests and against each other. */
export function checkContributions(all: readonly Contribution[]): readonly BootProblem[] {
  return [
    ...all.flatMap(stepTypeProblems),
    ...all.flatMap(fieldProblems),
    ...all.flatMap(({ by, contributions }) =>
      (contributions.routes ?? []).flatMap((route) => routeProblems(by, route)),
    ),
    ...all.flatMap(reservedFieldProblems),
    ...duplicates(all, 'duplicate_field', 'the field', ({ fields = [] }) =>
      fields.map(({ of, name }) => `${of}.${name}`),
    ),
    ...duplicates(all, 'duplicate_table', 'the table', ({ tables = [] }) => tables.map(({ name }) => name)),
    ...duplicates(all, 'duplicate_filter', 'the filter', ({ tables = [] }) =>
      tables.flatMap(({ filters }) => Object.keys(filters ?? {})),
    ),
    ...duplicates(all, 'duplicate_route', 'the route', ({ routes = [] }) =>
      routes.map(({ method, path }) => `${method.toUpperCase()} ${path}`),
    ),
    ...duplicates(all, 'duplicate_service', 'the service', ({ services = [] }) => services.map(({ name }) => name)),
  ];
}

/** The manifest is what other hosts and publish checks go by, so it has to be true. */
function stepTypeProblems({ by, contributions }: Contribution): readonly BootProblem[] {
  const { id, stepTypes } = by.manifest;
  const given: readonly string[] = (contributions.steps ?? []).map(({ type }) => type);
  const advice = 'Its author has to make manifest and code agree';
  return [
    ...given
      .filter((type) => !stepTypes.includes(type))
      .map((type) => {
        const message = `contributes the step type ${type}, which its manifest does not list`;
        return { plugin: id, code: 'step_type_unlisted', message, advice } as const;
      }),
    ...stepTypes
      .filter((type) => !given.includes(type))
      .map((type) => {
        const message = `lists the step type ${type} in its manifest, and does not contribute it`;
        return { plugin: id, code: 'step_type_missing', message, advice } as const;
      }),
    ...given
      .filter((type, index) => given.indexOf(type) < index)
      .map((type) => {
        const message = `contributes the step type ${type} twice`;
        return { plugin: id, code: 'duplicate_step_type', message, advice } as const;
      }),
  ];
}

/** Its words in definitions have to be known while it is off. */
function fieldProblems({ by, contributions }: Contribution): readonly BootProblem[] {
  const { id, fields } = by.manifest;
  const given = (contributions.fields ?? [])
    .filter(({ of }) => of === 'step' || of === 'graph' || of === 'settings')
    .map(({ of, name }) => `${of}.${name}`);
  const advice = 'Its author has to make manifest and code agree';
  return [
    ...given
      .filter((word) => !fields.includes(word))
      .map((word) => {
        const message = `contributes the field ${word}, which its manifest does not list`;
        return { plugin: id, code: 'field_unlisted', message, advice } as const;
      }),
    ...fields
      .filter((word) => !given.includes(word))
      .map((word) => {
        const message = `lists the field ${word} in its manifest, and does not contribute it`;
        return { plugin: id, code: 'field_missing', message, advice } as const;
      }),
  ];
}

const reservedFieldProblems = ({ by, contributions }: Contribution): readonly BootProblem[] =>
  (contributions.fields ?? []).filter(isReserved).map(({ of, name }) => ({
    plugin: by.manifest.id,
    code: 'reserved_field',
    message: `contributes the field ${of}.${name}, which is the core's own`,
    advice: 'Its author has to give it another name',
  }));

function routeProblems({ manifest, own }: LoadedPlugin, { method, path, options }: Route): readonly BootProblem[] {
  const { id } = manifest;
  const prefixes = own ? manifest.routes : [`/api/plugins/${id}`];
  const isInside = prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
  const auth = options?.auth;
  const scopes: unknown = auth !== false && auth?.scope;
  const saysWhoMay =
    auth === false ||
    (Array.isArray(scopes) && scopes.length > 0 && scopes.every((scope) => typeof scope === 'string'));
  return [
    ...(isInside
      ? []
      : [
          {
            plugin: id,
            code: 'route_outside_prefix',
            message: `contributes ${method} ${path}, which is not below ${prefixes.join(' or ') || 'a prefix that its manifest claims'}`,
            advice: 'Its author has to move the route',
          } as const,
        ]),
    ...(saysWhoMay
      ? []
      : [
          {
            plugin: id,
            code: 'route_without_scope',
            message: `contributes ${method} ${path} without options.auth.scope, and not open by auth: false`,
            advice: 'Its author has to say who may call it',
          } as const,
        ]),
  ];
}

function duplicates(
  all: readonly Contribution[],
  code: BootProblemCode,
  what: string,
  namesIn: (contributions: Contributions) => readonly string[],
): readonly BootProblem[] {
  const owners = new Map<string, string>();
  return all.flatMap(({ by, contributions }) =>
    namesIn(contributions).flatMap((name): readonly BootProblem[] => {
      const plugin = by.manifest.id;
      const owner = owners.get(name);
      if (owner === undefined) {
        owners.set(name, plugin);
        return [];
      }
      const message = `contributes ${what} ${name}, which ${owner === plugin ? 'it' : owner} contributes already`;
      const advice = owner === plugin ? `Turn ${plugin} off` : `Turn ${owner} or ${plugin} off`;
      return [{ plugin, code, message, advice }];
    }),
  );
}
