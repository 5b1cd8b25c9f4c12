import { readFile, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { DuctorError, type Json, type Problem, type SchemaValidator } from '@ductor/core';
import { compileOwn, type Finding, findingsOf } from '../json-schema/own-schemas.ts';
import { connectorManifestSchema } from './connector-manifest.schema.ts';

export interface Permissions {
  readonly network: { readonly hosts: readonly string[] };
  readonly fs: 'none' | 'tmp';
  readonly childProcess: boolean;
  readonly native: boolean;
}

export interface ManifestAuth {
  readonly id: string;
  readonly type: 'none' | 'api_key' | 'basic' | 'bearer' | 'oauth2' | 'custom';
  readonly displayName?: string;
  readonly schema: object;
  readonly secretFields: readonly string[];
  /** The action that proves a credential. */
  readonly test?: string;
}

export interface ManifestAction {
  readonly name: string;
  readonly displayName: string;
  readonly description?: string;
  readonly input: object;
  readonly output: object;
  /** Ids of `auth`; empty: the action takes no credential. */
  readonly auth: readonly string[];
  readonly effect: 'read' | 'write' | 'destructive';
  readonly idempotency: 'natural' | 'key' | 'none';
  readonly defaults: {
    /** ISO 8601, or the four deadlines by name. */
    readonly timeout?: string | { readonly [deadline: string]: string };
    readonly heartbeat?: string;
    readonly retry?: { readonly [field: string]: Json };
  };
  readonly errors: readonly { readonly code: string; readonly retryable: boolean }[];
  readonly examples: readonly { readonly title: string; readonly input: Json; readonly output?: Json }[];
}

/** What the host knows of a connector package without running its code. */
export interface ConnectorManifest {
  readonly package: string;
  readonly version: string;
  readonly id: string;
  readonly displayName: string;
  readonly summary?: string;
  readonly icon?: string;
  readonly categories: readonly string[];
  readonly docs?: string;
  readonly connectorApi: string;
  readonly runtime: 'native' | 'openapi' | 'mcp' | 'activepieces';
  /** Relative to the package's folder. */
  readonly entry: string;
  readonly auth: readonly ManifestAuth[];
  readonly actions: readonly ManifestAction[];
  readonly permissions: Permissions;
  readonly resources: {
    readonly threads?: number;
    readonly maxOldGenerationMb?: number;
    /** Attempts that one thread runs at once. */
    readonly concurrency: number;
    readonly timeout?: string;
  };
  readonly isolation: { readonly minimum: 'thread' | 'process' };
  readonly config: object;
}

/** Whether an action cannot do without: it takes credentials, and none of them is of the type `none`. */
export const needsCredential = ({ auth }: Pick<ConnectorManifest, 'auth'>, action: ManifestAction): boolean =>
  action.auth.length > 0 && !auth.some(({ id, type }) => type === 'none' && action.auth.includes(id));

/**
 * Reads and checks the manifest in a package's folder; `schemas` checks the JSON Schemas in it, `null`: that was done
 * before. Throws `DuctorError` `invalid_argument`; its details have one problem for each fault, with the path within
 * `package.json` and what was expected there.
 */
export const readConnectorManifest = async (
  dir: string,
  schemas: Pick<SchemaValidator, 'check'> | null,
): Promise<ConnectorManifest> => {
  const root = await realpath(dir);
  const file = await readJson(root, 'package.json');
  const section = member(member(file, 'ductor'), 'connector');
  if (section === undefined) throw refused('package.json', [missing('ductor.connector', 'a connector manifest')]);
  const whole = { ...member(file, 'ductor'), connector: await inlined(root, section) };
  const read: unknown = { name: member(file, 'name'), version: member(file, 'version'), ductor: whole };
  if (!isPackage(read)) throw refused(dir, findingsOf(isPackage.errors).map(problemOf));
  const { name, version, ductor } = read;
  const manifest: ConnectorManifest = { ...ductor.connector, package: name, version };
  const unclear = [...crossCheck(manifest), ...(schemas === null ? [] : schemaProblems(manifest, schemas))];
  if (unclear.length > 0) throw refused(name, unclear);
  return manifest;
};

interface PackageFile {
  readonly name: string;
  readonly version: string;
  readonly ductor: { readonly connector: Omit<ConnectorManifest, 'package' | 'version'> };
}

const isPackage = compileOwn<PackageFile>(connectorManifestSchema);

const problemOf = ({ keys, message, allowed }: Finding): Problem => ({
  path: keys
    .map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${key}`))
    .join('')
    .replace(/^\./, ''),
  code: 'invalid_manifest',
  message,
  ...(allowed && { allowed }),
});

/** `actions`, `auth` and `config` may each be the path of a JSON file in the package. */
const inlined = async (root: string, section: object): Promise<object> => {
  const files = ['actions', 'auth', 'config'] as const;
  const read = files.map(async (field): Promise<readonly [string, unknown][]> => {
    const value: unknown = Reflect.get(section, field);
    return typeof value === 'string' ? [[field, await readJson(root, value)]] : [];
  });
  return { ...section, ...Object.fromEntries((await Promise.all(read)).flat()) };
};

const readJson = async (root: string, path: string): Promise<unknown> => {
  const file = await realpath(join(root, path)).catch(() => null);
  if (file === null) throw refused(path, [missing(path, 'a JSON file in the package')]);
  if (!file.startsWith(root + sep)) throw refused(path, [missing(path, 'a path that stays in the package')]);
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw refused(path, [missing(path, `JSON (${String(error)})`)]);
  }
};

/** What a schema cannot say: names are unique, and references lead somewhere. */
const crossCheck = ({ actions, auth }: ConnectorManifest): readonly Problem[] => {
  const authIds = auth.map(({ id }) => id);
  const names = actions.map(({ name }) => name);
  const at = (path: string, message: string, allowed?: readonly string[]): Problem => ({
    path: `ductor.connector.${path}`,
    code: 'invalid_manifest',
    message,
    ...(allowed === undefined ? {} : { allowed }),
  });
  return [
    ...names.flatMap((name, i) =>
      names.indexOf(name) < i ? [at(`actions[${i}].name`, `${name} is there twice`)] : [],
    ),
    ...authIds.flatMap((id, i) => (authIds.indexOf(id) < i ? [at(`auth[${i}].id`, `${id} is there twice`)] : [])),
    ...actions.flatMap((action, i) =>
      action.auth.some((id) => !authIds.includes(id))
        ? [at(`actions[${i}].auth`, `must name ids of auth`, authIds)]
        : [],
    ),
    ...auth.flatMap(({ test }, i) =>
      test !== undefined && !names.includes(test) ? [at(`auth[${i}].test`, 'must name an action', names)] : [],
    ),
  ];
};

const schemaProblems = (
  { actions, auth, config }: ConnectorManifest,
  schemas: Pick<SchemaValidator, 'check'>,
): readonly Problem[] => [
  ...actions.flatMap(({ input, output }, i) =>
    Object.entries({ input, output }).flatMap(([field, schema]) =>
      schemas.check(schema, `ductor.connector.actions[${i}].${field}`),
    ),
  ),
  ...auth.flatMap(({ schema }, i) => schemas.check(schema, `ductor.connector.auth[${i}].schema`)),
  ...schemas.check(config, 'ductor.connector.config'),
];

const member = (value: unknown, key: string): object | undefined =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;

const missing = (path: string, expected: string): Problem => ({
  path,
  code: 'invalid_manifest',
  message: `expected ${expected}`,
});

const refused = (name: string, problems: readonly Problem[]): DuctorError => {
  const lines = problems.map(
    ({ path, message, allowed }) => `${path}: ${message}${allowed ? ` (allowed: ${allowed.join(', ')})` : ''}`,
  );
  return new DuctorError('invalid_argument', `the connector manifest of ${name} is not valid: ${lines.join('; ')}`, {
    problems: problems.map(({ path, code, message, allowed }) => ({
      path,
      code,
      message,
      ...(allowed && { allowed }),
    })),
  });
};
