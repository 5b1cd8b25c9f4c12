import { ActionError } from '@ductor/connector-sdk';

/** One request as it goes out; a redirect makes the next one of it. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | URLSearchParams | FormData | null;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const BODY_HEADERS = ['content-encoding', 'content-language', 'content-location', 'content-type'];

/**
 * The request that a response asks for, by the rules of `fetch`; `null` if it asks for none.
 * `credentials` are the names of headers that only the first origin may see.
 */
export const nextHop = (hop: Hop, response: Response, credentials: readonly string[]): Hop | null => {
  const location = response.headers.get('location');
  if (location === null || !REDIRECTS.has(response.status)) return null;
  const url = target(location, hop.url);
  const headers = new Headers(hop.headers);
  if (url.origin !== hop.url.origin) for (const name of credentials) headers.delete(name);
  if (!becomesGet(response.status, hop.method)) return { ...hop, url, headers };
  for (const name of BODY_HEADERS) headers.delete(name);
  return { url, method: 'GET', headers, body: null };
};

const becomesGet = (status: number, method: string): boolean =>
  status === 303 ? method !== 'GET' && method !== 'HEAD' : (status === 301 || status === 302) && method === 'POST';

const target = (location: string, base: URL): URL => {
  const url = URL.canParse(location, base) ? new URL(location, base) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new ActionError('invalid_response', { message: `redirected to ${location}, which is no http address` });
  }
  url.username = '';
  url.password = '';
  return url;
};
