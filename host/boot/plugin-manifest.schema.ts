const inPackage = {
  type: 'string',
  pattern: '^\\./(?!.*\\.\\.)[^\\\\]+$',
  description: 'a path inside the package, such as ./dist/plugin.js',
} as const;
const range = { type: 'string', format: 'version-range', description: 'a version range, such as ^1.0.0' } as const;

const routePrefix = {
  type: 'string',
  pattern: '^/[^\\s?#]*[^/\\s?#]$',
  description: 'a path such as /api/plugins/acme',
} as const;

/** What a plugin's `package.json` has to say (JSON Schema 2020-12); all else in it is npm's. */
export const pluginManifestSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'package.json of a Ductor plugin',
  type: 'object',
  required: ['name', 'version', 'ductor'],
  properties: {
    name: { type: 'string', minLength: 1 },
    version: { type: 'string', format: 'version', description: 'a version, such as 1.0.0' },
    ductor: {
      type: 'object',
      required: ['manifestVersion', 'plugin'],
      additionalProperties: false,
      properties: {
        manifestVersion: { const: 1 },
        plugin: {
          type: 'object',
          required: ['id', 'entry', 'pluginApi'],
          additionalProperties: false,
          properties: {
            // With its prefix it is the name of its history table: at most 63 bytes.
            id: {
              type: 'string',
              pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$',
              maxLength: 48,
              description: 'lower case letters, digits and single hyphens',
            },
            entry: inPackage,
            pluginApi: range,
            requires: { type: 'object', default: {}, additionalProperties: range },
            options: inPackage,
            stepTypes: {
              type: 'array',
              default: [],
              items: {
                type: 'string',
                pattern: '^STEP_TYPE_[A-Z][A-Z0-9_]*$',
                description: 'a name such as STEP_TYPE_ACME_AUDIT',
              },
            },
            fields: {
              type: 'array',
              default: [],
              items: {
                type: 'string',
                pattern: '^(step|graph|settings)\\.[a-z][a-z0-9_]*$',
                description: 'a word in definitions and where it stands, such as step.audit',
              },
            },
            routes: { oneOf: [routePrefix, { type: 'array', minItems: 1, items: routePrefix }] },
          },
        },
      },
    },
  },
} as const;
