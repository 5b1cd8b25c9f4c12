import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { publishGraph, startTestHost, type TestHost } from '../support/host.js';
import { until } from '../support/until.js';

const MIB = 1024 * 1024;

interface Run {
  readonly run_id: string;
  readonly status: string;
  readonly output: { readonly body?: unknown } | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** What the service answers, by path. */
const answers: { readonly [path: string]: (response: ServerResponse) => void } = {
  '/nul': (response) => response.end('{"a":"x\\u0000y"}'),
  '/surrogate': (response) => response.end('{"b":"\\ud835"}'),
  '/key': (response) => response.end('{"k\\u0000":1}'),
  '/emoji': (response) => response.end('{"smile":"😀"}'),
  '/error': (response) => {
    response.statusCode = 422;
    response.end('{"message":"bad \\u0000 input"}');
  },
  '/fits': (response) => response.end(JSON.stringify({ text: 'é'.repeat(MIB / 2 - 2_000) })),
  '/large': (response) => response.end(JSON.stringify({ text: 'é'.repeat(MIB / 2 + 1) })),
};

describe('Data that cannot be kept', () => {
  let host: TestHost;
  let service: Server;
  before(async function () {
    this.timeout(60_000);
    service = createServer((request: IncomingMessage, response) => {
      response.setHeader('content-type', 'application/json');
      answers[request.url ?? '']?.(response);
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    host = await startTestHost({ yaml: `limits:\n  step_output_bytes: ${MIB}\n` });
    const step = { ref: 'get', type: 'ACTION', action: 'http.request', args: { url: `${base}\${input.path}` } };
    await publishGraph(host, 'fetch', { graph: { steps: [step], edges: [] } });
  });
  after(async () => {
    await host.stop();
    service.close();
  });

  const trigger = async (path: string) =>
    (await host.call<Run>('POST', '/api/v2/workflow-definitions/fetch:trigger', { input: { path } })).body.run_id;
  const ended = (runId: string) =>
    until(async () => {
      const { body } = await host.call<Run>('GET', `/api/workflows/runs/${runId}`);
      return body.status === 'completed' || body.status === 'failed' ? body : null;
    }, `run ${runId} to end`);

  it('C28 invalid Unicode in results ends its own run and no other', async () => {
    const bad = ['/nul', '/surrogate', '/key', '/error'];
    const good = Array.from({ length: 6 }, () => '/emoji');
    const runs = await Promise.all([...bad, ...good].map(trigger));
    const [nul, surrogate, key, error, ...healthy] = await Promise.all(runs.map(ended));
    for (const run of [nul, surrogate, key]) expect(run?.error?.code).to.equal('invalid_output');
    expect(error?.error?.code).to.equal('http_422');
    const marked = JSON.stringify(error, (_, value: unknown) =>
      typeof value === 'string' && value.includes('\0') ? 'a NUL' : value,
    );
    expect(marked).to.not.include('a NUL');
    for (const run of healthy) expect(run.output?.body).to.deep.equal({ smile: '😀' });
  });

  it('C28 invalid Unicode in a trigger is refused with its path', async () => {
    for (const [text, path] of [
      ['{"input":{"a":"x\\u0000y"}}', 'input.a'],
      ['{"input":{"b":["\\ud835"]}}', 'input.b[0]'],
      ['{"input":{"k\\u0000":1}}', 'input'],
    ] as const) {
      const response = await fetch(`${host.url}/api/v2/workflow-definitions/fetch:trigger`, {
        method: 'POST',
        headers: { authorization: `Bearer ${host.key}`, 'content-type': 'application/json' },
        body: text,
      });
      const { error } = (await response.json()) as { error: { code: string; details: readonly { path: string }[] } };
      expect([response.status, error.code]).to.deep.equal([400, 'invalid_argument']);
      expect(error.details[0]?.path).to.satisfy((found: string) => found.startsWith(path));
    }
  });

  it('C27 a result over the limit fails once, naming step and size; one under it passes', async () => {
    expect((await ended(await trigger('/fits'))).status).to.equal('completed');
    const runId = await trigger('/large');
    const { error } = await ended(runId);
    expect(error?.code).to.equal('payload_too_large');
    expect(JSON.stringify(error))
      .to.match(/"step_ref":"get"/)
      .and.match(/\d{7}/);
    const { body } = await host.call<{ items: readonly unknown[] }>('GET', `/api/v2/workflow-runs/${runId}/attempts`);
    expect(body.items).to.have.length(1);
  });

  it('large results are shown as references, which lead to them', async () => {
    const { output } = await ended(await trigger('/fits'));
    const reference = output as unknown as { $payload: { id: string; bytes: number } };
    expect(reference.$payload.bytes).to.be.greaterThan(1_000_000);
    const { body } = await host.call<{ bytes: number; value: { body: object } }>(
      'GET',
      `/api/payloads/${reference.$payload.id}`,
    );
    expect(body.bytes).to.equal(reference.$payload.bytes);
    expect(JSON.stringify(body.value.body)).to.include('éééé');
    const stranger = await host.tenantKey('payloads');
    expect((await host.call('GET', `/api/payloads/${reference.$payload.id}`, undefined, stranger)).status).to.equal(
      404,
    );
  });

  it('C27 an input over the limit and a body of 50 MB are refused', async () => {
    expect(
      (await host.call('POST', '/api/v2/workflow-definitions/fetch:trigger', { input: { path: 'x'.repeat(MIB) } }))
        .status,
    ).to.equal(413);
    expect(
      (await host.call('POST', '/api/v2/workflow-definitions/fetch:trigger', { input: 'x'.repeat(50 * MIB) })).status,
    ).to.equal(413);
  });

  it('C27 a list of runs with large outputs stays small', async () => {
    await Promise.all((await Promise.all(Array.from({ length: 50 }, () => trigger('/fits')))).map(ended));
    const { body } = await host.call('GET', '/api/workflows/runs?page_size=50');
    expect(JSON.stringify(body).length).to.be.below(200_000);
  }).timeout(60_000);
});
