import type { ServerRoute } from '@hapi/hapi';
import { pluginManifestSchema } from '../boot/plugin-manifest.schema.ts';
import { configSchema } from '../config/config.schema.ts';
import { connectorManifestSchema } from '../pool/connector-manifest.schema.ts';

/** What third parties write, as JSON Schema: editors check files against these. */
const SCHEMAS: { readonly [name: string]: object } = {
  'ductor.json': configSchema,
  'connector.json': connectorManifestSchema,
  'plugin.json': pluginManifestSchema,
};

/** `GET /schemas/…`, open without a key. */
export const schemaRoutes = (): readonly ServerRoute[] =>
  Object.entries(SCHEMAS).map(([name, schema]) => ({
    method: 'GET',
    path: `/schemas/${name}`,
    options: { auth: false, plugins: { ductor: { isDocument: true } } },
    handler: (_request, h) => h.response(schema).type('application/schema+json'),
  }));
