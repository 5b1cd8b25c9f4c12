import { resolve } from 'node:path';
import { isObject } from '@ductor/core';
import type { Finding } from '../json-schema/own-schemas.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that beat the file, with the keys that they stand for. */
export const overrides: readonly (readonly [name: string, ...keys: string[]])[] = [
  ['DATABASE_URL', 'database', 'url'],
  ['REDIS_URL', 'redis', 'url'],
  ['PORT', 'server', 'port'],
  ['HOST', 'server', 'host'],
  ['DUCTOR_DATA_DIR', 'data_dir'],
  ['DUCTOR_MODE', 'mode'],
  ['LOG_LEVEL', 'log', 'level'],
];

/** An empty variable is none: that is how compose files and CI hand over what is not set. */
export const variable = (env: Environment, name: string): string | null => env[name] || null;

/** `content` with what the environment says put over it, and the variable that each such key comes from. */
export function overlay({
  content,
  env,
  cwd,
}: {
  readonly content: unknown;
  readonly env: Environment;
  readonly cwd: string;
}): { readonly content: unknown; readonly sources: ReadonlyMap<string, string> } {
  const sources = new Map<string, string>();
  let result = content;
  for (const [name, ...keys] of overrides) {
    const text = variable(env, name);
    if (text === null) continue;
    result = withValue(result, keys, name === 'DUCTOR_DATA_DIR' ? resolve(cwd, text) : text);
    sources.set(keys.join('.'), name);
  }
  return { content: result, sources };
}

/** What is no object where one should be is left alone, for the check to name. */
function withValue(content: unknown, [key, ...rest]: readonly string[], value: string): unknown {
  if (key === undefined) return value;
  if (content !== undefined && !isObject(content)) return content;
  return { ...content, [key]: withValue(content?.[key], rest, value) };
}

/** `$${` is a literal `${`. */
const reference = /\$\$\{|\$\{([^}]*)\}/g;

/** `content` with each `${NAME}` in its texts replaced, and a finding for each that is not set. */
export function substitute(content: unknown, env: Environment): { content: unknown; findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const inside = (value: unknown, keys: readonly string[]): unknown => {
    if (typeof value === 'string') return value.replaceAll(reference, (match, name) => replacement(match, name, keys));
    if (Array.isArray(value)) return value.map((item, index) => inside(item, [...keys, String(index)]));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inside(item, [...keys, key])]));
  };
  const replacement = (match: string, name: string | undefined, keys: readonly string[]): string => {
    if (name === undefined) return '${';
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      findings.push({ keys, message: `${match} names no environment variable; write $\${ for the characters` });
      return '';
    }
    const text = variable(env, name);
    if (text === null) findings.push({ keys, message: `the environment variable ${name} is not set` });
    return text ?? '';
  };
  return { content: inside(content, []), findings };
}
