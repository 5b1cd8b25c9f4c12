/** The published schema of what a connector package's `package.json` says of itself. */

const identifier = { type: 'string', pattern: '^[a-z][a-z0-9_]{0,62}$' } as const;
const duration = { type: 'string', format: 'duration' } as const;
/** A JSON Schema 2020-12; looked into when it is compiled. */
const schema = { type: 'object' } as const;
const path = { type: 'string', pattern: '^(?!.*\\.\\.)[^/\\\\].*$' } as const;

const auth = {
  type: 'object',
  required: ['id', 'type'],
  additionalProperties: false,
  properties: {
    id: identifier,
    type: { enum: ['none', 'api_key', 'basic', 'bearer', 'oauth2', 'custom'] },
    displayName: { type: 'string' },
    schema: { ...schema, default: { type: 'object' } },
    secretFields: { type: 'array', items: { type: 'string' }, default: [] },
    oauth2: { type: 'object' },
    test: identifier,
  },
} as const;

const action = {
  type: 'object',
  required: ['name', 'displayName', 'input', 'output', 'effect', 'idempotency'],
  additionalProperties: false,
  properties: {
    name: identifier,
    displayName: { type: 'string', minLength: 1 },
    description: { type: 'string' },
    input: schema,
    output: schema,
    auth: { type: 'array', items: identifier, default: [] },
    effect: { enum: ['read', 'write', 'destructive'] },
    idempotency: { enum: ['natural', 'key', 'none'] },
    defaults: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        timeout: { oneOf: [duration, { type: 'object', additionalProperties: duration }] },
        heartbeat: duration,
        retry: { type: 'object' },
      },
    },
    errors: {
      type: 'array',
      default: [],
      items: {
        type: 'object',
        required: ['code', 'retryable'],
        properties: { code: identifier, retryable: { type: 'boolean' } },
      },
    },
    examples: {
      type: 'array',
      default: [],
      items: {
        type: 'object',
        required: ['title', 'input'],
        properties: { title: { type: 'string' }, input: {}, output: {} },
      },
    },
  },
} as const;

const permissions = {
  type: 'object',
  additionalProperties: false,
  default: {},
  properties: {
    network: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: { hosts: { type: 'array', items: { type: 'string', minLength: 1 }, default: [] } },
    },
    fs: { enum: ['none', 'tmp'], default: 'none' },
    childProcess: { type: 'boolean', default: false },
    native: { type: 'boolean', default: false },
  },
} as const;

const resources = {
  type: 'object',
  additionalProperties: false,
  default: {},
  properties: {
    threads: { type: 'integer', minimum: 1, maximum: 64 },
    maxOldGenerationMb: { type: 'integer', minimum: 16, maximum: 4096 },
    concurrency: { type: 'integer', minimum: 1, maximum: 1024, default: 1 },
    timeout: duration,
  },
} as const;

const connector = {
  type: 'object',
  required: ['id', 'displayName', 'connectorApi', 'entry', 'actions'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', pattern: '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)*$', maxLength: 128 },
    displayName: { type: 'string', minLength: 1 },
    summary: { type: 'string' },
    icon: path,
    categories: { type: 'array', items: { type: 'string' }, default: [] },
    docs: { type: 'string' },
    connectorApi: { type: 'string', minLength: 1 },
    runtime: { enum: ['native', 'openapi', 'mcp', 'activepieces'], default: 'native' },
    entry: path,
    auth: { type: 'array', items: auth, default: [] },
    actions: { type: 'array', minItems: 1, items: action },
    permissions,
    resources,
    isolation: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: { minimum: { enum: ['thread', 'process'], default: 'thread' } },
    },
    config: { ...schema, default: { type: 'object' } },
  },
} as const;

export const connectorManifestSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'package.json of a Ductor connector (actions, auth and config with their files read in)',
  type: 'object',
  required: ['name', 'version', 'ductor'],
  properties: {
    name: { type: 'string', minLength: 1 },
    version: { type: 'string', minLength: 1 },
    ductor: {
      type: 'object',
      required: ['manifestVersion', 'connector'],
      properties: { manifestVersion: { const: 1 }, connector },
    },
  },
} as const;
