/** The REST API as the commands use it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError, Unreachable, UsageError } from './errors.ts';

export interface ClientSettings {
  readonly url: string;
  readonly key: string;
  /** Where the key was found, for whoever has to correct it. */
  readonly keySource: string;
  /** `null`: the key's own. */
  readonly tenant: string | null;
}

export type Query = { readonly [name: string]: string | number | boolean | readonly string[] | undefined };

/** Reads DUCTOR_URL, DUCTOR_API_KEY or `<data>/bootstrap-key`, and DUCTOR_TENANT. Throws `UsageError`. */
export function clientSettings(env: NodeJS.ProcessEnv = process.env): ClientSettings {
  const url = env.DUCTOR_URL || 'http://127.0.0.1:8080';
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw new UsageError(`DUCTOR_URL is ${url}: set it to where a host answers, such as http://127.0.0.1:8080`);
  }
  const tenant = env.DUCTOR_TENANT || null;
  if (env.DUCTOR_API_KEY) return { url, key: env.DUCTOR_API_KEY, keySource: 'DUCTOR_API_KEY', tenant };
  const file = join(env.DUCTOR_DATA_DIR || '.ductor', 'bootstrap-key');
  try {
    return { url, key: readFileSync(file, 'utf8').trim(), keySource: file, tenant };
  } catch {
    throw new UsageError(
      `There is no API key: set DUCTOR_API_KEY, or DUCTOR_DATA_DIR to the data directory of a development host ` +
        `(${file} cannot be read). \`ductor api-key create\` makes another key.`,
    );
  }
}

/** Each method throws `ApiError` for a refusal and `Unreachable` where nobody answers. */
export class Api {
  readonly #settings: ClientSettings;

  constructor(settings: ClientSettings = clientSettings()) {
    this.#settings = settings;
  }

  get<T>(path: string, query: Query = {}): Promise<T> {
    return this.#json('GET', `${path}${queryText(query)}`);
  }

  post<T>(path: string, body: object = {}): Promise<T> {
    return this.#json('POST', path, body);
  }

  patch<T>(path: string, body: object): Promise<T> {
    return this.#json('PATCH', path, body);
  }

  /** For answers that come as they happen. */
  stream(path: string, headers: { readonly [name: string]: string }): Promise<Response> {
    return this.#send(path, { headers });
  }

  // The caller knows what a path answers with; nothing else here does.
  async #json<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await this.#send(path, { method, ...(body && { body: JSON.stringify(body) }) });
    return (await response.json()) as T;
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const { url, key, tenant } = this.#settings;
    const headers = {
      authorization: `Bearer ${key}`,
      ...(tenant !== null && { 'x-tenant-id': tenant }),
      ...(init.body !== undefined && { 'content-type': 'application/json' }),
      ...init.headers,
    };
    const response = await fetch(new URL(path, url), { ...init, headers }).catch((error: unknown) => {
      throw this.#unreachable(error);
    });
    if (response.ok) return response;
    throw await this.#refusal(response);
  }

  #unreachable(error: unknown): Unreachable {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : String(cause);
    return new Unreachable(
      `Nothing answers at ${this.#settings.url} (${reason}). ` +
        'Start a host with `ductor start`, or set DUCTOR_URL to where one answers.',
      { cause: error },
    );
  }

  async #refusal(response: Response): Promise<ApiError> {
    const { url, keySource } = this.#settings;
    const body: unknown = await response.json().catch(() => null);
    const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
    if (typeof error !== 'object' || error === null || !('code' in error) || !('message' in error)) {
      return new ApiError(
        `http_${response.status}`,
        `${url} answered ${response.status}, and not as a Ductor host does.`,
        {
          advice: 'Is DUCTOR_URL right?',
        },
      );
    }
    return new ApiError(String(error.code), String(error.message), {
      ...('details' in error && { details: error.details }),
      ...(error.code === 'unauthenticated' && { advice: `The key came from ${keySource}. Does it belong to ${url}?` }),
    });
  }
}

function queryText(query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return (Array.isArray(value) ? value : [value]).map((one) => [name, String(one)]);
  });
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}
