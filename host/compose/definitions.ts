/** Drafts and what publishes them. */
import { DRAFT_LIMITS, type Vocabulary, vocabularyOf } from '@ductor/core';
import { catalogueOf } from '../definitions/action-catalogue.ts';
import { DefinitionChecks } from '../definitions/definition-checks.ts';
import { DefinitionDrafts } from '../definitions/definition-drafts.ts';
import { DefinitionPublisher } from '../definitions/definition-publisher.ts';
import { randomIds } from '../engine/random-ids.ts';
import { credentialKinds } from '../postgres/credentials.ts';
import { rowWriter } from '../postgres/write-rows.ts';
import {
  CLOCK,
  CONFIG,
  CONNECTORS,
  CONTRIBUTED,
  DATABASE,
  DEFINITIONS,
  DRAFTS,
  type Get,
  POLICIES,
  REGISTRY,
  VALIDATOR,
  VOCABULARY,
} from './tokens.ts';

export function vocabulary(get: Get): Vocabulary {
  const { fields, disabledStepTypes, disabledFields } = get(CONTRIBUTED);
  const limits = { ...DRAFT_LIMITS, steps: get(CONFIG).limits.stepsPerDefinition };
  return vocabularyOf({ types: get(REGISTRY).steps, fields, disabledStepTypes, disabledFields, limits });
}

export function drafts(get: Get): DefinitionDrafts {
  return new DefinitionDrafts({
    store: get(DEFINITIONS),
    vocabulary: get(VOCABULARY),
    clock: get(CLOCK),
    ids: randomIds,
  });
}

export function publisher(get: Get): DefinitionPublisher {
  const { hooks, tables } = get(CONTRIBUTED);
  const actions = catalogueOf(get(CONNECTORS).enabled);
  const checks = new DefinitionChecks({
    vocabulary: get(VOCABULARY),
    schemas: get(VALIDATOR),
    resources: {
      actions: () => Promise.resolve(actions),
      credentials: async (tenantId) => {
        const kinds = await credentialKinds(get(DATABASE).knex, tenantId);
        return new Map(kinds.map(({ name, connector, auth }) => [name, { connector, auth }]));
      },
    },
  });
  return new DefinitionPublisher({
    store: get(DEFINITIONS),
    drafts: get(DRAFTS),
    checks,
    entitlements: async (tenantId) => (await get(POLICIES).of(tenantId)).entitlements,
    hooks,
    writeRows: rowWriter(tables),
    clock: get(CLOCK),
    ids: randomIds,
  });
}
