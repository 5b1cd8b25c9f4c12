import type { Vocabulary } from '@ductor/core';
import type { ServerRoute } from '@hapi/hapi';
import type { DefinitionDrafts } from '../definitions/definition-drafts.ts';
import type { DefinitionPublisher } from '../definitions/definition-publisher.ts';
import type { DefinitionFilter, PostgresDefinitionStore } from '../postgres/definition-store.ts';
import { asked, callerOf } from './caller.ts';
import { definitionAnswer, definitionSummaryAnswer } from './definition.answers.ts';
import { DEFINITION_EXAMPLES as EXAMPLES } from './definition.examples.ts';
import { listQuery, definitionParams as params, versionsQuery } from './definition.schemas.ts';
import { definitionDetail, definitionSummary } from './definition.view.ts';
import { draftRoutes } from './drafts.routes.ts';
import { pageAnswer, pageOf, pageRequest } from './paging.ts';
import { publishRoutes } from './publish.routes.ts';

const READ = { scope: ['workflow_definition:read'] };
const BASE = '/api/workflow-definitions';
const tags = ['Definitions'];

/** `/api/workflow-definitions`: drafts and versions, and the way from the one to the other. */
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
  ...draftRoutes({ drafts, vocabulary }),
  ...publishRoutes({ publisher }),
  {
    method: 'GET',
    path: BASE,
    options: {
      id: 'listWorkflowDefinitions',
      description: 'List drafts and versions, newest first',
      tags,
      auth: READ,
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
    path: `${BASE}/{id}`,
    options: {
      id: 'getWorkflowDefinition',
      description: 'Read a draft or version',
      notes: 'By its id; a family’s slug names its draft, or its latest version where there is none.',
      tags,
      auth: READ,
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
    path: `${BASE}/{id}/versions`,
    options: {
      id: 'listWorkflowDefinitionVersions',
      description: 'List a workflow’s versions, newest first',
      tags,
      auth: READ,
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
];
