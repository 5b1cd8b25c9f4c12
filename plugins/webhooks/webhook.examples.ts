import type { RouteExample } from '@ductor/core';

const given = {
  name: 'stripe',
  verify: { type: 'hmac_sha256', header: 'Stripe-Signature', credential: 'stripe-signing', format: 'timestamped' },
  action: {
    publish: {
      event_name: 'stripe.${request.body.type}',
      correlation_key: '${request.body.data.object.id}',
      payload: '${request.body.data.object}',
      event_id: '${request.body.id}',
    },
  },
};

const ID = '6f1c9a52-3a1e-4c0e-9f0b-8d2f4c7b1e55';

const answered = {
  id: ID,
  path: `/hooks/${ID}`,
  ...given,
  enabled: true,
  delivery_header: null,
  response: { status: 202, body: { accepted: true } },
  failures: [],
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};

const params = { id: ID };
const failed = {
  at: '2026-03-01T09:31:07.412Z',
  code: 'unauthenticated',
  message: 'The signature is too old, or from the future.',
};

export const EXAMPLES = {
  create: [{ summary: 'Events of a payment provider', payload: given, answer: answered }],
  list: [{ summary: 'All webhooks', query: { page_size: '10' }, answer: { items: [answered], next_page_token: null } }],
  get: [{ summary: 'A webhook and its last failures', params, answer: { ...answered, failures: [failed] } }],
  update: [
    {
      summary: 'Turn a webhook off',
      params,
      payload: { enabled: false },
      answer: { ...answered, enabled: false },
    },
  ],
  delete: [{ summary: 'Delete a webhook', params, answer: { id: ID, name: given.name, deleted: true } }],
  deliver: [
    {
      summary: 'A delivery',
      params,
      payload: { action: 'opened', issue: { number: 7 } },
      status: 202,
      answer: { accepted: true },
    },
  ],
} satisfies { readonly [call: string]: readonly RouteExample[] };
