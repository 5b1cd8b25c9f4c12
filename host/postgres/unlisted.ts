import type { Definition, DefinitionId, Json, UnlistedWorkflow } from '@ductor/core';
import { canonicalHash } from '../trigger/canonical-json.ts';

/** A UUID of version 8: a hash of all that its runs depend on. */
export function unlistedId({ graph, settings }: UnlistedWorkflow, of: Definition): DefinitionId {
  const { tenantId, familySlug, version, connectors, actions } = of;
  const own = settings === undefined ? [graph] : [graph, settings];
  const all = [tenantId, familySlug, version, connectors, actions, ...own] as unknown as Json;
  const hex = Buffer.from(canonicalHash(all), 'base64url').toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
