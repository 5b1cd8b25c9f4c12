import { type Contributions, isObject, type Json, type ServiceRefs } from '@ductor/core';
import { errorText } from '../embedded/error-code.ts';
import type { LoadedPlugin } from './load-entry.ts';
import type { BootProblem } from './problem.ts';

/** What stands behind the refs, by their ids. */
export type ServiceMap = ReadonlyMap<string, unknown>;

type Deps = { readonly [name: string]: unknown };

/** The services that a plugin's refs name, or those it names and nobody provides. */
export function resolveDeps(
  { manifest, plugin }: LoadedPlugin,
  services: ServiceMap,
): { readonly deps: Deps } | { readonly problems: readonly BootProblem[] } {
  const refs: ServiceRefs = plugin.deps;
  const unknown = Object.entries(refs).filter(([, { id }]) => !services.has(id));
  if (unknown.length === 0) {
    return { deps: Object.fromEntries(Object.entries(refs).map(([name, { id }]) => [name, services.get(id)])) };
  }
  return {
    problems: unknown.map(([name, { id }]) => ({
      plugin: manifest.id,
      code: 'unknown_ref',
      message: `its dependency ${name} refers to the service ${id}, which nothing provides`,
      advice: 'Install the plugin or host version that provides it',
      allowed: [...services.keys()].sort(),
    })),
  };
}

const surfaces = ['fields', 'steps', 'tables', 'routes', 'services'] as const;
const moments = ['publish', 'archive', 'start', 'control', 'settle', 'end'];

/** Asks a plugin for its contributions; what is not the plain, complete answer is a problem. */
export function contribute(
  { manifest, plugin }: LoadedPlugin,
  deps: Deps,
  options: Json,
): { readonly contributions: Contributions } | { readonly problems: readonly BootProblem[] } {
  const problem = (code: BootProblem['code'], message: string): BootProblem => ({
    plugin: manifest.id,
    code,
    message,
    advice: 'Turn the plugin off, or install a version of it that is whole',
  });
  let answer: unknown;
  try {
    answer = plugin.contribute(deps, options);
  } catch (error) {
    return { problems: [problem('contribute_failed', `contribute threw: ${errorText(error)}`)] };
  }
  if (isPromise(answer)) {
    // Its fate is of no interest any more, and must not end the process.
    answer.then(undefined, () => undefined);
    return {
      problems: [problem('invalid_contribution', 'contribute answers with a promise; it has to be synchronous')],
    };
  }
  const messages = shapeFaults(answer);
  if (messages.length > 0 || !isContributions(answer)) {
    return { problems: messages.map((message) => problem('invalid_contribution', message)) };
  }
  return { contributions: answer };
}

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'then') === 'function';

const isContributions = (value: unknown): value is Contributions => shapeFaults(value).length === 0;

function shapeFaults(answer: unknown): readonly string[] {
  if (!isObject(answer)) return ['contribute has to answer with an object'];
  const { hooks = {} } = answer;
  const known = [...surfaces, 'hooks'];
  return [
    ...unknownKeys(answer, known, 'contribute answers with'),
    ...surfaces.filter((name) => !Array.isArray(answer[name] ?? [])).map((name) => `${name} has to be a list`),
    ...(isObject(hooks) ? unknownKeys(hooks, moments, 'hooks has') : ['hooks has to be an object']),
  ];
}

const unknownKeys = (value: object, known: readonly string[], who: string): readonly string[] =>
  Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => `${who} the unknown key ${key} (known: ${known.join(', ')})`);
