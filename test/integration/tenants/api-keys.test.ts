import { expect } from 'chai';
import { type Operated, startOperated } from './operator.ts';

describe('/api/api-keys', () => {
  let ductor: Operated;

  before(async () => {
    ductor = await startOperated();
    await ductor.tenant('t1');
  });
  after(() => ductor.host.stop());

  const create = async (more: object = {}) => {
    const body = { name: 'reader', scopes: ['workflow:read'], tenant_id: 't1', ...more };
    return ductor.call('POST', '/api/api-keys', { body });
  };
  const revoke = (id: string, key = ductor.operator) => ductor.call('POST', `/api/api-keys/${id}:revoke`, { key });
  const read = (key: string) => ductor.call('GET', '/api/workflows/runs', { key });

  it('shows a key’s text once', async () => {
    const { status, body } = await create();
    expect(status).to.equal(200);
    expect(await read(body.key)).to.include({ status: 200 });
    const one = await ductor.call('GET', `/api/api-keys/${body.id}`);
    const { key, metadata: _, ...shown } = body;
    expect(one.body).to.deep.include(shown);
    const list = await ductor.call('GET', '/api/api-keys?tenant_id=t1');
    expect(list.body.items[0].id).to.equal(body.id);
    expect(new Set(list.body.items.map((item: { tenant_id: string }) => item.tenant_id))).to.eql(new Set(['t1']));
    const audit = await ductor.call('GET', '/api/audit-log');
    expect(JSON.stringify([one.body, list.body, audit.body])).to.not.contain(key);
  });

  it('makes no key of an unknown tenant, scope or time', async () => {
    expect((await create({ tenant_id: 'nobody' })).status).to.equal(404);
    expect((await create({ scopes: ['everything'] })).status).to.equal(400);
    expect((await create({ tenant_id: undefined })).status).to.equal(400);
    expect((await create({ tenant_id: null })).status, 'an operator’s without the scope').to.equal(400);
    expect((await create({ expires_at: '2020-01-01T00:00:00Z' })).body.error.details[0].path).to.equal('expires_at');
    expect((await create({ rate_limit: { requests_per_minute: 0 } })).status).to.equal(400);
  });

  it('revokes a key at once, and again without a change', async () => {
    const { body } = await create();
    await read(body.key);
    const revoked = await revoke(body.id);
    expect(revoked.body.revoked_at).to.be.a('string');
    expect((await read(body.key)).status).to.equal(401);
    expect((await revoke(body.id)).body.revoked_at).to.equal(revoked.body.revoked_at);
    const audit = await ductor.call('GET', `/api/audit-log?action=api_key.revoke&target=${body.id}`);
    expect(audit.body.items).to.have.length(1);
    expect(audit.body.items[0]).to.deep.include({
      tenant_id: 't1',
      actor: 'key:operator',
      details: { name: 'reader' },
    });
    expect((await revoke('01935f6e-1c00-7000-8000-000000000001')).status).to.equal(404);
  });

  it('leaves a key of an operator: none revokes itself, and of two that revoke each other one stays', async () => {
    const scopes = ['operator', 'workflow:read'];
    for (let round = 0; round < 5; round++) {
      const { body: one } = await create({ scopes });
      const { body: other } = await create({ scopes });
      expect((await revoke(one.id, one.key)).body.error.code).to.equal('failed_precondition');
      await Promise.all([revoke(one.id, other.key), revoke(other.id, one.key)]);
      const statuses = [(await read(one.key)).status, (await read(other.key)).status];
      expect(statuses.sort()).to.eql([200, 401]);
    }
  });

  it('limits the requests of a key that has a rate limit, and of no other', async () => {
    const { body } = await create({ rate_limit: { requests_per_minute: 1, burst: 3 } });
    expect(body.rate_limit).to.eql({ requests_per_minute: 1, burst: 3 });
    const answers = await Promise.all(Array.from({ length: 6 }, () => read(body.key)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).to.have.length(3);
    expect(refused[0]?.body.error).to.deep.include({ code: 'resource_exhausted' });
    expect(refused[0]?.body.error.details[0].code).to.equal('rate_limit');
    expect(Number(refused[0]?.retryAfter)).to.be.within(30, 60);
    const unlimited = await Promise.all(Array.from({ length: 20 }, () => read(ductor.host.key)));
    expect(unlimited.every(({ status }) => status === 200)).to.equal(true);
  });
});
