import { createHmac } from 'node:crypto';
import type { TestHost } from '../../support/host.ts';

export const SECRET = 'what only github and we know';

export interface Hook {
  readonly id: string;
  readonly path: string;
  readonly name: string;
  readonly failures: readonly {
    readonly code: string;
    readonly message: string;
    readonly details?: readonly { readonly path: string; readonly position?: object }[];
  }[];
}

export interface Refused {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details?: readonly {
      readonly path: string;
      readonly code: string;
      readonly position?: { readonly line: number; readonly column: number };
    }[];
  };
}

let made = 0;

/** Rejects unless it is created. */
export async function createHook(host: TestHost, hook: object, key?: string): Promise<Hook> {
  made += 1;
  const body = { name: `hook-${made}`, verify: { type: 'none' }, ...hook };
  const answer = await host.call<Hook>('POST', '/api/webhooks', body, key);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}

export async function createSecret(host: TestHost, name: string, key?: string): Promise<void> {
  const credential = { name, connector: 'http', auth: 'bearer', values: { token: SECRET } };
  const { status, body } = await host.call('POST', '/api/credentials', credential, key);
  if (status !== 200) throw new Error(JSON.stringify(body));
}

export const signed = (body: string, secret = SECRET) => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
});

/** Sends as other systems do: without a key. */
export async function deliver(
  { url }: Pick<TestHost, 'url'>,
  { path }: Pick<Hook, 'path'>,
  {
    body = '{}',
    type = 'application/json',
    headers = {},
  }: { readonly body?: string; readonly type?: string; readonly headers?: { readonly [name: string]: string } } = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(url + path, { method: 'POST', body, headers: { 'content-type': type, ...headers } });
  return { status: response.status, text: await response.text() };
}

export const shown = async (host: TestHost, { id }: Hook): Promise<Hook> =>
  (await host.call<Hook>('GET', `/api/webhooks/${id}`)).body;
