import type { JsonObject, RouteExample } from '@ductor/core';

/** Calls over definitions, as the API's documents show them. */

const DRAFT_ID = '0198f2a0-11aa-7bbb-8ccc-0123456789ab';
const VERSION_ID = '0198f2a0-5d2f-7e10-9a44-8b7c6d5e4f30';
const CREATED_AT = '2026-11-29T07:58:00.000Z';
const PUBLISHED_AT = '2026-11-29T07:59:00.000Z';

const fetch = {
  ref: 'fetch',
  type: 'STEP_TYPE_ACTION',
  action: 'http.request',
  args: { url: '${input.url}', fail_on: [] },
};
const isUp = { ref: 'is_up', type: 'STEP_TYPE_CONDITION', expression: 'steps.fetch.output.status < 400' };
const toIsUp = { from: 'fetch', to: 'is_up', type: 'SUCCESS' };

const graph = { steps: [fetch, isUp], edges: [toIsUp] };
const settings = { input_schema: { type: 'object', required: ['url'], properties: { url: { type: 'string' } } } };
const connectors = [{ id: 'http', package: '@ductor/connector-http', version: '1.0.0', integrity: null }];

const summary = {
  id: DRAFT_ID,
  family_slug: 'site-check',
  title: 'Site check',
  description: null,
  tags: ['sites'],
  status: 'draft',
  version: 1,
  draft_revision: 1,
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
  published_at: null,
  archived_at: null,
};
const draft = { ...summary, graph, settings, warnings: [] };

const { draft_revision: _, ...ofVersion } = summary;
const versionSummary = {
  ...ofVersion,
  id: VERSION_ID,
  status: 'published',
  updated_at: PUBLISHED_AT,
  published_at: PUBLISHED_AT,
};
const version = { ...versionSummary, graph, settings, connectors, warnings: [] };
const nextDraft = { ...draft, version: 2, draft_revision: 2, updated_at: PUBLISHED_AT };

const params = { id: 'site-check' };

const one = (summary: string, call: Omit<RouteExample, 'summary'>): readonly RouteExample[] => [{ summary, ...call }];
const page = (...items: readonly JsonObject[]) => ({ items, next_page_token: null });

export const DEFINITION_EXAMPLES = {
  create: one('A request, and a look at its answer', {
    payload: { family_slug: 'site-check', title: 'Site check', tags: ['sites'], graph, settings },
    answer: draft,
  }),
  list: one('Published ones with a tag', {
    query: { status: 'published', tags: 'sites', page_size: '10' },
    answer: page(versionSummary),
  }),
  get: one('The draft by its slug', { params, answer: draft }),
  versions: one('All of them', { params, answer: page(versionSummary) }),
  update: one('Another step, and the way to it', {
    params,
    payload: {
      expected_draft_revision: 1,
      operations: [
        { add_step: { ref: 'down', type: 'STEP_TYPE_FAIL', code: 'site_down', message: '${input.url} is down' } },
        { add_edge: { from: 'is_up', to: 'down', type: 'FALSE' } },
      ],
    },
    answer: {
      ...draft,
      draft_revision: 2,
      graph: {
        steps: [
          fetch,
          isUp,
          { ref: 'down', type: 'STEP_TYPE_FAIL', code: 'site_down', message: '${input.url} is down' },
        ],
        edges: [toIsUp, { from: 'is_up', to: 'down', type: 'FALSE' }],
      },
    },
  }),
  delete: one('By its slug', { params, answer: { id: DRAFT_ID, family_slug: 'site-check', deleted: true } }),
  validate: one('Nothing is wrong', { params, answer: { valid: true, warnings: [] } }),
  publish: one('The draft as version 1', {
    params,
    payload: { expected_draft_revision: 1 },
    answer: { published: version, draft: nextDraft, warnings: [] },
  }),
  archive: one('All of a workflow', {
    params,
    answer: {
      ...nextDraft,
      archived: [{ id: VERSION_ID, version: 1 }],
    },
  }),
  duplicate: one('To try something', {
    params,
    payload: { family_slug: 'site-check-2' },
    answer: { ...draft, id: '0198f2a9-3c11-7d22-8e33-9f4a5b6c7d8e', family_slug: 'site-check-2' },
  }),
} as const;
