import { createHash } from 'node:crypto';
import { DuctorError, type Json, type JsonObject, type PageRequest } from '@ductor/core';
import type { Request } from '@hapi/hapi';
import Joi from '@hapi/joi';

export type Order = 'asc' | 'desc';

/** The query parameters of every list; a route's schema spreads them. */
export const pageQuery = {
  page_size: Joi.number().integer().min(1).max(500).default(50),
  page_token: Joi.string().max(2_048),
  order: Joi.string().valid('asc', 'desc'),
};

/** The answer of a list, by the schema of its items. */
export const pageAnswer = (item: Joi.Schema) =>
  Joi.object({ items: Joi.array().items(item).required(), next_page_token: Joi.string().allow(null).required() });

const DIGEST_BYTES = 12;

/**
 * A token says where in a list of the caller's own the next page starts. It grants nothing, since every query is bound
 * to the caller's tenant whatever the token says; so the digest needs no secret, and every host reads every token.
 */
const digest = (body: string, question: Json): Buffer =>
  createHash('sha256')
    .update('ductor page ')
    .update(JSON.stringify([body, question]))
    .digest()
    .subarray(0, DIGEST_BYTES);

/** An opaque token for a position in a list. `question`: what the list was asked for. */
export function encodeCursor(value: Json, question: Json = null): string {
  const body = Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${body}.${digest(body, question).toString('base64url')}`;
}

/** The position in a token. Throws `invalid_argument` for one that was changed, or made for another question. */
export function decodeCursor(token: string, question: Json = null): Json {
  const [body = '', signature = ''] = token.split('.');
  if (token !== `${body}.${signature}` || signature !== digest(body, question).toString('base64url')) throw badToken();
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as Json;
}

const badToken = () =>
  new DuctorError('invalid_argument', 'page_token is not one that this list answered with.', [
    {
      path: 'page_token',
      code: 'invalid_page_token',
      message: 'It was changed, or came with other filters or another order. Begin without one.',
    },
  ]);

/** What `pageQuery` leaves of a query. */
interface PageQuery {
  readonly page_size: number;
  readonly page_token?: string;
  readonly order?: Order;
}

/** Reads what a validated query asks for. `order` is the list's own where the caller names none. */
export function pageRequest({ path, query }: Pick<Request, 'path' | 'query'>, order: Order): PageRequest {
  const { page_size: size, page_token: token, order: asked = order, ...filters } = query as PageQuery & JsonObject;
  const question = [path, asked, Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))];
  return { size, order: asked, question, after: token === undefined ? null : decodeCursor(token, question) };
}

/** One page from up to `size + 1` rows; the one too many says that there are more. */
export function pageOf<Row, Item>(
  { size, question }: PageRequest,
  rows: readonly Row[],
  { keyOf, show }: { readonly keyOf: (row: Row) => Json; readonly show: (row: Row) => Item },
): { readonly items: readonly Item[]; readonly next_page_token: string | null } {
  const page = rows.slice(0, size);
  const last = page.at(-1);
  const hasMore = rows.length > size && last !== undefined;
  return { items: page.map(show), next_page_token: hasMore ? encodeCursor(keyOf(last), question) : null };
}
