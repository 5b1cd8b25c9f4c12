import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DuctorError, type FromSchema, isObject, type Json, parseDuration } from '@ductor/core';
import { errorText } from '../embedded/error-code.ts';
import { compileOwn, type Finding, findingsOf } from '../json-schema/own-schemas.ts';
import { configSchema, notActedOn } from './config.schema.ts';
import type { Config, PluginSetting } from './config.ts';
import { type Environment, overlay, substitute, variable } from './environment.ts';
import { fromText } from './from-text.ts';
import { parseMasterKey } from './secrets.ts';
import type { YamlFault, YamlFile } from './yaml-file.ts';

type ConfigDocument = FromSchema<typeof configSchema>;

const check = compileOwn<ConfigDocument>(configSchema);
const shortestApiKey = 32;

/**
 * Reads the configuration: `argv.config`, else `DUCTOR_CONFIG`, else `ductor.yaml` in `cwd`, else the defaults; the
 * environment beats the file.
 *
 * @throws DuctorError `invalid_argument` with every fault: its place, path and what is allowed there. Values are never
 *   repeated.
 */
export async function loadConfig({
  argv,
  env,
  cwd,
}: {
  readonly argv: { readonly config?: string };
  readonly env: Environment;
  readonly cwd: string;
}): Promise<Config> {
  const named = argv.config ?? variable(env, 'DUCTOR_CONFIG');
  const path = resolve(cwd, named ?? 'ductor.yaml');
  const file = await readFile(path, { required: named !== null });
  const substituted = substitute(file?.content ?? {}, env);
  const { content, sources } = overlay({ content: substituted.content, env, cwd });
  const locate = (keys: readonly string[]): string => sources.get(keys.join('.')) ?? placeIn(file, keys);

  // A key that the environment decides is not read from the file.
  const unset = substituted.findings.filter(({ keys }) => !sources.has(keys.join('.')));
  const document = fromText(configSchema, content);
  const isValid = check(document);
  // What a missing variable should have given is not judged a second time.
  const misfits = findingsOf(check.errors).filter(({ keys }) => !unset.some((other) => samePath(other.keys, keys)));
  const secrets = readSecrets(env);
  const faults = [
    ...[...unset, ...misfits].map((finding) => ({ place: locate(finding.keys), ...finding })),
    ...secrets.faults,
  ];
  if (!isValid || faults.length > 0) throw refused(faults);
  return {
    ...configOf(document, { file: file === null ? null : path, cwd }),
    notActedOn: notActedOn.filter((keys) => isSet(document, keys)).map((keys) => keys.join('.')),
    secrets: secrets.values,
    locate,
  };
}

const isSet = (value: unknown, [key, ...rest]: readonly string[]): boolean =>
  key === undefined ? value !== undefined : isObject(value) && isSet(value[key], rest);

interface Fault extends Finding {
  readonly place: string;
}

const samePath = (a: readonly string[], b: readonly string[]): boolean => a.join('\0') === b.join('\0');

const placeIn = (file: YamlFile | null, keys: readonly string[]): string => {
  if (file === null) return 'the defaults';
  const { line, column } = file.position(keys);
  return `${file.name}:${line}:${column}`;
};

async function readFile(path: string, { required }: { readonly required: boolean }): Promise<YamlFile | null> {
  if (!required && !existsSync(path)) return null;
  // Its parser is many files, which a start without such a file does without.
  const { readYaml } = await import('./yaml-file.ts');
  let read: YamlFile | { readonly faults: readonly YamlFault[] };
  try {
    read = readYaml(path);
  } catch (error) {
    throw refused([{ place: path, keys: [], message: `cannot be read: ${errorText(error)}` }]);
  }
  if (!('faults' in read)) return read;
  throw refused(
    read.faults.map(({ line, column, message }) => ({ place: `${path}:${line}:${column}`, keys: [], message })),
  );
}

function readSecrets(env: Environment): { readonly values: Config['secrets']; readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const masterKeyText = variable(env, 'DUCTOR_MASTER_KEY');
  const masterKey = masterKeyText === null ? null : parseMasterKey(masterKeyText);
  if (masterKeyText !== null && masterKey === null) {
    faults.push({ place: 'DUCTOR_MASTER_KEY', keys: [], message: 'must be 32 bytes as base64 or hex' });
  }
  const previousMasterKeys: Buffer[] = [];
  for (const text of variable(env, 'DUCTOR_MASTER_KEY_PREVIOUS')?.split(',') ?? []) {
    const key = parseMasterKey(text.trim());
    if (key !== null) previousMasterKeys.push(key);
    else {
      const message = 'must be keys of 32 bytes as base64 or hex, separated by commas';
      faults.push({ place: 'DUCTOR_MASTER_KEY_PREVIOUS', keys: [], message });
    }
  }
  const bootstrapApiKey = variable(env, 'DUCTOR_BOOTSTRAP_API_KEY');
  if (bootstrapApiKey !== null && bootstrapApiKey.length < shortestApiKey) {
    const message = `must have ${shortestApiKey} characters or more`;
    faults.push({ place: 'DUCTOR_BOOTSTRAP_API_KEY', keys: [], message });
  }
  return { values: { masterKey, previousMasterKeys, bootstrapApiKey }, faults };
}

function configOf(
  document: ConfigDocument,
  { file, cwd }: { readonly file: string | null; readonly cwd: string },
): Omit<Config, 'notActedOn' | 'secrets' | 'locate'> {
  const { server, database, redis, plugins, connectors, retention, log, limits, data_dir } = document;
  const baseDir = file === null ? cwd : dirname(file);
  return {
    file,
    baseDir,
    mode: document.mode ?? (database.url === undefined ? 'development' : 'production'),
    server: { host: server.host, port: server.port, publicUrl: server.public_url ?? null },
    database: { url: database.url ?? null, pool: database.pool },
    redis: { url: redis.url ?? null },
    plugins: new Map(Object.entries(plugins).map(([name, entry]) => [name, settingOf(entry)])),
    connectors: { privateNetworks: connectors.private_networks },
    log: { level: log.level },
    dataDir: data_dir === undefined ? resolve(cwd, '.ductor') : resolve(baseDir, data_dir),
    limits: {
      requestBodyBytes: limits.request_body_bytes,
      stepOutputBytes: limits.step_output_bytes,
      stepsPerDefinition: limits.steps_per_definition,
      nestingDepth: limits.nesting_depth,
    },
    retention: { eventsMs: Math.min(parseDuration(retention.events) ?? LONGEST_MS, LONGEST_MS) },
  };
}

/** A thousand years: what is longer would lead out of the database's calendar. */
const LONGEST_MS = 1_000 * 365 * 86_400_000;

function settingOf(entry: Json): PluginSetting {
  if (!isObject(entry)) return { enabled: false };
  return {
    enabled: true,
    options: isObject(entry.options) ? entry.options : {},
    version: typeof entry.version === 'string' ? entry.version : null,
  };
}

function refused(faults: readonly Fault[]): DuctorError {
  const lines = faults.map(({ place, keys, message, allowed }) => {
    const path = keys.length === 0 ? '' : `${keys.join('.')}: `;
    return `  ${place}  ${path}${message}${allowed === undefined ? '' : ` (allowed: ${allowed.join(', ')})`}`;
  });
  const problems = faults.map(({ place, keys, message, allowed }) => ({
    place,
    path: keys.join('.'),
    message,
    ...(allowed !== undefined && { allowed }),
  }));
  return new DuctorError('invalid_argument', `The configuration cannot be used:\n${lines.join('\n')}`, { problems });
}
