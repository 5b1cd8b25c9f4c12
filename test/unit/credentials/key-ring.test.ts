import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { KeyRing, Unreadable } from '#host/credentials/key-ring.js';

const owner = { tenantId: 't1', id: randomUUID() };

describe('the key ring', () => {
  it('opens what it has sealed, and nothing of the text stands in it', () => {
    const keys = new KeyRing(randomBytes(32));
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const sealed = keys.seal(owner, text);
        expect(keys.open(owner, sealed)).to.equal(text);
        if (text.length > 8) expect(sealed.sealed.includes(text)).to.equal(false);
      }),
    );
  });

  it('seals the same text differently each time', () => {
    const keys = new KeyRing(randomBytes(32));
    const all = Array.from({ length: 50 }, () => keys.seal(owner, 'text').sealed.toString('hex'));
    expect(new Set(all).size).to.equal(all.length);
  });

  it('does not open a row that was copied to another tenant, id or key, or changed in any byte', () => {
    const [first, second] = [randomBytes(32), randomBytes(32)];
    const keys = new KeyRing(first, [second]);
    const sealed = keys.seal(owner, '{"token":"t"}');
    const others = [
      () => keys.open({ ...owner, tenantId: 't2' }, sealed),
      () => keys.open({ ...owner, id: randomUUID() }, sealed),
      () => keys.open(owner, { ...sealed, keyId: new KeyRing(second).keyId }),
      () => keys.open(owner, { ...sealed, sealed: sealed.sealed.subarray(0, -1) }),
      () => keys.open(owner, { ...sealed, sealed: Buffer.alloc(0) }),
    ];
    for (const other of others) expect(other).to.throw(Unreadable);
    for (let i = 0; i < sealed.sealed.length; i += 1) {
      const changed = Buffer.from(sealed.sealed);
      changed[i]! ^= 1;
      expect(() => keys.open(owner, { ...sealed, sealed: changed }), `byte ${i}`).to.throw(Unreadable);
    }
  });

  it('opens what a previous key has sealed, and names a key that it does not have', () => {
    const [before, now] = [randomBytes(32), randomBytes(32)];
    const sealed = new KeyRing(before).seal(owner, 'text');
    expect(new KeyRing(now, [before]).open(owner, sealed)).to.equal('text');
    expect(() => new KeyRing(now).open(owner, sealed)).to.throw(Unreadable, sealed.keyId);
    expect(new KeyRing(now, [before]).seal(owner, 'text').keyId).to.equal(new KeyRing(now).keyId);
  });

  it('names keys by ids that say nothing of them', () => {
    const key = randomBytes(32);
    const { keyId } = new KeyRing(key);
    expect(keyId).to.match(/^[0-9a-f]{16}$/);
    expect(key.toString('hex')).not.to.include(keyId);
  });
});
