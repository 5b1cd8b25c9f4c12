/** `options.schema.json` is generated from this; a test tells when it is out of date. */
export const optionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    catchup_window_ms: {
      type: 'integer',
      minimum: 0,
      default: 60_000,
      description: 'How late an occurrence may start, where its schedule does not say',
    },
    keep_occurrences_days: {
      type: 'integer',
      minimum: 1,
      default: 30,
      description: 'How long it is kept what became of occurrences',
    },
  },
} as const;
