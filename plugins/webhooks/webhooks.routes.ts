import { randomUUID } from 'node:crypto';
import {
  type CredentialReader,
  callerOf,
  DuctorError,
  isObject,
  type Json,
  type JsonObject,
  type Lists,
  type Problem,
  type Route,
  type RouteCaller,
  type TenantId,
  type Trigger,
} from '@ductor/core';
import type { Request } from '@hapi/hapi';
import { webhookProblems } from './check-webhook.ts';
import { EXAMPLES } from './webhook.examples.ts';
import * as schemas from './webhook.schemas.ts';
import type { Settings, Webhook } from './webhook.ts';
import type { WebhookTable } from './webhook-table.ts';

export interface WebhookDeps {
  readonly table: WebhookTable;
  readonly credentials: CredentialReader;
  readonly lists: Lists;
  readonly trigger: Pick<Trigger, 'words'>;
}

const READ = { scope: ['workflow:read'] };
const WRITE = { scope: ['webhook:write'] };
const BASE = '/api/webhooks';
const ONE = `${BASE}/{id}`;
const params = schemas.webhookParams;
const tags = ['Webhooks'];

interface Asked<Payload> {
  readonly author: RouteCaller;
  readonly id: string;
  readonly payload: Payload;
}

const asked = <Payload>(request: Request): Asked<Payload> => ({
  author: callerOf(request),
  id: String(request.params.id),
  payload: request.payload as Payload,
});

/** `/api/webhooks`: which there are, and what comes of their deliveries. */
export function webhookRoutes({ table, credentials, lists, trigger }: WebhookDeps): readonly Route[] {
  const checked = async (tenantId: TenantId, settings: Settings): Promise<Settings> => {
    const problems = await webhookProblems(tenantId, settings, { credentials, words: trigger.words() });
    if (problems.length > 0) throw refusal(problems);
    return settings;
  };
  const existing = async ({ author: { tenantId }, id }: Asked<unknown>): Promise<Webhook> => {
    const found = await table.findOwn(tenantId, id);
    if (found) return found;
    throw new DuctorError('not_found', 'There is no such webhook.');
  };

  return [
    {
      method: 'POST',
      path: BASE,
      options: {
        id: 'createWebhook',
        description: 'Make an address for another system’s HTTP callbacks',
        notes:
          'Each delivery to its `path` publishes an event or triggers a workflow, once however often it is sent. Templates ' +
          'are checked here: what is wrong is named by path, line and column.',
        tags,
        auth: WRITE,
        validate: { payload: schemas.createPayload },
        response: { schema: schemas.webhook },
        plugins: { ductor: { examples: EXAMPLES.create } },
      },
      async handler(request: Request) {
        const { author, payload } = asked<Omit<Settings, 'response'> & Partial<Settings>>(request);
        const settings = await checked(author.tenantId, { response: schemas.ACCEPTED, ...payload });
        return show((await table.create(author, randomUUID(), settings)) ?? taken(settings));
      },
    },
    {
      method: 'GET',
      path: BASE,
      options: {
        id: 'listWebhooks',
        description: 'List webhooks, newest first',
        tags,
        auth: READ,
        validate: { query: schemas.listQuery },
        response: { schema: schemas.webhookList },
        plugins: { ductor: { examples: EXAMPLES.list } },
      },
      async handler(request: Request) {
        const page = lists.asked(request, 'desc');
        const { author } = asked(request);
        const after = placeOf(page.after);
        const rows = await table.list(author.tenantId, { order: page.order, after, limit: page.size + 1 });
        return lists.page(page, rows, { keyOf: ({ place, id }) => ({ at: place, id }), show });
      },
    },
    {
      method: 'GET',
      path: ONE,
      options: {
        id: 'getWebhook',
        description: 'Show a webhook and what went wrong with its last deliveries',
        tags,
        auth: READ,
        validate: { params },
        response: { schema: schemas.webhook },
        plugins: { ductor: { examples: EXAMPLES.get } },
      },
      handler: async (request: Request) => show(await existing(asked(request))),
    },
    {
      method: 'PATCH',
      path: ONE,
      options: {
        id: 'updateWebhook',
        description: 'Change a webhook; its address stays',
        notes: 'Fields that are given replace those that are there as a whole.',
        tags,
        auth: WRITE,
        validate: { params, payload: schemas.editPayload },
        response: { schema: schemas.webhook },
        plugins: { ductor: { examples: EXAMPLES.update } },
      },
      async handler(request: Request) {
        const call = asked<Partial<Settings>>(request);
        const found = await existing(call);
        const settings = await checked(found.tenant_id, { ...found, ...call.payload });
        const updated = await table.update(call.author, found.id, settings);
        // Unless it is gone meanwhile, the name is taken.
        return show(updated ?? ((await existing(call)) && taken(settings)));
      },
    },
    {
      method: 'DELETE',
      path: ONE,
      options: {
        id: 'deleteWebhook',
        description: 'Delete a webhook; its address answers 404 from now on',
        tags,
        auth: WRITE,
        validate: { params },
        response: { schema: schemas.deletedWebhook },
        plugins: { ductor: { examples: EXAMPLES.delete } },
      },
      async handler(request: Request) {
        const call = asked(request);
        const { id, name } = await table.delete(call.author, await existing(call));
        return { id, name, deleted: true };
      },
    },
  ];
}

const show = ({ id, ...row }: Webhook) => ({
  id,
  path: `/hooks/${id}`,
  name: row.name,
  enabled: row.enabled,
  verify: row.verify,
  delivery_header: row.delivery_header,
  action: row.action,
  response: row.response,
  failures: row.failures,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

const placeOf = (after: Json | null) => (isObject(after) ? { at: String(after.at), id: String(after.id) } : null);

const taken = ({ name }: Settings): never => {
  throw new DuctorError('already_exists', `There is a webhook '${name}' already.`);
};

function refusal(problems: readonly Problem[]): DuctorError {
  const many = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  const details = problems.map(
    ({ position, allowed, ...problem }): JsonObject => ({
      ...problem,
      ...(position && { position: { ...position } }),
      ...(allowed && { allowed }),
    }),
  );
  return new DuctorError('invalid_argument', `The webhook has ${many}; nothing was changed.`, details);
}
