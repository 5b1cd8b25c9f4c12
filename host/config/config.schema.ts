const megabyte = 1024 * 1024;

const url = (protocols: string, title: string, description: string) =>
  ({ type: 'string', pattern: `^(${protocols})://[^\\s]+$`, title, description }) as const;

const duration = (description: string) =>
  ({
    type: 'string',
    pattern: '^P(?=.)(\\d+W|(\\d+D)?(T(?=.)(\\d+H)?(\\d+M)?(\\d+S)?)?)$',
    title: 'a duration such as P30D or PT12H',
    description,
  }) as const;

/** How a plugin is named in `plugins`: off, or on with what it is told. */
const pluginSetting = {
  oneOf: [
    { const: false },
    {
      type: 'object',
      additionalProperties: false,
      properties: {
        options: { type: 'object', description: "what the plugin's own options schema describes" },
        version: {
          type: 'string',
          format: 'version-range',
          title: 'a version or range, such as 1.0.0 or ^1.2',
          description: 'the version, or a range of versions, that has to be installed',
        },
      },
    },
  ],
  title: 'false, or an object with options and version',
  description: 'a plugin, by its id (ours), package or path (others): `false` turns it off',
} as const;

const connectorPolicy = {
  type: 'object',
  additionalProperties: false,
  description: 'what may be installed',
  properties: {
    registries: {
      type: 'array',
      items: url('https?', "a registry's URL", "a registry's URL"),
      description: 'the only registries that packages may come from',
    },
    require_signature: { type: 'boolean', default: false, description: 'whether packages have to be signed' },
    allow_unsigned: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      description: 'packages that need no signature; `*` stands for any text',
    },
    licences: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      description: 'the only licences that packages may have, as SPDX names them',
    },
  },
} as const;

const connectorInstall = {
  type: 'array',
  description: 'connectors that are there from the start and cannot be removed through the API',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['package', 'version'],
    properties: {
      package: { type: 'string', minLength: 1, description: 'its name in the registry' },
      version: {
        type: 'string',
        format: 'version',
        title: 'an exact version, such as 1.4.2',
        description: 'its exact version',
      },
      integrity: { type: 'string', minLength: 1, description: "npm's digest of the archive, such as `sha512-…`" },
      tenants: {
        type: 'array',
        items: { type: 'string', minLength: 1 },
        description: 'the tenants that it is enabled for; `*` means all',
      },
      consent: { type: 'string', minLength: 1, description: 'the digest of the permissions that were agreed to' },
      isolation: {
        enum: ['thread', 'process'],
        description: 'where it runs: a thread of the host, or a process apart',
      },
    },
  },
} as const;

/**
 * The schema of `ductor.yaml` (JSON Schema 2020-12). A `description` says what a key means, and a `title` what an error
 * says was expected. host/config/README.md is generated from it.
 */
export const configSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'ductor.yaml',
  type: 'object',
  additionalProperties: false,
  properties: {
    version: { const: 1, default: 1, description: 'the version of this format' },
    mode: {
      enum: ['production', 'development'],
      description:
        'development makes its own keys and lets connectors reach loopback; production if a database is named',
    },
    server: {
      type: 'object',
      additionalProperties: false,
      default: {},
      description: 'the REST API',
      properties: {
        host: { type: 'string', minLength: 1, default: '127.0.0.1', description: 'the address that it listens on' },
        port: { type: 'integer', minimum: 0, maximum: 65_535, default: 8080, description: '0 takes one that is free' },
        public_url: url(
          'https?',
          'a URL, such as https://flows.example.com',
          'where others reach the host, for links that it hands out',
        ),
      },
    },
    database: {
      type: 'object',
      additionalProperties: false,
      default: {},
      description: 'PostgreSQL, 15 or later',
      properties: {
        url: url(
          'postgres|postgresql',
          'a PostgreSQL URL, such as postgres://user:password@host:5432/name',
          'without it the host runs a PostgreSQL of its own in the data directory',
        ),
        pool: { type: 'integer', minimum: 1, maximum: 1000, default: 10, description: 'most connections of this host' },
      },
    },
    redis: {
      type: 'object',
      additionalProperties: false,
      default: {},
      description: 'carries hints and tasks between hosts',
      properties: {
        url: url('redis|rediss', 'a Redis URL, such as redis://host:6379', 'without it hosts meet in the database'),
      },
    },
    plugins: {
      type: 'object',
      default: {},
      additionalProperties: pluginSetting,
      description: 'plugins by name: ours are on unless `false`, others are on when they are named',
    },
    connectors: {
      type: 'object',
      additionalProperties: false,
      default: {},
      description: 'packages of actions',
      properties: {
        private_networks: {
          type: 'array',
          default: [],
          items: { type: 'string', format: 'network-range', title: 'a network range, such as 10.20.0.0/16' },
          description: 'network ranges that connectors may reach beyond the public internet',
        },
        policy: connectorPolicy,
        install: connectorInstall,
      },
    },
    retention: {
      type: 'object',
      additionalProperties: false,
      default: {},
      description: 'how long what is over is kept',
      properties: {
        runs: duration('for runs, from their end'),
        events: { ...duration('for published events, once they are matched'), default: 'P7D' },
      },
    },
    log: {
      type: 'object',
      additionalProperties: false,
      default: {},
      description: 'JSON lines on stdout',
      properties: {
        level: {
          enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
          default: 'info',
          description: 'the least that is logged',
        },
      },
    },
    data_dir: {
      type: 'string',
      minLength: 1,
      description: 'keys, plugins and the embedded database; default: `.ductor` in the working directory',
    },
    limits: {
      type: 'object',
      additionalProperties: false,
      default: {},
      description: 'what is refused for its size',
      properties: {
        request_body_bytes: {
          type: 'integer',
          minimum: 1024,
          default: megabyte,
          description: 'the largest body of a request',
        },
        step_output_bytes: {
          type: 'integer',
          minimum: 1024,
          default: 4 * megabyte,
          description: "the largest output of a connector's action",
        },
        steps_per_definition: {
          type: 'integer',
          minimum: 1,
          maximum: 10_000,
          default: 1000,
          description: 'most steps of one graph',
        },
        nesting_depth: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          default: 16,
          description: 'how deep workflows may start each other',
        },
      },
    },
  },
} as const;

/** Keys that are accepted, and that this version does not act on yet: a file for a later one can be used today. */
export const notActedOn: readonly (readonly string[])[] = [
  ['server', 'public_url'],
  ['redis', 'url'],
  ['connectors', 'policy'],
  ['connectors', 'install'],
  ['retention', 'runs'],
];
