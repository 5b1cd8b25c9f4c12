import { DuctorError } from '@ductor/core';
import type { ServerRoute } from '@hapi/hapi';
import Joi from '@hapi/joi';
import type { Knex } from 'knex';
import type { ApiKeys } from '../keys/api-keys.ts';
import { SCOPES } from '../keys/scopes.ts';
import { type ListedApiKey, listApiKeys, readApiKey } from '../postgres/api-keys.ts';
import { operatorOf } from './caller.ts';
import { pageAnswer, pageOf, pageQuery, pageRequest } from './paging.ts';
import { instant, uuid } from './validation.ts';

const MOST = 1_000_000;
const perMinute = Joi.number().integer().min(1).max(MOST).strict();
const rateLimit = Joi.object({
  requests_per_minute: perMinute.required(),
  burst: perMinute.description('Requests at once after a pause; by default those of a minute'),
})
  .id('RateLimit')
  .description('Each host counts for itself; beyond it a request is a 429. Without it there is no limit');

const name = Joi.string().min(1).max(128).required().description('Changes are noted as those of key:<name>');
const scopes = Joi.array()
  .items(Joi.string().valid(...SCOPES))
  .min(1)
  .unique()
  .required();
const tenantId = Joi.string().max(63).allow(null);
const time = Joi.string().isoDate();

const createPayload = Joi.object({
  name,
  scopes,
  tenant_id: tenantId.required().description('null: an operator’s key, which names a tenant by X-Tenant-ID'),
  expires_at: instant.allow(null),
  rate_limit: rateLimit.allow(null),
})
  .required()
  .id('CreateApiKey');

const shown = {
  id: uuid.required(),
  name,
  tenant_id: tenantId.required(),
  scopes,
  rate_limit: rateLimit.allow(null).required(),
  created_at: time.required(),
  expires_at: time.allow(null).required(),
  revoked_at: time.allow(null).required(),
};
const answer = Joi.object(shown).id('ApiKey');
const created = Joi.object({ ...shown, key: Joi.string().required().description('Shown this once') }).id('NewApiKey');

const EXAMPLE = {
  id: '01935f6e-1c00-7000-8000-000000000001',
  name: 'billing-service',
  tenant_id: 'default',
  scopes: ['workflow:write', 'workflow:read'],
  rate_limit: { requests_per_minute: 600, burst: 50 },
  created_at: '2026-01-02T03:04:05.678Z',
  expires_at: null,
  revoked_at: null,
};

interface NewKeyBody {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly tenant_id: string | null;
  readonly expires_at?: Date | null;
  readonly rate_limit?: { readonly requests_per_minute: number; readonly burst?: number } | null;
}

const options = { auth: { scope: ['operator'] }, tags: ['API keys'] };
const params = Joi.object({ id: uuid.required() });

/** `/api/api-keys`: of every tenant, and of operators. An operator grants any scope: they can make any tenant a key. */
export const apiKeyRoutes = ({
  knex,
  keys,
}: {
  readonly knex: Knex;
  readonly keys: Pick<ApiKeys, 'create' | 'revoke'>;
}): readonly ServerRoute[] => {
  async function find(id: string): Promise<ListedApiKey> {
    const row = await readApiKey(knex, id);
    if (row === null) throw new DuctorError('not_found', `There is no API key ${id}.`);
    return row;
  }
  return [
    {
      method: 'GET',
      path: '/api/api-keys',
      options: {
        ...options,
        id: 'listApiKeys',
        description: 'Lists API keys, newest first; expired and revoked ones too',
        validate: { query: Joi.object({ ...pageQuery, tenant_id: Joi.string().max(63) }) },
        response: { schema: pageAnswer(answer).id('ApiKeyList') },
        plugins: { ductor: { isAboveTenants: true } },
      },
      async handler(request) {
        const page = pageRequest(request, 'desc');
        const { tenant_id = null } = request.query as { tenant_id?: string };
        const after = typeof page.after === 'string' ? page.after : null;
        const { order, size } = page;
        const rows = await listApiKeys(knex, { tenantId: tenant_id, order, after, limit: size + 1 });
        return pageOf(page, rows, { keyOf: ({ id }) => id, show });
      },
    },
    {
      method: 'POST',
      path: '/api/api-keys',
      options: {
        ...options,
        id: 'createApiKey',
        description: 'Creates an API key, and shows its text this once',
        validate: { payload: createPayload },
        response: { schema: created },
        plugins: {
          ductor: {
            isAboveTenants: true,
            examples: [
              {
                summary: 'A key of a tenant, with a rate limit',
                payload: {
                  name: EXAMPLE.name,
                  scopes: EXAMPLE.scopes,
                  tenant_id: EXAMPLE.tenant_id,
                  rate_limit: EXAMPLE.rate_limit,
                },
                answer: { ...EXAMPLE, key: 'dk_4Zb0mS1rQm2pYw7cJr8kD5tVn3xGh6uLf9aEoIqTyWs' },
              },
            ],
          },
        },
      },
      async handler(request) {
        const body = request.payload as unknown as NewKeyBody;
        const { expires_at, rate_limit } = body;
        if (expires_at && expires_at.getTime() <= Date.now()) throw expired();
        const { id, key } = await keys.create({
          name: body.name,
          scopes: body.scopes,
          tenantId: body.tenant_id,
          actor: operatorOf(request).actor,
          ...(expires_at && { expiresAt: expires_at.toISOString() }),
          ...(rate_limit && {
            rateLimit: {
              requestsPerMinute: rate_limit.requests_per_minute,
              burst: rate_limit.burst ?? rate_limit.requests_per_minute,
            },
          }),
        });
        return { ...show(await find(id)), key };
      },
    },
    {
      method: 'GET',
      path: '/api/api-keys/{id}',
      options: {
        ...options,
        id: 'getApiKey',
        description: 'Shows an API key, without its text',
        validate: { params },
        response: { schema: answer },
        plugins: { ductor: { isAboveTenants: true } },
      },
      handler: async (request) => show(await find(String(request.params.id))),
    },
    {
      method: 'POST',
      path: '/api/api-keys/{id}:revoke',
      options: {
        ...options,
        id: 'revokeApiKey',
        description: 'Revokes an API key, for good',
        notes:
          'It opens nothing any more: at this host at once, at others within five seconds. Revoking it again changes ' +
          'nothing. No key revokes itself, so that one of an operator is always left.',
        validate: { params },
        response: { schema: answer },
        plugins: { ductor: { isAboveTenants: true } },
      },
      async handler(request) {
        const id = String(request.params.id);
        const by = operatorOf(request);
        if (id === by.keyId) {
          throw new DuctorError('failed_precondition', 'A key does not revoke itself: send another operator’s key.');
        }
        await keys.revoke(id, by);
        return show(await find(id));
      },
    },
  ];
};

const show = ({ rateLimit: limit, ...row }: ListedApiKey) => ({
  id: row.id,
  name: row.name,
  tenant_id: row.tenantId,
  scopes: row.scopes,
  rate_limit: limit && { requests_per_minute: limit.requestsPerMinute, burst: limit.burst },
  created_at: row.createdAt,
  expires_at: row.expiresAt,
  revoked_at: row.revokedAt,
});

const expired = () =>
  new DuctorError('invalid_argument', 'expires_at has passed already.', [
    { path: 'expires_at', code: 'out_of_range', message: 'It must be in the future.' },
  ]);
