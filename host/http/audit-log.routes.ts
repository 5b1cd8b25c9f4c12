import type { ServerRoute } from '@hapi/hapi';
import Joi from '@hapi/joi';
import type { Knex } from 'knex';
import { type AuditFilter, listAudit } from '../postgres/audit-log.ts';
import { pageAnswer, pageOf, pageQuery, pageRequest } from './paging.ts';
import { instant, uuid } from './validation.ts';

const text = Joi.string().min(1).max(1_024);

const query = Joi.object({
  ...pageQuery,
  tenant_id: text,
  actor: text.description('As it is noted: key:<name of the key>'),
  action: text,
  target: text,
  from: instant,
  to: instant.description('Before it'),
});

const entry = Joi.object({
  id: uuid.required(),
  tenant_id: Joi.string().allow(null).required().description('null: of no tenant'),
  at: Joi.string().isoDate().required(),
  actor: Joi.string().required(),
  action: Joi.string().required().description('What was changed and how: tenant.update, workflow_run.cancel'),
  target: Joi.string().required().description('The id of what was changed'),
  details: Joi.any().required(),
}).id('AuditEntry');

interface Query {
  readonly tenant_id?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly target?: string;
  readonly from?: Date;
  readonly to?: Date;
}

/** `GET /api/audit-log` */
export const auditLogRoutes = ({ knex }: { readonly knex: Knex }): readonly ServerRoute[] => [
  {
    method: 'GET',
    path: '/api/audit-log',
    options: {
      auth: { scope: ['operator'] },
      id: 'listAuditLog',
      description: 'Lists who changed what, newest first',
      notes:
        'Changes of definitions, tenants, API keys, releases, credentials and what plugins keep, each in the transaction ' +
        'that made it, and the controls that runs were sent, with request_id, reason and outcome in `details`. The outcome is null until a ' +
        'tick has applied the control; it is kept as long as its run. Triggers and signals are not changes.',
      tags: ['Audit log'],
      validate: { query },
      response: { schema: pageAnswer(entry).id('AuditLog') },
      plugins: { ductor: { isAboveTenants: true } },
    },
    async handler(request) {
      const page = pageRequest(request, 'desc');
      const after = typeof page.after === 'string' ? page.after : null;
      const filter = filterOf(request.query as Query);
      const rows = await listAudit(knex, { filter, order: page.order, after, limit: page.size + 1 });
      return pageOf(page, rows, { keyOf: ({ id }) => id, show: (row) => row });
    },
  },
];

const filterOf = ({ tenant_id, actor, action, target, from, to }: Query): AuditFilter => ({
  ...(tenant_id !== undefined && { tenantId: tenant_id }),
  ...(actor !== undefined && { actor }),
  ...(action !== undefined && { action }),
  ...(target !== undefined && { target }),
  ...(from && { from: from.toISOString() }),
  ...(to && { to: to.toISOString() }),
});
