import { SCOPES } from '#host/keys/scopes.js';
import { startTestHost, type TestHost } from '../../support/host.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are JSON of every form, and only looked at
export type Body = any;

export interface Answer {
  readonly status: number;
  readonly body: Body;
  readonly retryAfter: string | null;
}

/** A whole host, seen by an operator's key of no tenant, by keys of tenants, and by others. */
export interface Operated {
  readonly host: TestHost;
  /** Of no tenant, with all scopes. */
  readonly operator: string;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** A new tenant with this policy, and an all-scopes key of it. */
  tenant(id: string, policy?: object): Promise<string>;
  /** Publishes a workflow of one step for the key's tenant. */
  publish(key: string, slug: string, step?: object): Promise<Answer>;
  /** Starts a run that stays open. */
  trigger(key: string, slug: string, more?: object): Promise<Answer>;
}

interface CallOptions {
  /** Default: the operator's. */
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: { readonly [name: string]: string };
}

/** Work that a run never gets to. */
const FAR = '2099-01-01T00:00:00Z';

export async function startOperated(): Promise<Operated> {
  const host = await startTestHost();
  let operator = host.key;
  const call: Operated['call'] = async (method, path, { key = operator, body, headers = {} } = {}) => {
    const response = await fetch(host.url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return {
      status: response.status,
      body: (await response.json()) as Body,
      retryAfter: response.headers.get('retry-after'),
    };
  };
  const keyOf = async (tenantId: string | null): Promise<string> => {
    const body = { name: tenantId ?? 'operator', scopes: SCOPES, tenant_id: tenantId };
    return (await call('POST', '/api/api-keys', { body })).body.key;
  };
  operator = await keyOf(null);
  return {
    host,
    operator,
    call,
    async tenant(id, policy = {}) {
      const { status, body } = await call('POST', '/api/tenants', { body: { id, ...policy } });
      if (status !== 200) throw new Error(JSON.stringify(body));
      return keyOf(id);
    },
    async publish(key, slug, step = { type: 'TRANSFORM', value: 1 }) {
      const graph = { steps: [{ ref: 'a', ...step }] };
      const { body } = await call('POST', '/api/workflow-definitions', { key, body: { family_slug: slug, graph } });
      return call('POST', `/api/workflow-definitions/${body.id}/publish`, { key });
    },
    trigger: (key, slug, more = {}) =>
      call('POST', `/api/v2/workflow-definitions/${slug}:trigger`, { key, body: { start_at: FAR, ...more } }),
  };
}
