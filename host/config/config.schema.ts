const megabyte = 1024 * 1024;

const url = (protocols: string, description: string) =>
  ({ type: 'string', pattern: `^(${protocols})://[^\\s]+$`, description }) as const;

/** How a plugin is named in `plugins`: off, or on with what it is told. */
const pluginSetting = {
  oneOf: [
    { const: false },
    {
      type: 'object',
      additionalProperties: false,
      properties: {
        options: { type: 'object', description: "what the plugin's own options schema describes" },
        version: { type: 'string', format: 'version-range', description: 'a version or range, such as 1.0.0 or ^1.2' },
      },
    },
  ],
  description: 'false, or an object with options and version',
} as const;

/**
 * The schema of `ductor.yaml` (JSON Schema 2020-12). It says only what this version honours. A `description` is also
 * what an error says was expected.
 */
export const configSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'ductor.yaml',
  type: 'object',
  additionalProperties: false,
  properties: {
    version: { const: 1, default: 1, description: 'the version of this format' },
    mode: { enum: ['production', 'development'] },
    server: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        host: { type: 'string', minLength: 1, default: '127.0.0.1' },
        port: { type: 'integer', minimum: 0, maximum: 65_535, default: 8080 },
        public_url: url('https?', 'a URL, such as https://flows.example.com'),
      },
    },
    database: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        url: url('postgres|postgresql', 'a PostgreSQL URL, such as postgres://user:password@host:5432/name'),
        pool: { type: 'integer', minimum: 1, maximum: 1000, default: 10 },
      },
    },
    redis: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: { url: url('redis|rediss', 'a Redis URL, such as redis://host:6379') },
    },
    plugins: { type: 'object', default: {}, additionalProperties: pluginSetting },
    connectors: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        private_networks: {
          type: 'array',
          default: [],
          items: { type: 'string', format: 'network-range', description: 'a network range, such as 10.20.0.0/16' },
        },
      },
    },
    log: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        level: { enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], default: 'info' },
      },
    },
    data_dir: { type: 'string', minLength: 1 },
    limits: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        request_body_bytes: { type: 'integer', minimum: 1024, default: megabyte },
        step_output_bytes: { type: 'integer', minimum: 1024, default: 4 * megabyte },
        steps_per_definition: { type: 'integer', minimum: 1, maximum: 10_000, default: 1000 },
      },
    },
  },
} as const;
