/** `options.schema.json` is generated from this; a test tells when it is out of date. */
export const optionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    max_labels: {
      type: 'integer',
      minimum: 1,
      maximum: 64,
      default: 16,
      description: 'How many labels a run may have',
    },
  },
} as const;
