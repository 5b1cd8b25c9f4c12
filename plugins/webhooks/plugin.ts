import { definePlugin, refs } from '@ductor/core';
import { hookRoute } from './hooks.routes.ts';
import { WebhookTable } from './webhook-table.ts';
import { webhookRoutes } from './webhooks.routes.ts';

export default definePlugin({
  deps: {
    db: refs.database,
    audit: refs.audit,
    lists: refs.lists,
    clock: refs.clock,
    credentials: refs.credentials,
    events: refs.events,
    trigger: refs.trigger,
  },
  options: { type: 'object', additionalProperties: false, properties: {} },
  migrations: './migrations',
  contribute(deps) {
    const table = new WebhookTable(deps);
    return { routes: [...webhookRoutes({ ...deps, table }), hookRoute({ ...deps, table })] };
  },
});
