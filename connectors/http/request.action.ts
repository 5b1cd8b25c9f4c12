import { type ActionContext, ActionError, defineAction, type Json } from '@ductor/connector-sdk';
import { authHeader, type HttpAuth } from './auth.ts';
import { type BodyType, encodeBody, scalars } from './body.ts';
import { statusError, transportError } from './failure.ts';
import { type Hop, nextHop } from './redirect.ts';
import { decode, excerpt, type ResponseType, readBytes } from './response.ts';

/** As the manifest's schema has it; defaults are filled in here. */
export interface RequestInput {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  readonly url: string;
  readonly query?: Json;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: Json;
  readonly body_type?: BodyType;
  readonly response_type?: ResponseType;
  readonly fail_on?: readonly number[];
  readonly follow_redirects?: boolean;
  readonly max_response_bytes?: number;
  readonly idempotency_header?: string | null;
}

export interface RequestOutput {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: Json;
}

type Context = ActionContext<RequestInput, HttpAuth, unknown>;

const MAX_REDIRECTS = 20;
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;
/** Never handed to another origin, besides the credential's own header. */
const PRIVATE_HEADERS = ['authorization', 'cookie', 'proxy-authorization'];

/** `http.request`: one request, its redirects followed, its status judged. */
export const request = defineAction<RequestInput, RequestOutput, HttpAuth, unknown>(async (ctx) => {
  const { input } = ctx;
  const response = await send(ctx, firstHop(ctx));
  const bytes = await readBytes(response, input.max_response_bytes ?? MAX_RESPONSE_BYTES).catch((error: unknown) => {
    throw transportError(error);
  });
  const contentType = response.headers.get('content-type') ?? '';
  const unwanted = input.fail_on?.includes(response.status) ?? response.status >= 400;
  if (unwanted) throw statusError(response, excerpt(bytes, contentType));
  return {
    status: response.status,
    headers: headersOf(response),
    body: decode(bytes, contentType, input.response_type),
  };
});

/** Names come in lower case; only `set-cookie` comes more than once. */
const headersOf = ({ headers }: Response): RequestOutput['headers'] => {
  const cookies = headers.getSetCookie();
  return { ...Object.fromEntries(headers), ...(cookies.length === 0 ? {} : { 'set-cookie': cookies.join(', ') }) };
};

const send = async ({ input, auth, fetch }: Context, first: Hop): Promise<Response> => {
  const credential = authHeader(auth);
  const credentials = credential === null ? PRIVATE_HEADERS : [...PRIVATE_HEADERS, credential[0]];
  let hop = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const { url, ...init } = hop;
    const response = await fetch(url, { ...init, redirect: 'manual' }).catch((error: unknown) => {
      throw transportError(error);
    });
    const next = input.follow_redirects === false ? null : nextHop(hop, response, credentials);
    if (next === null) return response;
    await response.body?.cancel();
    hop = next;
  }
  throw new ActionError('too_many_redirects', { message: `more than ${MAX_REDIRECTS} redirects` });
};

const firstHop = ({ input, auth, idempotencyKey }: Context): Hop => {
  const method = input.method ?? 'GET';
  const reads = method === 'GET' || method === 'HEAD';
  const headers = requestHeaders(input);
  const credential = authHeader(auth);
  if (credential !== null) headers.set(...credential);
  const keyHeader = input.idempotency_header === undefined ? 'Idempotency-Key' : input.idempotency_header;
  if (!reads && keyHeader !== null && !headers.has(keyHeader)) headers.set(keyHeader, idempotencyKey);
  if (input.body === undefined || input.body === null) return { url: address(input), method, headers, body: null };
  if (reads) throw new ActionError('invalid_input', { message: `${method} takes no body` });
  const { content, contentType } = encodeBody(input.body, input.body_type ?? 'json');
  if (contentType === null) headers.delete('content-type');
  else if (!headers.has('content-type')) headers.set('content-type', contentType);
  return { url: address(input), method, headers, body: content };
};

const requestHeaders = (input: RequestInput): Headers => {
  try {
    const headers = new Headers(input.headers);
    if (!headers.has('user-agent')) headers.set('user-agent', 'ductor');
    return headers;
  } catch (error) {
    throw new ActionError('invalid_input', { message: `headers: ${String(error)}`, cause: error });
  }
};

const address = (input: RequestInput): URL => {
  const url = URL.canParse(input.url) ? new URL(input.url) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new ActionError('invalid_input', { message: `url must be an http or https address: ${input.url}` });
  }
  if (url.username !== '' || url.password !== '') {
    throw new ActionError('invalid_input', { message: 'url must not hold a user name or password: use a credential' });
  }
  for (const [name, value] of scalars(input.query ?? {}, 'query')) url.searchParams.append(name, value);
  return url;
};
