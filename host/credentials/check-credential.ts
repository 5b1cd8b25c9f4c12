import { isObject, type JsonObject, type Problem, type SchemaValidator } from '@ductor/core';
import type { ConnectorManifest, ManifestAuth } from '../pool/manifest.ts';
import { SHORTEST_SECRET } from '../pool/protocol.ts';

const MOST_BYTES = 64 * 1024;

/** The kind of credential, by a connector's manifest; or why it has none of that name. */
export function kindOf(manifest: ConnectorManifest, auth: string): ManifestAuth | Problem {
  const kinds = manifest.auth.filter(({ type }) => type !== 'oauth2');
  const kind = kinds.find(({ id }) => id === auth);
  if (kind) return kind;
  const message = `The connector '${manifest.id}' has no kind of credential '${auth}' that can be kept here.`;
  return { path: 'auth', code: 'unknown_auth', message, allowed: kinds.map(({ id }) => id) };
}

/** Everything that is wrong with its settings and, where they are given, its values; never repeats a value. */
export function contentProblems(
  { values, config }: { readonly values?: JsonObject; readonly config: JsonObject },
  kind: ManifestAuth,
  { manifest, schemas }: { readonly manifest: ConnectorManifest; readonly schemas: SchemaValidator },
): readonly Problem[] {
  const isTooLarge = values !== undefined && Buffer.byteLength(JSON.stringify(values)) > MOST_BYTES;
  return [
    ...(isTooLarge ? [{ path: 'values', code: 'out_of_range', message: `At most ${MOST_BYTES} bytes.` }] : []),
    ...(values === undefined ? [] : schemas.validate({ schema: kind.schema, value: values, path: 'values' })),
    ...schemas.validate({ schema: manifest.config, value: config, path: 'config' }),
  ];
}

/** Secrets that are too short to be looked for in what leaves a thread. */
export const shortSecrets = (values: JsonObject, { secretFields }: ManifestAuth): readonly Problem[] =>
  secretFields.flatMap((field) => {
    const value = values[field];
    if (value === undefined || value === null || isObject(value) || String(value).length >= SHORTEST_SECRET) return [];
    const message = `Shorter than ${SHORTEST_SECRET} characters: it is not hidden where an action repeats it.`;
    return [{ path: `values.${field}`, code: 'short_secret', message }];
  });
