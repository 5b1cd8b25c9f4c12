/** `options.schema.json` is generated from this; a test tells when it is out of date. */
export const optionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    open: { type: 'boolean', default: false, description: 'Whether /metrics answers without a key' },
    process_metrics: {
      type: 'boolean',
      default: true,
      description: 'Whether it tells of CPU, memory, garbage collection and event loop of the process too',
    },
  },
} as const;
