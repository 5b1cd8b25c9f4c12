import { DuctorError } from '@ductor/core';
import type { ServerRoute } from '@hapi/hapi';
import Joi from '@hapi/joi';
import type { Knex } from 'knex';
import { declareRelease, listReleases, liveRelease } from '../postgres/releases.ts';
import { callerOf } from './caller.ts';
import { pageAnswer, pageOf, pageQuery, pageRequest } from './paging.ts';
import { uuid } from './validation.ts';

const deployment = Joi.string().min(1).max(256).required().description('As triggers carry it');
const payload = Joi.object({ external_deployment_id: deployment }).required().id('DeclareRelease');

const answer = Joi.object({
  id: uuid.required(),
  external_deployment_id: deployment,
  declared_by: Joi.string().required(),
  declared_at: Joi.string().isoDate().required(),
  superseded_at: Joi.string().isoDate().allow(null).required().description('null: it is the live one'),
}).id('CallerRelease');

const EXAMPLE = {
  id: '01935f6e-1c00-7000-8000-000000000001',
  external_deployment_id: 'shop-2026-01-02.1',
  declared_by: 'key:ops',
  declared_at: '2026-01-02T03:04:05.678Z',
  superseded_at: null,
};

const options = { auth: { scope: ['operator'] }, tags: ['Releases'] };

/** `/api/caller-releases`: which deployment of a tenant's own software may start runs. */
export const releaseRoutes = ({ knex }: { readonly knex: Knex }): readonly ServerRoute[] => [
  {
    method: 'PUT',
    path: '/api/caller-releases/live',
    options: {
      ...options,
      id: 'declareRelease',
      description: 'Declares the live release',
      notes:
        'Where the tenant’s release_policy is required, every host refuses triggers of other releases from the next one ' +
        'on. What is live already stays as it is.',
      validate: { payload },
      response: { schema: answer },
      plugins: {
        ductor: {
          examples: [
            {
              summary: 'A new deployment goes live',
              payload: { external_deployment_id: EXAMPLE.external_deployment_id },
              answer: EXAMPLE,
            },
          ],
        },
      },
    },
    handler(request) {
      const { external_deployment_id } = request.payload as { external_deployment_id: string };
      return declareRelease(knex, callerOf(request), external_deployment_id);
    },
  },
  {
    method: 'GET',
    path: '/api/caller-releases/live',
    options: { ...options, id: 'getLiveRelease', description: 'Shows the live release', response: { schema: answer } },
    async handler(request) {
      const live = await liveRelease(knex, callerOf(request).tenantId);
      if (live === null) throw new DuctorError('not_found', 'No release was declared.');
      return live;
    },
  },
  {
    method: 'GET',
    path: '/api/caller-releases',
    options: {
      ...options,
      id: 'listReleases',
      description: 'Lists the releases that were declared, newest first',
      validate: { query: Joi.object(pageQuery) },
      response: { schema: pageAnswer(answer).id('CallerReleaseList') },
    },
    async handler(request) {
      const { tenantId } = callerOf(request);
      const page = pageRequest(request, 'desc');
      const after = typeof page.after === 'string' ? page.after : null;
      const rows = await listReleases(knex, { tenantId, order: page.order, after, limit: page.size + 1 });
      return pageOf(page, rows, { keyOf: ({ id }) => id, show: (row) => row });
    },
  },
];
