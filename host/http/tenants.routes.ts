import { DuctorError, isSlug, longForm, SLUG_RULE } from '@ductor/core';
import type { ServerRoute } from '@hapi/hapi';
import Joi from '@hapi/joi';
import type { Knex } from 'knex';
import { writeAudit } from '../postgres/audit-log.ts';
import {
  insertTenant,
  listTenants,
  policyOf,
  readTenant,
  type TenantChanges,
  type TenantRow,
  updateTenant,
} from '../postgres/tenants.ts';
import type { TenantPolicies, TenantPolicy } from '../tenants/tenant-policies.ts';
import { operatorOf } from './caller.ts';
import { pageAnswer, pageOf, pageQuery, pageRequest } from './paging.ts';

const count = Joi.number().integer().min(0).max(2_147_483_647).strict().allow(null);
const names = Joi.array().items(Joi.string().max(200)).max(1_000).unique().allow(null);
const LIMITS = {
  max_definitions: count.description('Workflows with a published version; beyond it publish is a 403'),
  max_open_runs: count.description('Runs that have not ended, whoever started them; beyond it a trigger is a 429'),
  runs_per_minute: count.description('Runs that were triggered in the last 60 seconds; beyond it a trigger is a 429'),
  connectors: names.description('Ids of the connectors that may be published; others are a 403'),
  step_types: names.description('Step types that may be published; others are a 403'),
};
const releasePolicy = Joi.string()
  .valid('none', 'required')
  .description('required: a trigger carries the live release as its external_deployment_id');
const id = Joi.string().max(63).required().description(SLUG_RULE);
const time = Joi.string().isoDate().required();

const changes = {
  release_policy: releasePolicy,
  entitlements: Joi.object(LIMITS).id('EntitlementChanges').description('Limits that change; null is unlimited'),
};
const createPayload = Joi.object({ id, ...changes })
  .required()
  .id('CreateTenant');
const changePayload = Joi.object(changes).or('release_policy', 'entitlements').required().id('UpdateTenant');

const answer = Joi.object({
  id,
  release_policy: releasePolicy.required(),
  entitlements: Joi.object(LIMITS)
    .options({ presence: 'required' })
    .required()
    .id('Entitlements')
    .description('null is unlimited'),
  created_at: time,
  updated_at: time,
}).id('Tenant');

const EXAMPLE = {
  id: 'acme',
  release_policy: 'none',
  entitlements: {
    max_definitions: null,
    max_open_runs: 1000,
    runs_per_minute: null,
    connectors: ['http'],
    step_types: null,
  },
  created_at: '2026-01-02T03:04:05.678Z',
  updated_at: '2026-01-02T03:04:05.678Z',
} as const;

interface Body {
  readonly release_policy?: TenantPolicy['release_policy'];
  readonly entitlements?: Partial<TenantPolicy['entitlements']>;
}

const options = { auth: { scope: ['operator'] }, tags: ['Tenants'] };
const params = Joi.object({ id });

/** `/api/tenants`: whose rows there are, and what holds for them. There is no way to delete one. */
export const tenantRoutes = ({
  knex,
  policies,
}: {
  readonly knex: Knex;
  readonly policies: Pick<TenantPolicies, 'forget'>;
}): readonly ServerRoute[] => [
  {
    method: 'GET',
    path: '/api/tenants',
    options: {
      ...options,
      id: 'listTenants',
      description: 'Lists tenants, newest first',
      validate: { query: Joi.object(pageQuery) },
      response: { schema: pageAnswer(answer).id('TenantList') },
      plugins: { ductor: { isAboveTenants: true } },
    },
    async handler(request) {
      const page = pageRequest(request, 'desc');
      const after = typeof page.after === 'string' ? page.after : null;
      const rows = await listTenants(knex, { order: page.order, after, limit: page.size + 1 });
      return pageOf(page, rows, { keyOf: (row) => row.id, show });
    },
  },
  {
    method: 'POST',
    path: '/api/tenants',
    options: {
      ...options,
      id: 'createTenant',
      description: 'Creates a tenant',
      validate: { payload: createPayload },
      response: { schema: answer },
      plugins: {
        ductor: {
          isAboveTenants: true,
          examples: [
            {
              summary: 'A tenant with limits',
              payload: { id: 'acme', entitlements: { max_open_runs: 1000, connectors: ['http'] } },
              answer: EXAMPLE,
            },
          ],
        },
      },
    },
    async handler(request) {
      const { id: tenantId, ...body } = request.payload as unknown as Body & { readonly id: string };
      if (!isSlug(tenantId)) throw badId();
      const { actor } = operatorOf(request);
      return knex.transaction(async (transaction) => {
        const row = await insertTenant(transaction, { id: tenantId, ...changesOf(body) });
        if (row === null) throw new DuctorError('already_exists', `There is a tenant ${tenantId} already.`);
        const details = { ...policyOf(row) };
        await writeAudit(transaction, { tenantId, actor, action: 'tenant.create', target: tenantId, details });
        return show(row);
      });
    },
  },
  {
    method: 'GET',
    path: '/api/tenants/{id}',
    options: {
      ...options,
      id: 'getTenant',
      description: 'Shows a tenant',
      validate: { params },
      response: { schema: answer },
      plugins: { ductor: { isAboveTenants: true } },
    },
    async handler(request) {
      const tenantId = String(request.params.id);
      const row = await readTenant(knex, tenantId);
      if (row === null) throw noTenant(tenantId);
      return show(row);
    },
  },
  {
    method: 'PATCH',
    path: '/api/tenants/{id}',
    options: {
      ...options,
      id: 'updateTenant',
      description: 'Changes what holds for a tenant',
      notes:
        'Limits that are not named stay as they are. The host that answers goes by them at once, others within five ' +
        'seconds. What was published or started before stays.',
      validate: { params, payload: changePayload },
      response: { schema: answer },
      plugins: { ductor: { isAboveTenants: true } },
    },
    async handler(request) {
      const tenantId = String(request.params.id);
      const changes = changesOf(request.payload as unknown as Body);
      const { actor } = operatorOf(request);
      const row = await knex.transaction(async (transaction) => {
        const changed = await updateTenant(transaction, { id: tenantId, ...changes });
        if (changed === null) throw noTenant(tenantId);
        const details = { ...changes };
        await writeAudit(transaction, { tenantId, actor, action: 'tenant.update', target: tenantId, details });
        return changed;
      });
      policies.forget(tenantId);
      return show(row);
    },
  },
];

const show = (row: TenantRow) => ({
  id: row.id,
  ...policyOf(row),
  created_at: row.created_at,
  updated_at: row.updated_at,
});

/** Step types are kept in their long form, as graphs keep them. */
function changesOf({ release_policy, entitlements = {} }: Body): TenantChanges {
  const { step_types, ...limits } = entitlements;
  return {
    ...limits,
    ...(release_policy !== undefined && { release_policy }),
    ...(step_types !== undefined && { step_types: step_types?.map(longForm) ?? null }),
  };
}

const noTenant = (id: string) => new DuctorError('not_found', `There is no tenant ${id}.`);

const badId = () =>
  new DuctorError('invalid_argument', `The id of a tenant is a slug. ${SLUG_RULE}`, [
    { path: 'id', code: 'invalid_slug', message: SLUG_RULE },
  ]);
