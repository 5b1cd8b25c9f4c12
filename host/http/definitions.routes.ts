import type { Vocabulary } from '@ductor/core';
import type { Request, ServerRoute } from '@hapi/hapi';
import type { DefinitionDrafts, DraftEdit, NewDefinition } from '../definitions/definition-drafts.ts';
import type { DefinitionPublisher } from '../definitions/definition-publisher.ts';
import { problemsJson } from '../definitions/refusals.ts';
import type { DefinitionFilter, PostgresDefinitionStore } from '../postgres/definition-store.ts';
import { callerOf } from './caller.ts';
import {
  archivedAnswer,
  definitionAnswer,
  definitionSummaryAnswer,
  deletedDraftAnswer,
  publishedAnswer,
  validationAnswer,
} from './definition.answers.ts';
import { definitionComponents } from './definition.components.ts';
import { DEFINITION_EXAMPLES as EXAMPLES } from './definition.examples.ts';
import {
  createPayload,
  definitionParams,
  duplicatePayload,
  editPayload,
  listQuery,
  publishPayload,
  versionsQuery,
} from './definition.schemas.ts';
import { definitionDetail, definitionSummary } from './definition.view.ts';
import { pageAnswer, pageOf, pageRequest } from './paging.ts';

const read = { scope: ['workflow_definition:read'] };
const write = { scope: ['workflow_definition:write'] };
const readOrWrite = { scope: [...read.scope, ...write.scope] };
const base = '/api/workflow-definitions';
const params = definitionParams;
const tags = ['Definitions'];

/** A request whose route's schemas have seen it: `id` is there wherever the path has one. */
function asked<Payload>(request: Request) {
  const { params, payload } = request as unknown as { params: { id: string }; payload: Payload };
  const { tenantId, actor } = callerOf(request);
  return { tenantId, author: { tenantId, actor }, id: params.id, payload };
}

/** `/api/workflow-definitions`: drafts, versions, publish. */
export const definitionRoutes = ({
  store,
  drafts,
  publisher,
  vocabulary,
}: {
  readonly store: PostgresDefinitionStore;
  readonly drafts: DefinitionDrafts;
  readonly publisher: DefinitionPublisher;
  readonly vocabulary: Vocabulary;
}): readonly ServerRoute[] => [
  {
    method: 'POST',
    path: base,
    options: {
      id: 'createWorkflowDefinition',
      description: 'Create a workflow as a draft',
      notes: 'A family_slug that is known already is refused, unless its draft has been deleted.',
      tags,
      auth: write,
      validate: { payload: createPayload },
      response: { schema: definitionAnswer },
      plugins: { ductor: { components: definitionComponents(vocabulary), examples: EXAMPLES.create } },
    },
    async handler(request) {
      const { author, payload } = asked<NewDefinition>(request);
      return definitionDetail(await drafts.create(author, payload));
    },
  },
  {
    method: 'GET',
    path: base,
    options: {
      id: 'listWorkflowDefinitions',
      description: 'List drafts and versions, newest first',
      tags,
      auth: read,
      validate: { query: listQuery },
      response: { schema: pageAnswer(definitionSummaryAnswer).id('WorkflowDefinitionList') },
      plugins: { ductor: { examples: EXAMPLES.list } },
    },
    async handler(request) {
      const page = pageRequest(request, 'desc');
      const { status, q, tags } = request.query as DefinitionFilter;
      const filter = { ...(status && { status }), ...(q !== undefined && { q }), ...(tags && { tags }) };
      const after = page.after === null ? null : String(page.after);
      const { tenantId } = callerOf(request);
      const rows = await store.list(tenantId, filter, { order: page.order, after, limit: page.size + 1 });
      return pageOf(page, rows, { keyOf: ({ id }) => id, show: definitionSummary });
    },
  },
  {
    method: 'GET',
    path: `${base}/{id}`,
    options: {
      id: 'getWorkflowDefinition',
      description: 'Read a draft or version',
      notes: 'By its id; a family’s slug names its draft, or its latest version where there is none.',
      tags,
      auth: read,
      validate: { params },
      response: { schema: definitionAnswer },
      plugins: { ductor: { examples: EXAMPLES.get } },
    },
    async handler(request) {
      const { tenantId, id } = asked(request);
      return definitionDetail(await drafts.find(tenantId, id));
    },
  },
  {
    method: 'GET',
    path: `${base}/{id}/versions`,
    options: {
      id: 'listWorkflowDefinitionVersions',
      description: 'List a workflow’s versions, newest first',
      tags,
      auth: read,
      validate: { params, query: versionsQuery },
      response: { schema: pageAnswer(definitionSummaryAnswer).id('WorkflowDefinitionVersionList') },
      plugins: { ductor: { examples: EXAMPLES.versions } },
    },
    async handler(request) {
      const { tenantId, id } = asked(request);
      const page = pageRequest(request, 'desc');
      const { family_slug } = await drafts.find(tenantId, id);
      const after = page.after === null ? null : Number(page.after);
      const rows = await store.versions(tenantId, family_slug, { order: page.order, after, limit: page.size + 1 });
      return pageOf(page, rows, { keyOf: ({ version }) => version, show: definitionSummary });
    },
  },
  {
    method: 'PATCH',
    path: `${base}/{id}/draft`,
    options: {
      id: 'updateWorkflowDraft',
      description: 'Edit a draft',
      notes:
        'All operations or none, in their order. A draft that was edited since `expected_draft_revision` is a 409, which names the current one; null clears a field.',
      tags,
      auth: write,
      validate: { params, payload: editPayload },
      response: { schema: definitionAnswer },
      plugins: { ductor: { examples: EXAMPLES.update } },
    },
    async handler(request) {
      const { author, id, payload } = asked<DraftEdit>(request);
      const { draft, warnings } = await drafts.edit(author, id, payload);
      return definitionDetail(draft, warnings);
    },
  },
  {
    method: 'DELETE',
    path: `${base}/{id}/draft`,
    options: {
      id: 'deleteWorkflowDraft',
      description: 'Delete a draft',
      notes: 'Its versions stay.',
      tags,
      auth: write,
      validate: { params },
      response: { schema: deletedDraftAnswer },
      plugins: { ductor: { examples: EXAMPLES.delete } },
    },
    async handler(request) {
      const { author, id } = asked(request);
      const draft = await drafts.delete(author, id);
      return { id: draft.id, family_slug: draft.family_slug, deleted: true };
    },
  },
  {
    method: 'POST',
    path: `${base}/{id}/validate`,
    options: {
      id: 'validateWorkflowDraft',
      description: 'Check a draft as publish would',
      notes: 'What is wrong is a 400, with every problem in it.',
      tags,
      auth: readOrWrite,
      validate: { params },
      response: { schema: validationAnswer },
      plugins: { ductor: { examples: EXAMPLES.validate } },
    },
    async handler(request) {
      const { tenantId, id } = asked(request);
      const warnings = await publisher.validate(tenantId, id);
      return { valid: true, warnings: problemsJson(warnings) };
    },
  },
  {
    method: 'POST',
    path: `${base}/{id}/publish`,
    options: {
      id: 'publishWorkflowDefinition',
      description: 'Publish a draft as an immutable version',
      notes:
        'What is wrong is a 400, with every problem in it; then nothing is published. A fresh draft takes its place.',
      tags,
      auth: write,
      validate: { params, payload: publishPayload },
      response: { schema: publishedAnswer },
      plugins: { ductor: { examples: EXAMPLES.publish } },
    },
    async handler(request) {
      const { author, id, payload } = asked<{ readonly expected_draft_revision?: number } | null>(request);
      const result = await publisher.publish(author, id, payload?.expected_draft_revision);
      return {
        published: definitionDetail(result.published),
        draft: definitionDetail(result.draft),
        warnings: problemsJson(result.warnings),
      };
    },
  },
  {
    method: 'POST',
    path: `${base}/{id}/archive`,
    options: {
      id: 'archiveWorkflowDefinition',
      description: 'Archive a version, or all of a workflow',
      notes:
        'A version’s id archives that one, a family’s slug or its draft’s id all of them. No new runs; those under way go on.',
      tags,
      auth: write,
      validate: { params },
      response: { schema: archivedAnswer },
      plugins: { ductor: { examples: EXAMPLES.archive } },
    },
    async handler(request) {
      const { author, id } = asked(request);
      const { definition, archived } = await publisher.archive(author, id);
      return {
        ...definitionDetail(definition),
        archived: archived.map((row) => ({ id: row.id, version: row.version })),
      };
    },
  },
  {
    method: 'POST',
    path: `${base}/{id}/duplicate`,
    options: {
      id: 'duplicateWorkflowDefinition',
      description: 'Copy a workflow as a draft of another name',
      tags,
      auth: write,
      validate: { params, payload: duplicatePayload },
      response: { schema: definitionAnswer },
      plugins: { ductor: { examples: EXAMPLES.duplicate } },
    },
    async handler(request) {
      const { author, id, payload } = asked<{ readonly family_slug: string }>(request);
      return definitionDetail(await drafts.duplicate(author, id, payload.family_slug));
    },
  },
];
