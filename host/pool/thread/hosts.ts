import type { Json } from '@ductor/core';

/**
 * `permissions.network.hosts` for one call: `{auth.field}` is filled in from the credential, which may hold a host or
 * an address. A pattern is `*`, `host`, `host:port`, or `*.domain` for everything below it.
 */
export const expandHosts = (patterns: readonly string[], auth: Json): readonly string[] =>
  patterns.flatMap((pattern) => {
    const field = /^\{auth\.([^}]+)\}$/.exec(pattern)?.[1];
    if (field === undefined) return [pattern.toLowerCase()];
    const value = typeof auth === 'object' && auth !== null ? Reflect.get(auth, field) : undefined;
    return typeof value === 'string' ? [hostOf(value)] : [];
  });

export const hostAllowed = (origin: URL, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => {
    if (pattern === '*' || pattern === origin.host || pattern === origin.hostname) return true;
    return pattern.startsWith('*.') && origin.hostname.endsWith(pattern.slice(1));
  });

const hostOf = (value: string): string => (URL.canParse(value) ? new URL(value).host : value.toLowerCase());
