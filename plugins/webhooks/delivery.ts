import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '@ductor/core';
import type { RequestVariable, Webhook } from './webhook.ts';

type Headers = { readonly [name: string]: string | readonly string[] | undefined };

/** What many senders keep the same when they send again. */
const DELIVERY_HEADERS = ['webhook-id', 'x-github-delivery', 'x-shopify-webhook-id', 'idempotency-key'];
const LONGEST_ID = 128;

/** A delivery's identity among those of its webhook: what a header says of it, else the hash of its body. */
export function deliveryIdOf({ delivery_header }: Webhook, headers: Headers, bytes: Uint8Array): string {
  const names = delivery_header === null ? DELIVERY_HEADERS : [delivery_header.toLowerCase()];
  const said = names.map((name) => headers[name]).find((value) => typeof value === 'string' && value !== '');
  if (typeof said === 'string' && said.length <= LONGEST_ID) return said;
  return createHash('sha256')
    .update(said === undefined ? bytes : String(said))
    .digest('hex');
}

/** What proves who sends is no data. */
const PRIVATE = ['authorization', 'cookie', 'proxy-authorization'];

export function requestVariable(
  { verify }: Webhook,
  { headers, query, body }: { readonly headers: Headers; readonly query: JsonObject; readonly body: Json },
): RequestVariable {
  const hidden = verify.type === 'none' ? PRIVATE : [...PRIVATE, verify.header.toLowerCase()];
  const shown = Object.entries(headers).filter(([name, value]) => value !== undefined && !hidden.includes(name));
  return { body, query, headers: Object.fromEntries(shown.map(([name, value]) => [name, String(value)])) };
}
