import {
  type ActionCatalogue,
  type ActionTraits,
  type CatalogueConnector,
  isObject,
  parseDuration,
  retryOf,
} from '@ductor/core';
import rcompare from 'semver/functions/rcompare.js';
import satisfies from 'semver/functions/satisfies.js';
import { type ConnectorManifest, type ManifestAction, needsCredential } from '../pool/manifest.ts';

/** A connector version that is installed here and enabled for the tenant in question. */
export interface EnabledConnector {
  readonly manifest: ConnectorManifest;
  /** `null`: of the host itself, or linked. */
  readonly integrity: string | null;
}

/** What publish finds actions in: the newest version of each connector first. */
export function catalogueOf(enabled: readonly EnabledConnector[]): ActionCatalogue {
  const newestFirst = [...enabled].sort((one, other) => rcompare(one.manifest.version, other.manifest.version));
  const connectors = newestFirst.map(connectorOf);
  return {
    find: (id, range) =>
      connectors.find(({ pin }) => pin.id === id && (range === null || satisfies(pin.version, range))) ?? null,
    ids: () => [...new Set(connectors.map(({ pin }) => pin.id))].sort(),
  };
}

const connectorOf = ({ manifest, integrity }: EnabledConnector): CatalogueConnector => ({
  pin: { id: manifest.id, package: manifest.package, version: manifest.version, integrity },
  actions: new Map(
    manifest.actions.map((action) => [
      action.name,
      {
        input: action.input,
        output: action.output,
        traits: traitsOf(action),
        credential: { kinds: action.auth, required: needsCredential(manifest, action) },
      },
    ]),
  ),
});

function traitsOf({ effect, idempotency, defaults }: ManifestAction): ActionTraits {
  const { timeout, heartbeat } = defaults;
  const timeoutMs = durationOf(isObject(timeout) ? timeout.start_to_close : timeout);
  const heartbeatMs = durationOf(heartbeat ?? (isObject(timeout) ? timeout.heartbeat : undefined));
  return {
    effect,
    idempotency,
    ...(timeoutMs !== null && { timeoutMs }),
    ...(heartbeatMs !== null && { heartbeatMs }),
    ...(defaults.retry && { retry: retryOf(defaults.retry) }),
  };
}

const durationOf = (text: unknown): number | null => (typeof text === 'string' ? parseDuration(text) : null);
