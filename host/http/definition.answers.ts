import Joi from '@hapi/joi';
import { answer, at, connectorPin, count, id, text, warnings } from './answer.schemas.ts';
import { graph, settings } from './definition.schemas.ts';

/** The answers of `definition.view.ts`. */

const summaryFields = {
  id: id.description('Of a draft it never changes; each version has its own'),
  family_slug: text,
  title: text,
  description: text.allow(null),
  tags: Joi.array().items(text),
  status: Joi.string().valid('draft', 'published', 'archived'),
  version: count.description('Of a draft: the number that it will get'),
  created_at: at,
  updated_at: at,
  published_at: at.allow(null),
  archived_at: at.allow(null),
};

const draftRevision = count.description('Of a draft: grows by one with each edit');

const detailFields = { ...summaryFields, graph, settings, warnings };
const detailOptions = {
  draft_revision: draftRevision,
  connectors: Joi.array().items(connectorPin).description('Of a version: the packages that its actions run on'),
};

export const definitionSummaryAnswer = answer(summaryFields, { draft_revision: draftRevision }).id(
  'WorkflowDefinitionSummary',
);

export const definitionAnswer = answer(detailFields, detailOptions).id('WorkflowDefinition');

export const deletedDraftAnswer = answer({ id, family_slug: text, deleted: Joi.valid(true) }).id('DeletedDraft');

export const validationAnswer = answer({ valid: Joi.valid(true), warnings }).id('ValidatedDraft');

export const publishedAnswer = answer({ published: definitionAnswer, draft: definitionAnswer, warnings }).id(
  'PublishedDefinition',
);

export const archivedAnswer = answer(
  {
    ...detailFields,
    archived: Joi.array()
      .items(answer({ id, version: count }))
      .description('Every version that this call has archived'),
  },
  detailOptions,
).id('ArchivedDefinition');
