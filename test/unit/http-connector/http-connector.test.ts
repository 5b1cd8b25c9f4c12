import { ActionError } from '@ductor/connector-sdk';
import { expect } from 'chai';
import fc from 'fast-check';
import { encodeBody } from '#http-connector/body.js';
import { retryAfter, transportError } from '#http-connector/failure.js';
import { type Hop, nextHop } from '#http-connector/redirect.js';
import { decode } from '#http-connector/response.js';

const hop = (over: Partial<Hop> = {}): Hop => ({
  url: new URL('https://a.test/x'),
  method: 'POST',
  headers: new Headers({ authorization: 'secret', 'content-type': 'text/plain', 'x-kept': '1' }),
  body: 'body',
  ...over,
});
const redirect = (status: number, location: string) => new Response(null, { status, headers: { location } });

describe('Retry-After', () => {
  const now = Date.parse('2030-01-01T00:00:00Z');

  it('is read as seconds or as a date, never negative and at most a day', () => {
    expect(retryAfter('0', now)).to.equal(0);
    expect(retryAfter(' 12 ', now)).to.equal(12_000);
    expect(retryAfter('Tue, 01 Jan 2030 00:01:00 GMT', now)).to.equal(60_000);
    expect(retryAfter('Tue, 01 Jan 2019 00:00:00 GMT', now)).to.equal(0);
    expect(retryAfter('99999999999999999999', now)).to.equal(86_400_000);
  });

  it('is ignored if it is neither', () => {
    expect(retryAfter(null, now)).to.equal(null);
    expect(retryAfter('soon', now)).to.equal(null);
  });

  it('is null or a finite wait for any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const wait = retryAfter(text, now);
        expect(wait === null || (wait >= 0 && wait <= 86_400_000)).to.equal(true);
      }),
    );
  });
});

describe('a redirect', () => {
  it('keeps credentials on the same origin and drops them on every other', () => {
    const same = nextHop(hop(), redirect(307, '/y'), ['authorization']);
    expect(same?.headers.get('authorization')).to.equal('secret');
    for (const other of ['http://a.test/y', 'https://b.test/y', 'https://a.test:444/y']) {
      const next = nextHop(hop(), redirect(307, other), ['authorization']);
      expect(next?.headers.has('authorization')).to.equal(false);
      expect(next?.headers.get('x-kept')).to.equal('1');
      expect(next).to.include({ method: 'POST', body: 'body' });
    }
  });

  it('drops the body with the method', () => {
    const next = nextHop(hop(), redirect(303, '/y'), []);
    expect(next).to.include({ method: 'GET', body: null });
    expect(next?.headers.has('content-type')).to.equal(false);
    expect(nextHop(hop({ method: 'HEAD' }), redirect(303, '/y'), [])?.method).to.equal('HEAD');
  });

  it('needs a location that is a web address', () => {
    expect(nextHop(hop(), new Response(null, { status: 302 }), [])).to.equal(null);
    expect(nextHop(hop(), redirect(304, '/y'), [])).to.equal(null);
    for (const location of ['file:///etc/passwd', 'javascript:1', 'http://']) {
      expect(() => nextHop(hop(), redirect(302, location), [])).to.throw(ActionError, location);
    }
  });

  it('takes no user name along from a location', () => {
    expect(nextHop(hop(), redirect(302, 'https://ann:pw@b.test/'), [])?.url.href).to.equal('https://b.test/');
  });
});

describe('a body', () => {
  it('is refused where it does not fit its type', () => {
    for (const [body, type] of [
      [1, 'text'],
      ['x', 'form'],
      [[1], 'multipart'],
      [{ a: { b: 1 } }, 'form'],
      [{ a: { filename: 'x' } }, 'multipart'],
    ] as const) {
      expect(() => encodeBody(body, type))
        .to.throw(ActionError)
        .with.property('code', 'invalid_input');
    }
  });

  it('is decoded whatever charset it claims', () => {
    expect(decode(Buffer.from('é'), 'text/plain; charset=nonsense', undefined)).to.equal('é');
    expect(decode(Buffer.from('\uFEFF{"a":1}'), 'application/json', undefined)).to.deep.equal({ a: 1 });
  });
});

describe('what fetch throws', () => {
  it('is a fault of the request without a cause, of the network with one, and ours as it is', () => {
    const refusal = new ActionError('network_forbidden');
    expect(transportError(refusal)).to.equal(refusal);
    expect(transportError(new TypeError('bad'))).to.include({ code: 'invalid_input' });
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    expect(transportError(new TypeError('fetch failed', { cause }))).to.include({ code: 'connection_failed' });
  });
});
