import createFetchClient, {
  type Client,
  type ClientPathsWithMethod,
  type FetchResponse,
  type MaybeOptionalInit,
} from 'openapi-fetch';
import type { paths } from './api.generated.ts';
import { DuctorConnectionError, errorOf } from './errors.ts';

export interface ClientOptions {
  /** Where a host answers: `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly apiKey: string;
  /** Only an operator's key names one. */
  readonly tenant?: string;
  /** Default: the global one. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Operation = { readonly responses: unknown };
type MediaType = `${string}/${string}`;
type Succeeded<Response> = Extract<Response, { error?: never }>;

/** A call answers with `data` and the `response` that it came in, and throws where that is an error. */
type Call<Verb extends Method> = <
  Path extends ClientPathsWithMethod<Client<paths>, Verb>,
  Init extends MaybeOptionalInit<paths[Path], Verb>,
>(
  path: Path,
  ...init: undefined extends Init ? [init?: Init] : [init: Init]
) => Promise<Succeeded<FetchResponse<Extract<paths[Path][Verb], Operation>, Init, MediaType>>>;

/** Every path of the API, typed by its OpenAPI document. Throw `DuctorApiError` and `DuctorConnectionError`. */
export type Calls = { readonly [Verb in Method as Uppercase<Verb>]: Call<Verb> };

export function createCalls({ url, apiKey, tenant, fetch }: ClientOptions): Calls {
  const client = createFetchClient<paths>({
    baseUrl: url,
    headers: { authorization: `Bearer ${apiKey}`, ...(tenant !== undefined && { 'x-tenant-id': tenant }) },
    querySerializer: queryText,
    ...(fetch && { fetch }),
  });
  client.use({
    async onResponse({ response }) {
      if (!response.ok) throw await errorOf(response);
    },
    onError: ({ error, request }) => (request.signal.aborted ? undefined : new DuctorConnectionError(url, error)),
  });
  // What is no success has been thrown: of each call's answers one is left.
  return client as Calls;
}

/** Lists say their name again for each value; the fields of an object, such as `filters`, are parameters themselves. */
function queryText(query: { readonly [name: string]: unknown }): string {
  const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value.map((each) => [name, String(each)]);
    if (typeof value === 'object') return Object.entries(value).map(([key, each]) => [key, String(each)]);
    return [[name, String(value)]];
  });
  return new URLSearchParams(pairs).toString();
}
