import { EDGE_TYPES } from '@ductor/core';
import Joi from '@hapi/joi';
import { pageQuery } from './paging.ts';
import { uuid } from './validation.ts';

/** The form of what callers send; what it means is checked where it is used, and at publish. */

const title = Joi.string().max(200);
const description = Joi.string().max(10_000).allow('', null);
const tags = Joi.array().items(Joi.string().max(64)).max(32).unique();
const revision = Joi.number().integer().min(1).strict();
export const settings = Joi.object().unknown().id('Settings');

const step = Joi.object({ ref: Joi.string().required(), type: Joi.string().required() }).unknown().id('Step');

const edgeType = Joi.string().valid(...EDGE_TYPES);
const edgeKey = {
  from: Joi.string().required(),
  to: Joi.string().required(),
  type: edgeType.required(),
  case: Joi.string().allow(''),
};
const edge = Joi.object({ ...edgeKey, condition: Joi.string() }).id('Edge');

export const graph = Joi.object({ steps: Joi.array().items(step), edges: Joi.array().items(edge) })
  .unknown()
  .id('Graph');

/** One schema for each operation, by its name. */
const operations = {
  add_step: step,
  update_step: Joi.object({ ref: Joi.string().required(), set: Joi.object().unknown().required() }).id('UpdateStep'),
  remove_step: Joi.object({ ref: Joi.string().required() }).id('RemoveStep'),
  rename_step: Joi.object({ ref: Joi.string().required(), to: Joi.string().required() }).id('RenameStep'),
  add_edge: edge,
  update_edge: Joi.object({
    ...edgeKey,
    set: Joi.object({
      from: Joi.string(),
      to: Joi.string(),
      type: edgeType,
      case: Joi.string().allow('', null),
      condition: Joi.string().allow(null),
    }).required(),
  }).id('UpdateEdge'),
  remove_edge: Joi.object(edgeKey).id('RemoveEdge'),
  set_settings: settings,
  replace_graph: graph,
};

const operation = Joi.object(operations)
  .xor(...Object.keys(operations))
  .id('DraftOperation');

/** The id of a draft or version, or a family's slug. */
export const definitionParams = Joi.object({ id: Joi.alternatives(uuid, Joi.string().max(63)) });

export const createPayload = Joi.object({
  family_slug: Joi.string().required().description('Lower case letters, digits and hyphens; it never changes'),
  title,
  description,
  tags,
  graph,
  settings,
})
  .required()
  .id('CreateWorkflowDefinition');

export const editPayload = Joi.object({
  expected_draft_revision: revision.required(),
  title,
  description,
  tags: tags.allow(null),
  operations: Joi.array().items(operation).min(1).max(1_000),
})
  .or('title', 'description', 'tags', 'operations')
  .required()
  .id('UpdateWorkflowDraft');

export const publishPayload = Joi.object({ expected_draft_revision: revision })
  .allow(null)
  .id('PublishWorkflowDefinition');

export const duplicatePayload = Joi.object({ family_slug: Joi.string().required() })
  .required()
  .id('DuplicateWorkflowDefinition');

export const listQuery = Joi.object({
  ...pageQuery,
  status: Joi.string().valid('draft', 'published', 'archived'),
  q: Joi.string().max(200),
  tags: Joi.array().items(Joi.string().max(64)).single().max(32),
});

export const versionsQuery = Joi.object(pageQuery);
