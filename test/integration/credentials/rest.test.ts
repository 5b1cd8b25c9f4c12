import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { publishGraph, startTestHost, type TestHost } from '../../support/host.ts';
import { openSession } from '../../support/session.ts';
import { graphWith } from './support.ts';

const TOKEN = 'not-to-be-seen-anywhere';

interface Credential {
  readonly id: string;
  readonly fields: readonly string[];
  readonly key_id: string;
  readonly readable: boolean;
  readonly warnings?: readonly { readonly code: string }[];
}
interface Refused {
  readonly error: { readonly code: string; readonly message: string; readonly details: never };
}

const bearer = (name: string, token = TOKEN) => ({ name, connector: 'http', auth: 'bearer', values: { token } });

describe('/api/credentials', () => {
  let host: TestHost;
  const masterKey = randomBytes(32).toString('base64');
  const create = (body: object) => host.call<Credential>('POST', '/api/credentials', body);
  const refused = async (method: string, path: string, body?: unknown) => {
    const { status, body: answer } = await host.call<Refused>(method, path, body);
    return { status, ...answer.error, text: JSON.stringify(answer) };
  };

  before(async function () {
    this.timeout(60_000);
    host = await startTestHost({ env: { DUCTOR_MASTER_KEY: masterKey } });
  });
  after(() => host.stop());

  it('say which values are set, and never the values', async () => {
    const { status, body } = await create(bearer('shown'));
    expect(status).to.equal(200);
    expect(body).to.deep.include({
      name: 'shown',
      connector: 'http',
      auth: 'bearer',
      fields: ['token'],
      readable: true,
    });
    const answers = [
      body,
      (await host.call('GET', `/api/credentials/${body.id}`)).body,
      (await host.call('GET', '/api/credentials?connector=http')).body,
      (await host.call('PATCH', `/api/credentials/${body.id}`, { values: { token: `${TOKEN}-2` } })).body,
    ];
    expect(JSON.stringify(answers)).not.to.include(TOKEN);
    const none = await create({ name: 'none', connector: 'http', auth: 'none' });
    expect(none.body.fields).to.deep.equal([]);
    const short = await create(bearer('short', 'abc'));
    expect(short.body.warnings?.map(({ code }) => code)).to.deep.equal(['short_secret']);
  });

  it('are refused with every problem, and without repeating a value', async () => {
    const bad = await refused('POST', '/api/credentials', {
      ...bearer('bad'),
      auth: 'basic',
      values: { username: 7, pass: TOKEN },
      config: { x: TOKEN },
    });
    expect(bad.status).to.equal(400);
    for (const path of ['values.username', 'values.password', 'values.pass', 'config.x'])
      expect(bad.text).to.include(path);
    const others = [
      await refused('POST', '/api/credentials', { ...bearer('Not A Slug') }),
      await refused('POST', '/api/credentials', { ...bearer('bad'), connector: 'nowhere' }),
      await refused('POST', '/api/credentials', { ...bearer('bad'), auth: 'oauth2' }),
      await refused('POST', '/api/credentials', { ...bearer('bad'), value: TOKEN }),
    ];
    expect(others.map(({ status }) => status)).to.deep.equal([400, 400, 400, 400]);
    await create(bearer('taken'));
    const taken = await refused('POST', '/api/credentials', bearer('taken'));
    expect([taken.status, taken.code]).to.deep.equal([409, 'already_exists']);
    for (const { text } of [bad, ...others, taken]) expect(text).not.to.include(TOKEN);
  });

  it('are checked at publish: they exist, and are of a kind that the action takes', async () => {
    const { body: draft } = await host.call<{ id: string }>('POST', '/api/workflow-definitions', {
      family_slug: 'checked',
      title: 'checked',
      ...graphWith('nowhere', 'https://a.test/'),
    });
    const missing = await refused('POST', `/api/workflow-definitions/${draft.id}/publish`);
    expect(missing.status).to.equal(400);
    expect(missing.text).to.include('graph.steps[0].credential').and.include('unknown_credential');
    await create(bearer('nowhere'));
    expect((await host.call('POST', `/api/workflow-definitions/${draft.id}/publish`)).status).to.equal(200);
  });

  it('that published workflows use are deleted only by force', async () => {
    const { body } = await create(bearer('used'));
    await publishGraph(host, 'user', graphWith('used', 'https://a.test/'));
    const no = await refused('DELETE', `/api/credentials/${body.id}`);
    expect([no.status, no.code]).to.deep.equal([409, 'failed_precondition']);
    expect(no.details).to.deep.equal({ used_by: [{ family_slug: 'user', versions: [1] }] });
    expect((await host.call('DELETE', `/api/credentials/${body.id}?force=true`)).status).to.equal(200);
    expect((await refused('GET', `/api/credentials/${body.id}`)).status).to.equal(404);

    const { body: other } = await create(bearer('undoes'));
    const compensation = { action: 'http.request', credential: 'undoes', args: { url: 'https://a.test/' } };
    const steps = [{ ref: 'a', type: 'TRANSFORM', value: 1, compensation }];
    await publishGraph(host, 'undoer', { graph: { steps, edges: [] } });
    const { details } = await refused('DELETE', `/api/credentials/${other.id}`);
    expect(details).to.deep.equal({ used_by: [{ family_slug: 'undoer', versions: [1] }] });
  });

  it('can be tested, where the connector has an action for that', async () => {
    const { body } = await create(bearer('tested'));
    const { body: result } = await host.call('POST', `/api/credentials/${body.id}:test`);
    expect(result).to.deep.include({ status: 'untested' });
  });

  it('leave a note of who changed them, without values', async () => {
    const { body } = await create(bearer('noted'));
    await host.call('PATCH', `/api/credentials/${body.id}`, { values: { token: TOKEN } });
    await host.call('DELETE', `/api/credentials/${body.id}`);
    const db = await openSession(host.database.url);
    const { rows } = await db.query('select action, actor, details from eec_audit_log where target = $1 order by id', [
      body.id,
    ]);
    await db.end();
    expect(rows.map(({ action }) => action)).to.deep.equal([
      'credential.create',
      'credential.update',
      'credential.delete',
    ]);
    expect(JSON.stringify(rows)).to.include('noted').and.not.include(TOKEN);
  });

  it('survive a new master key: previous ones still open them, and resealing makes those needless', async function () {
    this.timeout(60_000);
    const { body: before } = await create(bearer('survivor'));
    const next = randomBytes(32).toString('hex');
    await host.stop({ keep: true });
    const health = async (on: TestHost) => {
      const { body } = await on.call<{ checks: { credentials: { status: string; details: object } } }>(
        'GET',
        '/readyz',
      );
      return body.checks.credentials;
    };
    const { database } = host;

    const stranger = await startTestHost({ database, env: { DUCTOR_MASTER_KEY: next } });
    const lacking = await health(stranger);
    expect(lacking.status).to.equal('degraded');
    expect(JSON.stringify(lacking.details)).to.include(before.key_id);
    const unread = await stranger.call<Credential>('GET', `/api/credentials/${before.id}`);
    expect(unread.body.readable).to.equal(false);
    const futile = await stranger.call<{ unreadable: number }>('POST', '/api/credentials:reseal');
    expect(futile.body.unreadable).to.be.greaterThan(0);
    await stranger.stop({ keep: true });

    const between = await startTestHost({
      database,
      env: { DUCTOR_MASTER_KEY: next, DUCTOR_MASTER_KEY_PREVIOUS: masterKey },
    });
    expect((await health(between)).status).to.equal('ok');
    const { body: done } = await between.call<{ resealed: number }>('POST', '/api/credentials:reseal');
    expect(done).to.deep.include({ unreadable: 0 });
    expect(done.resealed).to.be.greaterThan(0);
    await between.stop({ keep: true });

    host = await startTestHost({ database, env: { DUCTOR_MASTER_KEY: next } });
    expect((await health(host)).status).to.equal('ok');
    const { body: after } = await host.call<Credential>('GET', `/api/credentials/${before.id}`);
    expect(after.readable).to.equal(true);
    expect(after.key_id).not.to.equal(before.key_id);
  });
});
