import type { ServerRoute } from '@hapi/hapi';
import { pluginManifestSchema } from '../boot/plugin-manifest.schema.ts';
import { configSchema } from '../config/config.schema.ts';
import { editorSchema } from '../config/editor-schema.ts';
import { connectorManifestSchema } from '../pool/connector-manifest.schema.ts';

/** What third parties write, as JSON Schema: editors check files against these. */
const SCHEMAS: { readonly [name: string]: { readonly id: string; readonly of: string; readonly schema: object } } = {
  'ductor.json': { id: 'getConfigSchema', of: 'ductor.yaml', schema: editorSchema(configSchema) },
  'connector.json': { id: 'getConnectorSchema', of: 'a connector’s manifest', schema: connectorManifestSchema },
  'plugin.json': { id: 'getPluginSchema', of: 'a plugin’s manifest', schema: pluginManifestSchema },
};

/** `GET /schemas/…`, open without a key. */
export const schemaRoutes = (): readonly ServerRoute[] =>
  Object.entries(SCHEMAS).map(([name, { id, of, schema }]) => ({
    method: 'GET',
    path: `/schemas/${name}`,
    options: {
      id,
      description: `The JSON Schema of ${of}`,
      notes: 'JSON Schema 2020-12; editors check files against it.',
      tags: ['Documents'],
      auth: false,
      plugins: { ductor: { isDocument: true, mediaType: 'application/schema+json' } },
    },
    handler: (_request, h) => h.response(schema).type('application/schema+json'),
  }));
