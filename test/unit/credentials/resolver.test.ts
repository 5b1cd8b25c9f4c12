import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { KeyRing } from '#host/credentials/key-ring.js';
import { CredentialResolver } from '#host/credentials/resolver.js';
import type { CredentialRow } from '#host/postgres/credentials.js';

const keys = new KeyRing(randomBytes(32));

function rowOf(name: string, values: object, by = keys): CredentialRow {
  const id = randomUUID();
  const { keyId, sealed } = by.seal({ tenantId: 't', id }, JSON.stringify(values));
  return {
    ...{ id, tenant_id: 't', name, connector: 'http', auth: 'bearer', fields: [], secret_fields: ['token'] },
    ...{ config: {}, key_id: keyId, sealed, created_at: '', updated_at: '' },
  };
}

function resolverOf(rows: Map<string, CredentialRow>) {
  const asked: string[] = [];
  let now = 0;
  const find = async (_: string, name: string) => {
    asked.push(name);
    return rows.get(name) ?? null;
  };
  const resolver = new CredentialResolver({ find, keys, monotonicMs: () => now });
  const pass = (ms: number) => {
    now += ms;
  };
  return { resolver, asked, pass };
}

const wanted = { tenantId: 't', connector: 'http', auth: ['none', 'bearer'] };

describe('the resolver of credentials', () => {
  it('says which are missing, at once where it knows, and asks again after two seconds', async () => {
    const rows = new Map([['a', rowOf('a', { token: 'x' })]]);
    const { resolver, asked, pass } = resolverOf(rows);
    expect([...(await resolver.missing('t', ['a', 'b']))]).to.deep.equal(['b']);
    const again = resolver.missing('t', ['a', 'b']);
    expect(again, 'no promise').to.be.instanceOf(Set);
    expect(asked).to.deep.equal(['a', 'b']);
    rows.set('b', rowOf('b', {}));
    pass(2_000);
    expect([...(await resolver.missing('t', ['a', 'b']))]).to.deep.equal([]);
  });

  it('asks again at once for what was changed here', async () => {
    const rows = new Map<string, CredentialRow>();
    const { resolver } = resolverOf(rows);
    expect(await resolver.resolve({ ...wanted, name: 'a' })).to.equal(null);
    rows.set('a', rowOf('a', { token: 'x' }));
    expect(await resolver.resolve({ ...wanted, name: 'a' })).to.equal(null);
    resolver.forget('t', 'a');
    expect(await resolver.resolve({ ...wanted, name: 'a' })).to.deep.include({ values: { token: 'x' } });
  });

  it('hands nothing to an action of another connector, or that does not take its kind', async () => {
    const { resolver } = resolverOf(new Map([['a', rowOf('a', { token: 'x' })]]));
    for (const other of [{ connector: 'evil' }, { auth: ['basic'] }]) {
      const answer = await resolver.resolve({ ...wanted, name: 'a', ...other });
      expect(answer).to.deep.include({ code: 'credential_mismatch', retryable: false });
      expect(answer).not.to.have.property('values');
    }
  });

  it('names the key that it lacks', async () => {
    const other = new KeyRing(randomBytes(32));
    const { resolver } = resolverOf(new Map([['a', rowOf('a', { token: 'x' }, other)]]));
    const answer = await resolver.resolve({ ...wanted, name: 'a' });
    expect(answer).to.deep.include({ code: 'credential_unreadable', party: 'operator' });
    expect(JSON.stringify(answer)).to.include(other.keyId);
  });

  it('does not remember that the database was away', async () => {
    let isAway = true;
    const row = rowOf('a', { token: 'x' });
    const find = async () => {
      if (isAway) throw new Error('away');
      return row;
    };
    const resolver = new CredentialResolver({ find, keys });
    const failed = await Promise.resolve(resolver.missing('t', ['a'])).then(
      () => null,
      (error: unknown) => error,
    );
    expect(failed).to.be.instanceOf(Error);
    isAway = false;
    expect(await resolver.resolve({ ...wanted, name: 'a' })).to.have.property('values');
  });
});
