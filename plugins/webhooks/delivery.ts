import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '@ductor/core';
import type { RequestVariable, Webhook } from './webhook.ts';

/** As Node has them: by names in lower case, those that come again joined by commas. */
type Headers = { readonly [name: string]: unknown };

const textIn = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** What many senders keep the same when they send again. */
const DELIVERY_HEADERS = ['webhook-id', 'x-github-delivery', 'x-shopify-webhook-id', 'idempotency-key'];
const LONGEST_ID = 128;

/** A delivery's identity among those of its webhook: what a header says of it, else the hash of its body. */
export function deliveryIdOf({ delivery_header }: Webhook, headers: Headers, bytes: Uint8Array): string {
  const names = delivery_header === null ? DELIVERY_HEADERS : [delivery_header.toLowerCase()];
  const said = names.map((name) => textIn(headers[name])).find((value) => value !== null) ?? null;
  if (said !== null && said.length <= LONGEST_ID) return said;
  return createHash('sha256')
    .update(said ?? bytes)
    .digest('hex');
}

/** What proves who sends is no data. */
const PRIVATE = ['authorization', 'cookie', 'proxy-authorization'];

export function requestVariable(
  { verify }: Webhook,
  { headers, query, body }: { readonly headers: Headers; readonly query: JsonObject; readonly body: Json },
): RequestVariable {
  const hidden = verify.type === 'none' ? PRIVATE : [...PRIVATE, verify.header.toLowerCase()];
  const shown = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && !hidden.includes(name) ? [[name, value] as const] : [],
  );
  return { body, query, headers: Object.fromEntries(shown) };
}
