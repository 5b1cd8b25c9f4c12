import { expect } from 'chai';
import { startTestHost, type TestHost } from '../../support/host.ts';
import { createHook, createSecret, deliver, type Hook, type Refused, shown } from './deliveries.ts';

describe('webhooks', function () {
  this.timeout(60_000);
  let host: TestHost;
  before(async () => {
    host = await startTestHost();
    await createSecret(host, 'github');
  });
  after(() => host.stop());

  const publish = { action: { publish: { event_name: 'x' } } };
  const create = (hook: object, key?: string) =>
    host.call<Refused>('POST', '/api/webhooks', { name: 'bad', verify: { type: 'none' }, ...publish, ...hook }, key);
  const problems = async (hook: object) => (await create(hook)).body.error.details ?? [];

  it('are refused with bad templates, by path, line and column', async () => {
    const [field, syntax, variable] = await problems({
      action: { publish: { event_name: '${request.bdy.x}', payload: { a: ['is\n${ 1 + }'] } } },
      response: { body: '${input.x}' },
    });
    expect(field).to.deep.include({
      path: 'action.publish.event_name',
      code: 'unknown_field',
      position: { line: 1, column: 11 },
    });
    expect(syntax).to.deep.include({ path: 'action.publish.payload.a[0]', code: 'syntax_error' });
    expect(syntax?.position?.line).to.equal(2);
    expect(variable?.path).to.equal('response.body');
  });

  it('are refused with a credential that is not there or has no one secret, and with words that no trigger has', async () => {
    const verify = { type: 'header', header: 'X-Token', credential: 'nobody' };
    const action = { trigger: { workflow: { slug: 'x' }, correlation_lables: [] } };
    const codes = (await problems({ verify, action })).map(({ path, code }) => [path, code]);
    expect(codes).to.deep.equal([
      ['verify.credential', 'unknown_credential'],
      ['action.trigger.correlation_lables', 'unknown_field'],
    ]);
    await host.call('POST', '/api/credentials', { name: 'empty', connector: 'http', auth: 'none' });
    const [unfit] = await problems({ verify: { ...verify, credential: 'empty' } });
    expect(unfit).to.include({ path: 'verify.credential', code: 'unfit_credential' });
  });

  it('are refused in a form that is none', async () => {
    for (const hook of [
      { verify: { type: 'hmac_sha256' } },
      { verify: { type: 'none', header: 'X' } },
      { verify: { type: 'header', header: 'not a name', credential: 'github' } },
      { action: {} },
      { action: { ...publish.action, trigger: { workflow: { slug: 'x' } } } },
      { response: { status: 500 } },
      { name: '' },
    ]) {
      expect((await create(hook)).status, JSON.stringify(hook)).to.equal(400);
    }
  });

  it('have a name once, and are listed page by page, newest first', async () => {
    const names = ['page-1', 'page-2', 'page-3'];
    for (const name of names) await createHook(host, { name, ...publish });
    expect((await create({ name: 'page-2' })).body.error.code).to.equal('already_exists');
    const found: string[] = [];
    let token: string | null = '';
    while (token !== null) {
      const more: string = token === '' ? '' : `&page_token=${token}`;
      const { body } = await host.call<{ items: readonly Hook[]; next_page_token: string | null }>(
        'GET',
        `/api/webhooks?page_size=2${more}`,
      );
      found.push(...body.items.map(({ name }) => name));
      token = body.next_page_token;
    }
    expect(found.filter((name) => names.includes(name))).to.deep.equal([...names].reverse());
    expect(new Set(found)).to.have.length(found.length);
    expect((await host.call('GET', '/api/webhooks?page_token=changed')).status).to.equal(400);
  });

  it('are changed in place, and a change is checked as a whole', async () => {
    const hook = await createHook(host, publish);
    const change = (body: object) => host.call<Hook & Refused>('PATCH', `/api/webhooks/${hook.id}`, body);
    const answered = await change({ response: { body: { ok: '${request.body.n}' } } });
    expect(answered.body).to.include({ path: hook.path, name: hook.name });
    expect(await deliver(host, hook, { body: '{"n":3}' })).to.deep.equal({ status: 202, text: '{"ok":3}' });
    expect((await change({ response: { body: '${nothing}' } })).body.error.details?.[0]?.path).to.equal(
      'response.body',
    );
    expect((await change({})).status).to.equal(400);
    const other = await createHook(host, publish);
    expect((await change({ name: other.name })).body.error.code).to.equal('already_exists');
  });

  it('answer nobody while they are off, and once they are gone', async () => {
    const hook = await createHook(host, publish);
    const set = (enabled: boolean) => host.call('PATCH', `/api/webhooks/${hook.id}`, { enabled });
    await set(false);
    expect(await deliver(host, hook)).to.include({ status: 404 });
    await set(true);
    expect(await deliver(host, hook)).to.include({ status: 202 });
    const gone = await host.call('DELETE', `/api/webhooks/${hook.id}`);
    expect(gone.body).to.deep.include({ id: hook.id, deleted: true });
    expect(await deliver(host, hook)).to.include({ status: 404 });
    for (const path of ['/hooks/00000000-0000-4000-8000-000000000000', '/hooks/x', '/hooks/%00']) {
      expect((await deliver(host, { path })).status, path).to.be.oneOf([400, 404]);
    }
  });

  it('are their tenant’s alone, and use its credentials alone', async () => {
    const hook = await createHook(host, publish);
    const other = await host.tenantKey('other');
    const call = (method: string, path: string, body?: object) => host.call<Refused>(method, path, body, other);
    for (const [method, body] of [['GET'], ['PATCH', { enabled: false }], ['DELETE']] as const) {
      expect((await call(method, `/api/webhooks/${hook.id}`, body)).status, method).to.equal(404);
    }
    expect((await call('GET', '/api/webhooks')).body).to.deep.include({ items: [] });
    const verify = { type: 'header', header: 'X-Token', credential: 'github' };
    expect((await create({ verify }, other)).body.error.details?.[0]?.code).to.equal('unknown_credential');
    await createHook(host, { ...publish, name: hook.name }, other);
    expect((await shown(host, hook)).name).to.equal(hook.name);
  });

  it('are made with the scope webhook:write, read with workflow:read, and each change is noted', async () => {
    const key = async (scope: string) => {
      const made = { name: scope, scopes: [scope], tenant_id: 'default' };
      return (await host.call<{ key: string }>('POST', '/api/api-keys', made)).body.key;
    };
    const reader = await key('workflow:read');
    const writer = await key('webhook:write');
    expect((await create({}, reader)).status).to.equal(403);
    expect((await host.call('GET', '/api/webhooks', undefined, writer)).status).to.equal(403);
    const hook = await createHook(host, publish, writer);
    expect((await host.call('GET', `/api/webhooks/${hook.id}`, undefined, reader)).status).to.equal(200);
    await host.call('PATCH', `/api/webhooks/${hook.id}`, { enabled: false }, writer);
    await host.call('DELETE', `/api/webhooks/${hook.id}`, undefined, writer);
    const { body } = await host.call<{ items: readonly { action: string; actor: string }[] }>(
      'GET',
      `/api/audit-log?target=${hook.id}`,
    );
    expect(body.items.map(({ action, actor }) => `${action} ${actor}`)).to.deep.equal([
      'webhook.delete key:webhook:write',
      'webhook.update key:webhook:write',
      'webhook.create key:webhook:write',
    ]);
  });

  it('are gone with all their routes while the plugin is off, and back with it', async () => {
    const hook = await createHook(host, publish);
    const without = await startTestHost({ database: host.database, yaml: 'plugins:\n  webhooks: false\n' });
    try {
      expect(await deliver(without, hook)).to.include({ status: 404 });
      expect((await without.call('GET', '/api/webhooks')).status).to.equal(404);
    } finally {
      await without.stop({ keep: true });
    }
    expect(await deliver(host, hook)).to.include({ status: 202 });
  });
});
