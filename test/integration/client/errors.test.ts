import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, type DuctorClient, type Schemas } from '@ductor/client';
import { expect } from 'chai';
import { publishGraph, startTestHost, type TestHost } from '../../support/host.ts';
import { rejection } from '../../support/rejection.ts';

describe('the errors of the client', function () {
  this.timeout(60_000);
  let host: TestHost;
  let client: DuctorClient;

  before(async () => {
    host = await startTestHost();
    client = createClient({ url: host.url, apiKey: host.key });
    await publishGraph(host, 'quick', { graph: { steps: [{ ref: 'one', type: 'TRANSFORM', value: 1 }], edges: [] } });
  });

  after(() => host.stop());

  const path = { id: 'quick' };
  const family_slug = 'quick';
  const patch = (expected_draft_revision: number, title = 'quick') =>
    client.PATCH('/api/workflow-definitions/{id}/draft', {
      params: { path },
      body: { expected_draft_revision, title },
    });
  const trigger = (input: unknown, calls = client) =>
    calls.POST('/api/v2/workflow-definitions/{definition_id}:trigger', {
      params: { path: { definition_id: 'quick' } },
      body: { input },
    });

  async function clientWith(more: Partial<Schemas['CreateApiKey']>): Promise<DuctorClient> {
    const body = { name: 'limited', tenant_id: 'default', scopes: ['workflow:read' as const], ...more };
    const { data } = await client.POST('/api/api-keys', { body });
    return createClient({ url: host.url, apiKey: data.key });
  }

  it('carry the code, the status, the details and the id of the request', async () => {
    const error = await rejection(patch(0));
    expect(error).to.include({
      name: 'DuctorApiError',
      code: 'invalid_argument',
      status: 400,
      retryAfterSeconds: null,
    });
    expect(error.message).to.include('expected_draft_revision');
    expect(error).to.have.property('requestId').that.is.a('string').and.is.not.empty;
    expect(error).to.have.nested.property('details[0].path', 'expected_draft_revision');
  });

  it('say what a host refuses: no key, no scope, no such thing, there already, changed meanwhile, not now, too large', async () => {
    const { data: run } = await trigger({});
    await client.waitForRun(run.run_id);
    const reader = await clientWith({});
    const refusals: readonly (readonly [code: string, status: number, call: () => PromiseLike<unknown>])[] = [
      ['unauthenticated', 401, () => createClient({ url: host.url, apiKey: 'wrong' }).GET('/api/workflows/runs')],
      ['permission_denied', 403, () => reader.GET('/api/workflow-definitions')],
      ['not_found', 404, () => client.GET('/api/workflow-definitions/{id}', { params: { path: { id: 'none' } } })],
      ['already_exists', 409, () => client.POST('/api/workflow-definitions', { body: { family_slug } })],
      ['conflict', 409, () => patch(99)],
      [
        'failed_precondition',
        409,
        () =>
          client.POST('/api/v2/workflow-runs/{run_id}:pause', {
            params: { path: { run_id: run.run_id } },
            body: { request_id: 'late' },
          }),
      ],
      ['payload_too_large', 413, () => trigger('x'.repeat(2_000_000))],
    ];
    for (const [code, status, call] of refusals) {
      expect(await rejection(call()), code).to.include({ name: 'DuctorApiError', code, status });
    }
  });

  it('say when to ask again', async () => {
    const limited = await clientWith({ rate_limit: { requests_per_minute: 1, burst: 1 } });
    await limited.GET('/api/workflows/runs');
    const error = await rejection(limited.GET('/api/workflows/runs'));
    expect(error).to.include({ code: 'resource_exhausted', status: 429 });
    expect(error).to.have.property('retryAfterSeconds').that.is.within(1, 60);
  });

  it('tell a host’s own faults from those of whatever stands before it, and from silence', async () => {
    const metadata = { trace_id: 't', request_id: 'r', fetched_at: '2026-01-01T00:00:00Z' };
    const answers: { readonly [path: string]: readonly [status: number, body: string] } = {
      '/healthz': [500, JSON.stringify({ error: { code: 'internal', message: 'a fault' }, metadata })],
      '/readyz': [503, JSON.stringify({ error: { code: 'unavailable', message: 'away' }, metadata })],
      '/metrics': [502, '<h1>Bad gateway</h1>'],
    };
    const server = createServer((request, response) => {
      const [status, body] = answers[request.url ?? ''] ?? [404, ''];
      response.writeHead(status, { 'retry-after': '7', 'x-request-id': 'r' }).end(body);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const other = createClient({ url, apiKey: 'k' });
    const away = { code: 'unavailable', status: 503, retryAfterSeconds: 7, requestId: 'r' };
    expect(await rejection(other.GET('/healthz'))).to.include({ code: 'internal', status: 500 });
    expect(await rejection(other.GET('/readyz'))).to.include(away);
    expect(await rejection(other.GET('/metrics'))).to.include({ code: 'http_502', status: 502 });
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    const silence = await rejection(other.GET('/healthz'));
    expect(silence).to.include({ name: 'DuctorConnectionError', url });
    expect(silence.message).to.include(`Nothing answers at ${url} (`);
  });
});
