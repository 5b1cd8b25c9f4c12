import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { fault } from '#webhooks/signature.js';
import type { Verify } from '#webhooks/webhook.js';

const bytes = Buffer.from('Hello, World!');
const secret = "It's a Secret to Everybody";
/** As GitHub documents it for this body and secret. */
const HEX = '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
const BASE64 = Buffer.from(HEX, 'hex').toString('base64');

const hmac = (format: 'body' | 'timestamped'): Exclude<Verify, { type: 'none' }> => ({
  type: 'hmac_sha256',
  header: 'X-Signature',
  credential: 'secret',
  format,
});
const NOW = 1_700_000_000;
const ofBody = (header: string | undefined) => fault(hmac('body'), { bytes, header, secret, nowMs: NOW * 1000 });
const ofTime = (header: string) => fault(hmac('timestamped'), { bytes, header, secret, nowMs: NOW * 1000 });
const timed = (time: number | string) => createHmac('sha256', secret).update(`${time}.`).update(bytes).digest('hex');

describe('a webhook’s signature', () => {
  it('of the body comes in hex, with sha256= or without, or in base64', () => {
    for (const header of [`sha256=${HEX}`, HEX, HEX.toUpperCase(), BASE64, `sha256=${BASE64}`]) {
      expect(ofBody(header), header).to.equal(null);
    }
  });

  it('is refused if it is another, cut, empty or missing', () => {
    const other = HEX.replace('7', '8');
    for (const header of [other, `sha256=${other}`, HEX.slice(2), `${HEX}00`, BASE64.slice(4), '', undefined]) {
      expect(ofBody(header), header).to.be.a('string');
    }
  });

  it('of a time and the body may have company, and has to be within five minutes', () => {
    expect(ofTime(`t=${NOW},v1=${timed(NOW)}`)).to.equal(null);
    expect(ofTime(`t=${NOW}, v0=00, v1=${HEX}, v1=${timed(NOW)}`)).to.equal(null);
    expect(ofTime(`t=${NOW - 300},v1=${timed(NOW - 300)}`)).to.equal(null);
    for (const time of [NOW - 301, NOW + 301]) expect(ofTime(`t=${time},v1=${timed(time)}`)).to.match(/too old/);
  });

  it('of the body alone, or of another time, is none of a time and the body', () => {
    for (const header of [
      HEX,
      `t=${NOW},v1=${HEX}`,
      `t=${NOW},v1=${timed(NOW - 1)}`,
      `t=,v1=${timed('')}`,
      `t=${NOW}`,
    ]) {
      expect(ofTime(header), header).to.be.a('string');
    }
  });

  it('may be a fixed value, of whatever length', () => {
    const verify = { type: 'header', header: 'X-Token', credential: 'secret' } as const;
    const ofHeader = (header: string) => fault(verify, { bytes, header, secret, nowMs: 0 });
    expect(ofHeader(secret)).to.equal(null);
    for (const header of ['', 'It', `${secret} `, secret.toLowerCase()]) expect(ofHeader(header)).to.be.a('string');
  });
});
