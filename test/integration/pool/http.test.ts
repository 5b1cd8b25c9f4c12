import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AttemptFailure, AttemptOutcome, Json } from '@ductor/core';
import { expect } from 'chai';
import { type Harness, openHarness, type RunOptions, until } from './harness.js';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Reply = (seen: Seen, response: ServerResponse, request: IncomingMessage) => void;

const listen = async (reply: Reply): Promise<{ server: Server; seen: Seen[]; port: number }> => {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
    seen.push(one);
    reply(one, response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '::', resolve));
  return { server, seen, port: (server.address() as AddressInfo).port };
};

describe('the http connector', function () {
  this.timeout(30_000);
  let harness: Harness;
  let server: Awaited<ReturnType<typeof listen>>;
  let elsewhere: Awaited<ReturnType<typeof listen>>;
  let open = 0;
  let base: string;

  const routes: { readonly [path: string]: Reply } = {
    '/json': (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"a": [1]}'),
    '/problem': (_, response) =>
      response.writeHead(200, { 'content-type': 'application/problem+json; charset=utf-8' }).end('{"p": 1}'),
    '/text': (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('plain'),
    '/latin': (_, response) =>
      response.writeHead(200, { 'content-type': 'text/plain; charset=iso-8859-1' }).end(Buffer.from([0xe9])),
    '/bad-json': (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
    '/loop': (_, response) => response.writeHead(302, { location: '/loop' }).end(),
    '/empty': (_, response) => response.writeHead(204).end(),
    '/cookies': (_, response) => response.writeHead(200, { 'set-cookie': ['a=1', 'b=2'] }).end(),
    '/big': (_, response) => {
      response.writeHead(200);
      response.on('close', () => (open -= 1));
      open += 1;
      const pour = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384)));
        response.once('drain', pour);
      };
      pour();
    },
    '/slow': (_, response) => {
      response.on('close', () => (open -= 1));
      open += 1;
      response.writeHead(200).write('first');
    },
    '/cut': (_, response, request) => {
      response.writeHead(200, { 'content-length': '100' }).write('part');
      setImmediate(() => request.socket.destroy());
    },
    '/date': (_, response) =>
      response.writeHead(503, { 'retry-after': new Date(Date.now() + 90_000).toUTCString() }).end('busy'),
  };

  const reply: Reply = (seen, response, request) => {
    const { pathname, searchParams } = new URL(seen.url, 'http://server');
    const route = routes[pathname];
    if (route !== undefined) return route(seen, response, request);
    const status = /^\/status\/(\d+)/.exec(pathname)?.[1];
    const after = searchParams.get('after');
    const to = searchParams.get('to');
    response
      .writeHead(Number(status ?? 200), {
        ...(after === null ? {} : { 'retry-after': after }),
        ...(to === null ? {} : { location: to }),
      })
      .end('body');
  };

  const request = (args: Json, more: Partial<RunOptions> = {}): Promise<AttemptOutcome> =>
    harness.run({ connector: 'http', action: 'request', args, ...more });
  const bodyOf = (outcome: AttemptOutcome): Json => {
    if (outcome.status !== 'completed') throw new Error(JSON.stringify(outcome));
    return (outcome.output as { readonly body: Json }).body;
  };
  const failure = (outcome: AttemptOutcome): AttemptFailure => {
    if (outcome.status !== 'failed') throw new Error(`expected a failure, got ${JSON.stringify(outcome)}`);
    return outcome.error;
  };
  const last = (): Seen => server.seen.at(-1)!;

  before(async () => {
    server = await listen(reply);
    elsewhere = await listen(reply);
    base = `http://127.0.0.1:${server.port}`;
    harness = await openHarness({
      credentials: {
        basic: { values: { username: 'ann', password: 'hunter22' }, secretFields: ['password'] },
        bearer: { values: { token: 'token-of-ann' }, secretFields: ['token'] },
        api_key: { values: { header: 'X-Api-Key', value: 'key-of-ann' }, secretFields: ['value'] },
        none: { values: {}, secretFields: [] },
      },
    });
  });
  after(async () => {
    await harness.pools.close();
    for (const { server: one } of [server, elsewhere]) {
      one.closeAllConnections();
      await new Promise((resolve) => one.close(resolve));
    }
  });

  it('reads JSON, text and bytes as the content type says or as it is told', async () => {
    expect(bodyOf(await request({ url: `${base}/json` }))).to.deep.equal({ a: [1] });
    expect(bodyOf(await request({ url: `${base}/problem` }))).to.deep.equal({ p: 1 });
    expect(bodyOf(await request({ url: `${base}/text` }))).to.equal('plain');
    expect(bodyOf(await request({ url: `${base}/latin` }))).to.equal('é');
    expect(bodyOf(await request({ url: `${base}/json`, response_type: 'text' }))).to.equal('{"a": [1]}');
    const base64 = Buffer.from('plain').toString('base64');
    expect(bodyOf(await request({ url: `${base}/text`, response_type: 'base64' }))).to.equal(base64);
    expect(bodyOf(await request({ url: `${base}/empty`, response_type: 'json' }))).to.equal(null);
    expect(failure(await request({ url: `${base}/bad-json` }))).to.include({
      code: 'invalid_response',
      retryable: false,
    });
  });

  it('answers with status, and headers in lower case', async () => {
    const outcome = await request({ url: `${base}/cookies` });
    expect(outcome).to.have.nested.property('output.status', 200);
    expect(outcome).to.have.nested.property('output.headers.set-cookie', 'a=1, b=2');
  });

  it('adds the query, repeating lists and leaving out nulls', async () => {
    await request({ url: `${base}/text?z=0`, query: { a: [1, true], b: 'x y', c: null } });
    expect(last().url).to.equal('/text?z=0&a=1&a=true&b=x+y');
  });

  it('sends JSON, forms, multipart and text', async () => {
    const post = (body: Json, body_type?: string) =>
      request({ method: 'POST', url: `${base}/text`, body, ...(body_type === undefined ? {} : { body_type }) });
    await post({ a: 'ü' });
    expect(last()).to.deep.include({ body: '{"a":"ü"}' });
    expect(last().headers['content-type']).to.equal('application/json');
    await post({ a: [1, 2], b: 'x y' }, 'form');
    expect(last().body).to.equal('a=1&a=2&b=x+y');
    expect(last().headers['content-type']).to.contain('application/x-www-form-urlencoded');
    await post('words', 'text');
    expect(last().body).to.equal('words');
    const file = { filename: 'a.bin', content_base64: Buffer.from('bytes').toString('base64'), content_type: 'x/y' };
    await post({ name: 'n', file }, 'multipart');
    expect(last().headers['content-type']).to.match(/^multipart\/form-data; boundary=/);
    expect(last().body).to.contain('name="file"; filename="a.bin"\r\nContent-Type: x/y\r\n\r\nbytes');
    expect(failure(await post({ a: 1 }, 'text')).code).to.equal('invalid_input');
    expect(failure(await request({ url: `${base}/text`, body: { a: 1 } })).code).to.equal('invalid_input');
  });

  it('carries the idempotency key on all but reads, under the name it is given, or not', async () => {
    await request({ url: `${base}/text` });
    expect(last().headers).not.to.have.property('idempotency-key');
    await request({ method: 'DELETE', url: `${base}/text` });
    expect(last().headers['idempotency-key']).to.equal('chain/step/1');
    await request({ method: 'POST', url: `${base}/text`, idempotency_header: 'X-Once' });
    expect(last().headers['x-once']).to.equal('chain/step/1');
    await request({ method: 'POST', url: `${base}/text`, idempotency_header: null });
    expect(last().headers).not.to.have.property('idempotency-key');
  });

  it('signs in with each kind of credential', async () => {
    const header = async (credential: string, name: string) => {
      await request({ url: `${base}/text` }, { credential });
      return last().headers[name];
    };
    const basic = Buffer.from('ann:hunter22').toString('base64');
    expect(await header('basic', 'authorization')).to.equal(`Basic ${basic}`);
    expect(await header('bearer', 'authorization')).to.equal('Bearer token-of-ann');
    expect(await header('api_key', 'x-api-key')).to.equal('key-of-ann');
    expect(await header('none', 'authorization')).to.equal(undefined);
  });

  it('fails with the status, says which are worth a retry, and honours Retry-After', async () => {
    const fail = async (path: string) => failure(await request({ url: `${base}${path}` }));
    for (const status of [408, 425, 429, 500, 503]) {
      expect(await fail(`/status/${status}`)).to.include({ code: `http_${status}`, retryable: true });
    }
    for (const status of [400, 401, 404, 409, 422]) {
      expect(await fail(`/status/${status}`)).to.include({ code: `http_${status}`, retryable: false });
    }
    expect(await fail('/status/429?after=7')).to.include({ retryAfterMs: 7000 });
    expect((await fail('/date')).retryAfterMs).to.be.within(80_000, 91_000);
    expect((await fail('/status/404')).details).to.deep.equal({ status: 404, body: 'body' });
  });

  it('lets the step say which statuses fail', async () => {
    expect((await request({ url: `${base}/status/404`, fail_on: [] })).status).to.equal('completed');
    expect(failure(await request({ url: `${base}/status/200`, fail_on: [200] })).code).to.equal('http_200');
  });

  it('follows redirects as fetch does, or not', async () => {
    const to = encodeURIComponent('/json');
    for (const [status, method, then] of [
      [301, 'POST', 'GET'],
      [302, 'PUT', 'PUT'],
      [303, 'PUT', 'GET'],
      [307, 'POST', 'POST'],
      [308, 'DELETE', 'DELETE'],
    ] as const) {
      const outcome = await request({ method, url: `${base}/status/${status}?to=${to}`, body: { a: 1 } });
      expect(bodyOf(outcome)).to.deep.equal({ a: [1] });
      expect(last()).to.include({ method: then, body: then === 'GET' ? '' : '{"a":1}' });
    }
    const kept = await request({ url: `${base}/status/302?to=${to}`, follow_redirects: false });
    expect(kept).to.have.nested.property('output.status', 302);
  });

  it('sends the trace context of its attempt, unless it is told another', async () => {
    const own = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const other = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';
    const url = `${base}/text`;
    await request({ url }, { traceparent: own });
    expect(last().headers.traceparent).to.equal(own);
    await request({ url, headers: { Traceparent: other } }, { traceparent: own });
    expect(last().headers.traceparent).to.equal(other);
    await request({ url });
    expect(last().headers).not.to.have.property('traceparent');
  });

  it('gives up on endless redirects', async () => {
    const error = failure(await request({ url: `${base}/loop` }));
    expect(error.code).to.equal('too_many_redirects');
  });

  it('hands no credential to another origin', async () => {
    const to = encodeURIComponent(`http://127.0.0.1:${elsewhere.port}/text`);
    for (const credential of ['basic', 'bearer', 'api_key']) {
      await request({ url: `${base}/status/307?to=${to}`, headers: { Cookie: 'a=1' } }, { credential });
      const { headers } = elsewhere.seen.at(-1)!;
      expect(last().headers.cookie).to.equal('a=1');
      expect(headers).not.to.have.any.keys('authorization', 'x-api-key', 'cookie');
    }
  });

  it('cuts a response that is too large while it streams', async () => {
    const error = failure(await request({ url: `${base}/big`, max_response_bytes: 100_000 }));
    expect(error).to.include({ code: 'response_too_large', retryable: false });
    await until(() => open === 0);
  });

  it('ends the connection when it is aborted in the middle of a body', async () => {
    const outcome = await request({ url: `${base}/slow` }, { timeoutMs: 100, graceMs: 10_000 });
    expect(outcome).to.deep.equal({ status: 'stopped' });
    await until(() => open === 0);
  });

  it('calls a broken or refused connection retryable', async () => {
    const unused = await listen(() => {});
    await new Promise((resolve) => unused.server.close(resolve));
    for (const url of [`${base}/cut`, `http://127.0.0.1:${unused.port}/`, 'http://nowhere.invalid/']) {
      expect(failure(await request({ url }))).to.include({ code: 'connection_failed', retryable: true });
    }
  });

  it('refuses addresses that are no web addresses, and credentials in them', async () => {
    for (const url of ['file:///etc/passwd', 'ftp://x/', 'http://', 'http://ann:pw@example.com/']) {
      expect(failure(await request({ url }))).to.include({ code: 'invalid_input', retryable: false });
    }
    const header = await request({ url: `${base}/text`, headers: { 'x-a': 'a\nb: c' } });
    expect(failure(header).code).to.equal('invalid_input');
  });

  describe('without leave to reach private networks', () => {
    let guarded: Harness;
    const guardedRequest = (url: string) => guarded.run({ connector: 'http', action: 'request', args: { url } });

    before(async () => {
      guarded = await openHarness({ privateNetworks: [] });
    });
    after(() => guarded.pools.close());

    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '127.1',
      '0.0.0.0',
      '[::]',
      '10.0.0.1',
      '169.254.169.254',
      '100.64.0.1',
      '[fd00::1]',
      '[fe80::1]',
    ]) {
      it(`never connects to ${host}`, async () => {
        const before = server.seen.length;
        const error = failure(await guardedRequest(`http://${host}:${server.port}/text`));
        expect(error).to.include({ code: 'network_forbidden', retryable: false });
        expect(server.seen).to.have.length(before);
      });
    }
  });

  it('judges every hop: a redirect into a forbidden network is refused', async () => {
    const narrow = await openHarness({ privateNetworks: ['127.0.0.1/32'] });
    try {
      const run = (to: string) => {
        const url = `${base}/status/302?to=${encodeURIComponent(to)}`;
        return narrow.run({ connector: 'http', action: 'request', args: { url } });
      };
      expect((await run('/text')).status).to.equal('completed');
      for (const to of [
        `http://127.0.0.2:${server.port}/text`,
        'http://169.254.169.254/',
        `http://[::1]:${server.port}/`,
      ]) {
        expect(failure(await run(to)).code).to.equal('network_forbidden');
      }
    } finally {
      await narrow.pools.close();
    }
  });

  it('serves all tenants from one thread: a fetch leaves nothing behind', async () => {
    const own = await openHarness({
      credentials: { key: { values: { base_url: base, api_key: 'abcdef' }, secretFields: ['api_key'] } },
    });
    const threads = new Set<Json>();
    for (const tenantId of ['a', 'b', 'a', 'c']) {
      const args = { url: `${base}/text` };
      await own.run({ connector: 'good', action: 'get', args, credential: 'key', tenantId });
      const outcome = await own.run({ connector: 'good', action: 'thread', tenantId });
      threads.add(outcome.status === 'completed' ? outcome.output : null);
    }
    await own.pools.close();
    expect(threads.size).to.equal(1);
  });

  it('holds any connector’s fetch to the hosts of its manifest', async () => {
    const own = await openHarness({
      credentials: { key: { values: { base_url: `${base}/v1`, api_key: 'abcdef' }, secretFields: ['api_key'] } },
    });
    try {
      const get = (url: string) => own.run({ connector: 'good', action: 'get', args: { url }, credential: 'key' });
      expect(await get(`${base}/text`)).to.have.nested.property('output.text', 'plain');
      expect(failure(await get(`http://127.0.0.1:${elsewhere.port}/text`)).code).to.equal('network_forbidden');
      const redirect = `${base}/status/302?to=${encodeURIComponent(`http://127.0.0.1:${elsewhere.port}/text`)}`;
      expect(failure(await get(redirect)).code).to.equal('network_forbidden');
    } finally {
      await own.pools.close();
    }
  });
});
