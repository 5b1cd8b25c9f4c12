import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ConnectorPin } from '@ductor/core';
import type { EnabledConnector } from './definitions/action-catalogue.ts';
import type { ConnectorCatalogue, InstalledConnector } from './pool/connector-pools.ts';
import { readConnectorManifest } from './pool/manifest.ts';

/** Connectors that are part of the host: enabled for every tenant, without an install. */
const OWN_CONNECTORS: readonly string[] = ['@ductor/connector-http'];

/** What lies on this host, for pools to run and for definitions to be checked against. */
export interface Connectors extends ConnectorCatalogue {
  readonly enabled: readonly EnabledConnector[];
}

export async function ownConnectors(): Promise<Connectors> {
  const installed = new Map<string, InstalledConnector>();
  for (const name of OWN_CONNECTORS) {
    const dir = dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)));
    // A test checks their schemas: compiling the schema of schemas for them would take a good part of a start.
    const manifest = await readConnectorManifest(dir, null);
    installed.set(keyOf(manifest), { dir, manifest, trusted: true, revoked: false });
  }
  return {
    find: (pin) => installed.get(keyOf(pin)) ?? null,
    enabled: [...installed.values()].map(({ manifest }) => ({ manifest, integrity: null })),
  };
}

const keyOf = ({ package: name, version }: Pick<ConnectorPin, 'package' | 'version'>): string => `${name}@${version}`;
