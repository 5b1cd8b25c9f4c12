import { expect } from 'chai';
import { type Operated, startOperated } from './operator.ts';

describe('tenants', () => {
  let ductor: Operated;

  before(async () => {
    ductor = await startOperated();
  });
  after(() => ductor.host.stop());

  it('are made once, whoever asks at the same time', async () => {
    const body = { id: 'acme' };
    const answers = await Promise.all(Array.from({ length: 6 }, () => ductor.call('POST', '/api/tenants', { body })));
    const codes = answers.map(({ status, body: { error } }) => error?.code ?? status);
    expect(codes.sort()).to.eql([200, ...Array.from({ length: 5 }, () => 'already_exists')]);
  });

  it('have a slug for an id, and limits that are whole numbers', async () => {
    for (const id of ['', 'Acme', 'a_b', '-a', 'a'.repeat(64), 'ä']) {
      expect((await ductor.call('POST', '/api/tenants', { body: { id } })).status, id).to.equal(400);
    }
    for (const [name, value] of Object.entries({
      max_open_runs: -1,
      max_definitions: 1.5,
      connectors: 'http',
      hats: 1,
    })) {
      const body = { id: 'limited', entitlements: { [name]: value } };
      expect((await ductor.call('POST', '/api/tenants', { body })).status, name).to.equal(400);
    }
    expect((await ductor.call('PATCH', '/api/tenants/acme', { body: {} })).status).to.equal(400);
    expect((await ductor.call('PATCH', '/api/tenants/nobody', { body: { release_policy: 'none' } })).status).to.equal(
      404,
    );
    expect((await ductor.call('GET', '/api/tenants/nobody')).status).to.equal(404);
  });

  it('keep the limits that a change does not name; null lifts one', async () => {
    await ductor.tenant('changed', { entitlements: { max_open_runs: 5, step_types: ['ACTION'] } });
    const change = (body: object) => ductor.call('PATCH', '/api/tenants/changed', { body });
    await change({ entitlements: { max_definitions: 3 } });
    await change({ release_policy: 'required', entitlements: { max_open_runs: null } });
    const { body } = await ductor.call('GET', '/api/tenants/changed');
    expect(body.release_policy).to.equal('required');
    expect(body.entitlements).to.eql({
      max_definitions: 3,
      max_open_runs: null,
      runs_per_minute: null,
      connectors: null,
      step_types: ['STEP_TYPE_ACTION'],
    });
  });

  it('are listed page by page, newest first', async () => {
    const ids: string[] = [];
    for (let token = ''; ; ) {
      const { body } = await ductor.call('GET', `/api/tenants?page_size=2${token}`);
      ids.push(...body.items.map(({ id }: { id: string }) => id));
      if (body.next_page_token === null) break;
      token = `&page_token=${body.next_page_token}`;
    }
    expect(ids).to.have.members(['acme', 'changed', 'default']);
    expect(ids.at(-1)).to.equal('default');
  });

  it('are an operator’s to see: the key of no tenant names none, other keys are refused', async () => {
    const paths = ['/api/tenants', '/api/api-keys', '/api/audit-log'];
    const { body } = await ductor.call('POST', '/api/api-keys', {
      body: { name: 'reader', scopes: ['workflow:read'], tenant_id: 'acme' },
    });
    for (const path of paths) {
      expect((await ductor.call('GET', path)).status, path).to.equal(200);
      expect((await ductor.call('GET', path, { headers: { 'x-tenant-id': 'nobody' } })).status, path).to.equal(200);
      expect((await ductor.call('GET', path, { key: ductor.host.key })).status, path).to.equal(200);
      const refused = await ductor.call('GET', path, { key: body.key });
      expect([refused.status, refused.body.error.code], path).to.eql([403, 'permission_denied']);
    }
    const unnamed = await ductor.call('GET', '/api/caller-releases/live');
    expect([unnamed.status, unnamed.body.error.details[0].path]).to.eql([400, 'X-Tenant-ID']);
  });
});
