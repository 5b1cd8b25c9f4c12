import type { Request, ServerRoute } from '@hapi/hapi';
import type { DefinitionDrafts, DraftEdit, NewDefinition } from '../definitions/definition-drafts.ts';
import type { DefinitionPublisher } from '../definitions/definition-publisher.ts';
import { problemsJson } from '../definitions/refusals.ts';
import type { DefinitionFilter, PostgresDefinitionStore } from '../postgres/definition-store.ts';
import { callerOf } from './caller.ts';
import {
  createPayload,
  definitionParams,
  duplicatePayload,
  editPayload,
  listQuery,
  noPayload,
  publishPayload,
  versionsQuery,
} from './definition.schemas.ts';
import { definitionDetail, definitionSummary } from './definition.view.ts';
import { pageOf, pageRequest } from './paging.ts';

const read = { scope: ['workflow_definition:read'] };
const write = { scope: ['workflow_definition:write'] };
const readOrWrite = { scope: [...read.scope, ...write.scope] };
const base = '/api/workflow-definitions';
const params = definitionParams;

/** A request whose route's schemas have seen it: `id` is there wherever the path has one. */
function asked<Payload>(request: Request) {
  const { params, payload } = request as unknown as { params: { id: string }; payload: Payload };
  return { tenantId: callerOf(request).tenantId, id: params.id, payload };
}

/** `/api/workflow-definitions`: drafts, versions, publish. */
export const definitionRoutes = ({
  store,
  drafts,
  publisher,
}: {
  readonly store: PostgresDefinitionStore;
  readonly drafts: DefinitionDrafts;
  readonly publisher: DefinitionPublisher;
}): readonly ServerRoute[] => [
  {
    method: 'POST',
    path: base,
    options: { auth: write, validate: { payload: createPayload } },
    async handler(request) {
      const { tenantId, payload } = asked<NewDefinition>(request);
      return definitionDetail(await drafts.create(tenantId, payload));
    },
  },
  {
    method: 'GET',
    path: base,
    options: { auth: read, validate: { query: listQuery } },
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
    options: { auth: read, validate: { params } },
    async handler(request) {
      const { tenantId, id } = asked(request);
      return definitionDetail(await drafts.find(tenantId, id));
    },
  },
  {
    method: 'GET',
    path: `${base}/{id}/versions`,
    options: { auth: read, validate: { params, query: versionsQuery } },
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
    options: { auth: write, validate: { params, payload: editPayload } },
    async handler(request) {
      const { tenantId, id, payload } = asked<DraftEdit>(request);
      const { draft, warnings } = await drafts.edit(tenantId, id, payload);
      return definitionDetail(draft, warnings);
    },
  },
  {
    method: 'DELETE',
    path: `${base}/{id}/draft`,
    options: { auth: write, validate: { params } },
    async handler(request) {
      const { tenantId, id } = asked(request);
      const draft = await drafts.delete(tenantId, id);
      return { id: draft.id, family_slug: draft.family_slug, deleted: true };
    },
  },
  {
    method: 'POST',
    path: `${base}/{id}/validate`,
    options: { auth: readOrWrite, validate: { params, payload: noPayload } },
    async handler(request) {
      const { tenantId, id } = asked(request);
      const warnings = await publisher.validate(tenantId, id);
      return { valid: true, warnings: problemsJson(warnings) };
    },
  },
  {
    method: 'POST',
    path: `${base}/{id}/publish`,
    options: { auth: write, validate: { params, payload: publishPayload } },
    async handler(request) {
      const { tenantId, id, payload } = asked<{ readonly expected_draft_revision?: number } | null>(request);
      const result = await publisher.publish(tenantId, id, payload?.expected_draft_revision);
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
    options: { auth: write, validate: { params, payload: noPayload } },
    async handler(request) {
      const { tenantId, id } = asked(request);
      const { definition, archived } = await publisher.archive(tenantId, id);
      return {
        ...definitionDetail(definition),
        archived: archived.map((row) => ({ id: row.id, version: row.version })),
      };
    },
  },
  {
    method: 'POST',
    path: `${base}/{id}/duplicate`,
    options: { auth: write, validate: { params, payload: duplicatePayload } },
    async handler(request) {
      const { tenantId, id, payload } = asked<{ readonly family_slug: string }>(request);
      return definitionDetail(await drafts.duplicate(tenantId, id, payload.family_slug));
    },
  },
];
