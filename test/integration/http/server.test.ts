import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { DuctorError, type ErrorCode } from '@ductor/core';
import { expect } from 'chai';
import { pino } from 'pino';
import { callerOf } from '#host/http/caller.js';
import { editPayload } from '#host/http/definition.schemas.js';
import { pageQuery } from '#host/http/paging.js';
import { requestId } from '#host/http/run-reads.js';
import { instant } from '#host/http/validation.js';
import { type Rest, type Route, startRest } from './rest.ts';

const auth = { scope: ['workflow:write'] };
const body = { name: requestId, size: ['s', 'l'] };

const routes: readonly Route[] = [
  {
    method: 'POST',
    path: '/echo',
    options: { auth, validate: { payload: body } },
    handler: ({ payload }) => ({ got: payload }),
  },
  { method: 'POST', path: '/bare', options: { auth }, handler: ({ payload }) => ({ got: payload }) },
  { method: 'DELETE', path: '/bare', options: { auth }, handler: () => ({ deleted: true }) },
  {
    method: 'POST',
    path: '/forms',
    options: {
      auth,
      validate: { payload: { at: instant, size: pageQuery.page_size, edit: editPayload } },
    },
    handler: ({ payload }) => ({ got: payload }),
  },
  {
    method: 'POST',
    path: '/anything',
    options: { auth, validate: { payload: true } },
    handler: ({ payload }) => ({ got: payload }),
  },
  { method: 'GET', path: '/whoami', options: { auth }, handler: (request) => ({ ...callerOf(request) }) },
  {
    method: 'GET',
    path: '/refuse/{code}',
    options: { auth },
    handler: ({ params }) =>
      Promise.reject(
        new DuctorError(params.code as ErrorCode, 'No.', { why: 'so' }, params.code === 'unavailable' ? 7 : undefined),
      ),
  },
  {
    method: 'GET',
    path: '/broken',
    options: { auth },
    handler: () => Promise.reject(new Error('password is hunter2')),
  },
  {
    method: 'GET',
    path: '/document',
    options: { auth, plugins: { ductor: { isDocument: true } } },
    handler: () => ({ openapi: '3.1.0' }),
  },
  { method: 'GET', path: '/text', options: { auth }, handler: () => 'all of it' },
];

describe('the REST server', () => {
  let rest: Rest;
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });

  before(async () => {
    rest = await startRest({ routes: () => routes, log: pino({ level: 'info' }, destination) });
    await rest.server.start();
  });
  after(() => rest.stop());
  beforeEach(() => {
    lines.length = 0;
  });

  const post = (path: string, text: unknown, headers = {}) => rest.call({ method: 'POST', path, body: text, headers });

  it('adds metadata to plain answers, with the ids that the caller sent', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const { body, headers } = await post('/echo', { name: 'x' }, { 'x-request-id': 'req-9', traceparent });
    expect(body.got).to.eql({ name: 'x' });
    expect(body.metadata).to.include({ trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', request_id: 'req-9' });
    expect(Date.parse(body.metadata.fetched_at)).to.be.closeTo(Date.now(), 5_000);
    expect(headers).to.include({ 'x-request-id': 'req-9' });
    expect(headers.traceparent).to.match(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[\da-f]{16}-01$/);
  });

  it('makes ids of its own where the caller’s cannot be used', async () => {
    const { body } = await post('/echo', {}, { 'x-request-id': 'a b'.repeat(99), traceparent: '00-0-0-0' });
    expect(body.metadata.request_id).to.match(/^[\da-f-]{36}$/);
    expect(body.metadata.trace_id).to.match(/^[\da-f]{32}$/);
  });

  it('leaves documents of their own form as they are', async () => {
    expect((await rest.call({ path: '/document' })).body).to.eql({ openapi: '3.1.0' });
  });

  it('answers with all there is, whatever range is asked for', async () => {
    for (const range of ['bytes=0-1', 'bytes=999-', 'nonsense']) {
      const { status, body } = await rest.call({ path: '/text', headers: { range } });
      expect([status, body], range).to.eql([200, 'all of it']);
    }
  });

  it('gives each error code its status, and says when to come again', async () => {
    const statuses = {
      invalid_argument: 400,
      unauthenticated: 401,
      permission_denied: 403,
      not_found: 404,
      already_exists: 409,
      failed_precondition: 409,
      conflict: 409,
      payload_too_large: 413,
      resource_exhausted: 429,
      internal: 500,
      unavailable: 503,
    };
    for (const [code, status] of Object.entries(statuses)) {
      const answer = await rest.call({ path: `/refuse/${code}` });
      expect([code, answer.status, answer.body.error]).to.eql([
        code,
        status,
        { code, message: 'No.', details: { why: 'so' } },
      ]);
      expect(answer.body.metadata).to.have.all.keys('trace_id', 'request_id', 'fetched_at');
      const after = { resource_exhausted: '1', unavailable: '7' }[code];
      expect(answer.headers['retry-after'], code).to.equal(after);
    }
  });

  it('keeps what went wrong inside to its log, under the request’s id', async () => {
    const { status, body } = await rest.call({ path: '/broken', headers: { 'x-request-id': 'req-13' } });
    expect(status).to.equal(500);
    expect(body.error.code).to.equal('internal');
    expect(JSON.stringify(body)).to.not.contain('hunter2').and.not.contain(' at ');
    expect(lines.find((line) => line.includes('a request failed')))
      .to.contain('req-13')
      .and.contain('hunter2');
  });

  it('names the bad fields, all of them, and what is allowed', async () => {
    const { status, body } = await post('/echo', { name: 7, size: 'xl', nmae: 1 });
    expect(status).to.equal(400);
    expect(body.error.code).to.equal('invalid_argument');
    expect(body.error.details).to.deep.include.members([
      { path: 'name', code: 'wrong_type', message: 'name must be a string.' },
      { path: 'size', code: 'not_allowed', message: 'size must be one of [s, l].', allowed: ['s', 'l'] },
      { path: 'nmae', code: 'unknown_field', message: 'nmae is not allowed.', allowed: ['name', 'size'] },
    ]);
  });

  it('names what is wrong with them in words of its own', async () => {
    const operations = [{ remove_step: { ref: 'a' }, add_step: { ref: 'a', type: 'STOP' } }, {}];
    const edit = { expected_draft_revision: '1', tags: ['a', 'a'], operations };
    const { body } = await post('/forms', { at: 'soon', size: 501, edit });
    const found = body.error.details.map(({ path, code }: { path: string; code: string }) => [path, code]);
    expect(found).to.have.deep.members([
      ['at', 'wrong_form'],
      ['size', 'out_of_range'],
      ['edit.expected_draft_revision', 'wrong_type'],
      ['edit.tags[1]', 'invalid_value'],
      ['edit.operations[0]', 'exclusive_fields'],
      ['edit.operations[1]', 'required'],
    ]);
    const both = body.error.details.find(({ code }: { code: string }) => code === 'exclusive_fields');
    expect(both.message).to.match(/^edit\.operations\[0\] has \w+, \w+: exactly one of add_step, .* is needed\.$/);
  });

  it('takes no body but an empty one where a route says nothing of it', async () => {
    expect((await rest.call({ method: 'POST', path: '/bare' })).body.got).to.equal(null);
    expect((await post('/bare', {})).status).to.equal(200);
    expect((await rest.call({ method: 'DELETE', path: '/bare' })).status).to.equal(200);
    for (const method of ['POST', 'DELETE']) {
      const { status, body } = await rest.call({ method, path: '/bare', body: { reason: 'x' } });
      expect([status, body.error.code, body.error.details[0].path, body.error.details[0].code]).to.eql([
        ...[400, 'invalid_argument'],
        ...['reason', 'unknown_field'],
      ]);
    }
    expect((await post('/bare', '[1]')).status).to.equal(400);
  });

  it('says what is there where a path or method is not', async () => {
    const missing = await rest.call({ path: '/nothing' });
    expect([missing.status, missing.body.error.code]).to.eql([404, 'not_found']);
    const method = await rest.call({ method: 'DELETE', path: '/echo' });
    expect(method.status).to.equal(404);
    expect(method.body.error.details).to.eql([
      { path: '', code: 'method_not_allowed', message: 'DELETE is not answered here.', allowed: ['POST'] },
    ]);
  });

  it('takes only JSON', async () => {
    const bad: [string, object][] = [
      ['{"name":', {}],
      ['{"name": "secret-value" oops}', {}],
      ['', { 'content-length': '0' }],
      ['name=x', { 'content-type': 'application/x-www-form-urlencoded' }],
      ['{"name":"x"}', { 'content-type': 'text/plain' }],
      ['\ufeff{}', {}],
    ];
    for (const [text, headers] of bad) {
      const { status, body } = await post('/echo', text, headers);
      if (text === '') continue;
      expect([status, body.error?.code], text).to.eql([400, 'invalid_argument']);
      expect(JSON.stringify(body)).to.not.contain('secret-value');
    }
    expect(
      (await post('/echo', '{"name":"x"}', { 'content-type': 'application/merge-patch+json; charset=utf-8' })).status,
    ).to.equal(200);
    const response = await fetch(`${rest.server.info.uri}/echo`, {
      method: 'POST',
      headers: { authorization: `Bearer ${rest.key.t1}`, 'content-type': 'application/json' },
      body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    });
    expect([response.status, await response.text()].join(' ')).to.match(/^400 .*UTF-8/);
  });

  it('refuses what the database would lose or refuse, and names the path', async () => {
    const bad: [string, string, string][] = [
      ['{"data":{"a":"x\\u0000y"}}', 'data.a', 'forbidden_character'],
      ['{"data":["\\ud835"]}', 'data[0]', 'forbidden_character'],
      ['{"data":{"k\\u0000":1}}', 'data', 'forbidden_character'],
      ['{"data":{"id":9007199254740993}}', 'data.id', 'integer_too_large'],
      ['{"data":{"id":-12345678901234567890}}', 'data.id', 'integer_too_large'],
      ['{"data":1e999}', 'data', 'number_too_large'],
      ['{"data":{"__proto__":{"a":1}}}', 'data', 'forbidden_key'],
      ['{"data":{"\\u005f_proto__":{"a":1}}}', 'data', 'forbidden_key'],
    ];
    for (const [text, path, code] of bad) {
      const { status, body } = await post('/anything', text);
      expect([status, body.error?.details?.[0]], text).to.eql([
        400,
        { path, code, message: body.error.details[0].message },
      ]);
    }
    const deep = await post('/anything', `${'['.repeat(65)}${']'.repeat(65)}`);
    expect(deep.body.error.details[0].code).to.equal('too_deep');
    const deepest = await post('/anything', `${'['.repeat(500_000)}`);
    expect(deepest.status).to.equal(400);
  });

  it('keeps what is only unusual', async () => {
    const data = {
      emoji: '😀',
      big: 9007199254740991,
      small: -9007199254740991,
      float: 0.1234567890123456,
      constructor: 1,
    };
    const { status, body } = await post('/anything', { data });
    expect([status, body.got.data]).to.eql([200, data]);
    const nested = `${'['.repeat(64)}${']'.repeat(64)}`;
    expect((await post('/anything', nested)).status).to.equal(200);
  });

  it('answers 413 to a body that says it is too large, and to one that only turns out to be', async () => {
    const declared = await post('/anything', 'x'.repeat(1024 * 1024 + 1));
    expect([declared.status, declared.body.error.code]).to.eql([413, 'payload_too_large']);
    const before = process.memoryUsage().arrayBuffers;
    const answer = await stream(rest, 50);
    expect(answer)
      .to.match(/^HTTP\/1\.1 413 /)
      .and.contain('payload_too_large');
    expect(process.memoryUsage().arrayBuffers - before).to.be.below(20 * 1024 * 1024);
  });

  it('writes one line a request, with its ids and without secrets', async () => {
    await rest.call({ path: '/whoami?token=hunter2', headers: { 'x-request-id': 'req-1', 'x-secret': 'hunter2' } });
    const own = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
    expect(own).to.have.length(1);
    expect(own[0]).to.include({
      request_id: 'req-1',
      method: 'GET',
      path: '/whoami',
      status: 400,
      tenant: 't1',
      actor: 'key:t1',
    });
    expect(lines.join('')).to.not.contain('hunter2').and.not.contain(rest.key.t1);
  });

  it('refuses to start with a route that forgot its scope', async () => {
    const open: Route = { method: 'GET', path: '/open', handler: () => ({}) };
    const error = await startRest({ routes: () => [open] }).then(
      () => null,
      (reason: Error) => reason.message,
    );
    expect(error).to.contain('GET /open has no scope');
  });
});

/** Sends `mib` MiB in chunks, without saying before how much it will be. */
function stream({ server, key }: Rest, mib: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(server.info.port), '127.0.0.1');
    const answer: Buffer[] = [];
    const head = `POST /anything HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${key.t1}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunk = `100000\r\n${'x'.repeat(0x10_00_00)}\r\n`;
    socket.on('data', (data) => answer.push(data));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(answer).toString()));
    socket.write(head);
    const send = (left: number): void => {
      if (left === 0) socket.write('0\r\n\r\n');
      else if (socket.write(chunk)) send(left - 1);
      else socket.once('drain', () => send(left - 1));
    };
    send(mib);
  });
}
