import type { NamedSchemas } from './components.ts';

/** In examples. */
export const METADATA = {
  trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
  request_id: '0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11',
  fetched_at: '2026-11-29T08:00:00.000Z',
};

export const answerComponents: NamedSchemas = {
  Answer: {
    type: 'object',
    description: 'What every answer has beside its own fields.',
    required: ['metadata'],
    properties: { metadata: { $ref: '#/components/schemas/Metadata' } },
  },
  Metadata: {
    type: 'object',
    required: ['trace_id', 'request_id', 'fetched_at'],
    properties: {
      trace_id: { type: 'string', pattern: '^[\\da-f]{32}$', description: 'As in `traceparent`.' },
      request_id: { type: 'string', description: 'As in `X-Request-ID`.' },
      fetched_at: { type: 'string', format: 'date-time' },
    },
  },
};
