import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { randomIds } from '#host/engine/random-ids.js';
import { callerOf, operatorOf } from '#host/http/caller.js';
import { pluginRoute } from '#host/http/plugin-routes.js';
import { createApiKeys } from '#host/keys/api-keys.js';
import { ensureBootstrapKey } from '#host/keys/bootstrap.js';
import { SCOPES } from '#host/keys/scopes.js';
import { rejection } from '../../support/rejection.ts';
import { type Rest, type Route, startRest } from './rest.ts';

const routes: readonly Route[] = [
  {
    method: 'GET',
    path: '/read',
    options: { auth: { scope: ['workflow:read'] } },
    handler: (request) => ({ ...callerOf(request) }),
  },
];

describe('API keys', () => {
  let rest: Rest;

  before(async () => {
    rest = await startRest({ routes: () => routes });
  });
  after(() => rest.stop());

  const create = async (scopes: readonly string[], more: object = {}) =>
    rest.keys.create({ tenantId: 't1', name: 'ops', scopes, ...more });
  const read = (key: string | null, headers = {}) => rest.call({ path: '/read', key, headers });

  it('open what their scopes open, for their own tenant', async () => {
    const { key } = await create(['workflow:read', 'connector:read']);
    const { status, body } = await read(key);
    expect(status).to.equal(200);
    expect(body).to.deep.include({ tenantId: 't1', actor: 'key:ops', scopes: ['workflow:read', 'connector:read'] });
    expect((await read(key, { 'x-tenant-id': 't1' })).status).to.equal(200);
  });

  it('are kept as a hash alone', async () => {
    const { key } = await create(['workflow:read']);
    expect(key).to.match(/^dk_[\w-]{43}$/);
    const { rows } = await rest.db.hot.query('select k::text as text from eec_api_key k');
    expect(JSON.stringify(rows)).to.not.contain(key);
  });

  it('are refused with 401 where they are missing, unknown or malformed', async () => {
    for (const authorization of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'Basic abc',
      `Bearer dk_${'a'.repeat(43)}`,
      `Bearer ${'x'.repeat(8_000)}`,
      'Bearer a b',
    ]) {
      const { status, body, headers } = await read(null, authorization === undefined ? {} : { authorization });
      expect([status, body.error.code, headers['www-authenticate']], authorization).to.eql([
        401,
        'unauthenticated',
        'Bearer',
      ]);
    }
  });

  it('are refused with 403, which names the scope, where that is missing', async () => {
    const { key } = await create(['workflow:write']);
    const { status, body } = await read(key);
    expect([status, body.error.code]).to.eql([403, 'permission_denied']);
    expect(body.error.message).to.contain('workflow:read');
    expect(body.error.details[0]).to.include({ code: 'missing_scope' });
  });

  it('do not speak for another tenant', async () => {
    const { status, body } = await read(rest.key.t1, { 'x-tenant-id': 't2' });
    expect([status, body.error.code]).to.eql([403, 'permission_denied']);
  });

  it('of an operator name the tenant, which must be there', async () => {
    const { key } = await create(['operator', 'workflow:read'], { tenantId: null });
    expect((await read(key)).body.error).to.include({ code: 'invalid_argument' });
    expect((await read(key, { 'x-tenant-id': 'nobody' })).status).to.equal(404);
    expect((await read(key, { 'x-tenant-id': 't2' })).body.tenantId).to.equal('t2');
  });

  it('end when they are revoked: here at once, elsewhere within five seconds', async () => {
    const { id, key } = await create(['workflow:read']);
    expect((await read(key)).status).to.equal(200);
    const elsewhere = createApiKeys({ table: rest.table, ids: randomIds });
    expect(await elsewhere.revoke(id)).to.equal(true);
    expect(await elsewhere.revoke(id)).to.equal(false);
    expect((await read(key)).status).to.equal(200);
    rest.advance(5_001);
    expect((await read(key)).status).to.equal(401);
    const own = await create(['workflow:read']);
    await read(own.key);
    await rest.keys.revoke(own.id);
    expect((await read(own.key)).status).to.equal(401);
  });

  it('end when they expire, also while they are remembered', async () => {
    const { id, key } = await create(['workflow:read'], { expiresAt: new Date(Date.now() + 2_000).toISOString() });
    expect((await read(key)).status).to.equal(200);
    await rest.db
      .knex('eec_api_key')
      .where({ id })
      .update({ expires_at: new Date(0).toISOString() });
    expect((await read(key)).status, 'remembered').to.equal(200);
    rest.advance(2_001);
    expect((await read(key)).status).to.equal(401);
  });

  it('are asked for once by requests that come together, and not again while they are remembered', async () => {
    let lookUps = 0;
    const find = (hash: Buffer) => {
      lookUps += 1;
      return rest.table.find(hash);
    };
    const table = { ...rest.table, find };
    const keys = createApiKeys({ table, ids: randomIds });
    const found = await Promise.all(Array.from({ length: 50 }, () => keys.find(rest.key.t1)));
    expect(found.every((key) => key?.tenantId === 't1')).to.equal(true);
    await keys.find(rest.key.t1);
    expect(lookUps).to.equal(1);
  });

  it('are not made with unknown scopes, none, or for an unknown tenant', async () => {
    expect(await rejection(create(['workflow:raed']))).to.deep.include({ code: 'invalid_argument' });
    expect(await rejection(create([]))).to.deep.include({ code: 'invalid_argument' });
    expect(await rejection(create(['workflow:read'], { tenantId: null }))).to.deep.include({
      code: 'invalid_argument',
    });
    expect(await rejection(create(['workflow:read'], { tenantId: 'nobody' }))).to.deep.include({ code: 'not_found' });
  });

  it('with the scope operator alone open what stands above tenants', async () => {
    const above = (scope: readonly string[]): Route => ({
      method: 'GET',
      path: '/above',
      options: { auth: { scope: [...scope] }, plugins: { ductor: { isAboveTenants: true } } },
      handler: (request) => ({ ...operatorOf(request) }),
    });
    for (const scope of [['workflow:read'], ['operator', 'workflow:read']]) {
      expect((await rejection(startRest({ routes: () => [above(scope)] }))).message).to.contain('/above');
    }
    const other = await startRest({ routes: () => [above(['operator'])] });
    const operator = { scopes: ['operator'], name: 'ops' };
    const { id, key } = await other.keys.create({ tenantId: null, ...operator });
    expect((await other.call({ path: '/above', key })).body).to.include({ actor: 'key:ops', keyId: id });
    expect((await other.call({ path: '/above' })).status, 'of a tenant').to.equal(200);
    const mismatch = await other.call({ path: '/above', headers: { 'x-tenant-id': 't2' } });
    expect(mismatch.status).to.equal(403);
    await other.stop();
  });

  it('with a rate limit have tokens again after a while', async () => {
    const { key } = await create(['workflow:read'], { rateLimit: { requestsPerMinute: 2, burst: 2 } });
    const statuses = async (count: number) => {
      const answers = await Promise.all(Array.from({ length: count }, () => read(key)));
      return answers.map(({ status }) => status).sort();
    };
    expect(await statuses(3)).to.eql([200, 200, 429]);
    expect(Number((await read(key)).headers['retry-after'])).to.be.within(20, 30);
    rest.advance(30_000);
    expect(await statuses(2)).to.eql([200, 429]);
    rest.advance(3_600_000);
    expect(await statuses(4)).to.eql([200, 200, 429, 429]);
  });

  it('are asked for by plugins’ routes too', () => {
    const route = { method: 'GET', path: '/api/plugins/x/y', handler: () => ({}) };
    expect(() => pluginRoute('x', { ...route, options: { auth: { scope: [] } } })).to.throw('has no scope');
    expect(() => pluginRoute('x', { ...route, options: { auth: { scope: ['everything'] } } })).to.throw('everything');
    expect(pluginRoute('x', { ...route, options: { auth: { scope: ['operator'] } } })).to.include({ path: route.path });
  });

  it('answer 503 while the database is away', async () => {
    const away = createApiKeys({
      table: {
        ...rest.table,
        find: () => Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })),
      },
      ids: randomIds,
    });
    const find = rest.keys.find;
    Object.assign(rest.keys, { find: away.find });
    const { status, body, headers } = await read(rest.key.t1);
    Object.assign(rest.keys, { find });
    expect([status, body.error.code, headers['retry-after']]).to.eql([503, 'unavailable', '1']);
  });
});

describe('the first API key', () => {
  let rest: Rest;
  let dataDir: string;

  beforeEach(async () => {
    rest = await startRest();
    await rest.db.knex('eec_api_key').del();
    dataDir = await mkdtemp(join(tmpdir(), 'ductor-keys-'));
  });
  afterEach(async () => {
    await rest.stop();
    await rm(dataDir, { recursive: true });
  });

  const ensure = (mode: 'development' | 'production', given?: string) =>
    ensureBootstrapKey({ table: rest.table, ids: randomIds, mode, dataDir, given });

  it('is made in development, and written for its owner alone', async () => {
    const result = await ensure('development');
    if (result.result !== 'generated') throw new Error(result.result);
    expect(await readFile(result.file, 'utf8')).to.equal(`${result.key}\n`);
    expect((await stat(result.file)).mode & 0o777).to.equal(0o600);
    expect(await rest.keys.find(result.key)).to.deep.include({ tenantId: 'default', scopes: [...SCOPES] });
    expect(await ensure('development')).to.eql({ result: 'kept' });
    expect(await rest.keys.countAll()).to.equal(1);
  });

  it('is the one that is given, in both modes, while there is none', async () => {
    const given = 'a key of thirty-two characters!!';
    expect(await ensure('production', given)).to.eql({ result: 'given' });
    expect(await rest.keys.find(given)).to.include({ tenantId: 'default' });
    expect(await ensure('production', 'b'.repeat(32))).to.eql({ result: 'kept' });
    expect(await rest.keys.find('b'.repeat(32))).to.equal(null);
    expect(await ensure('production')).to.eql({ result: 'kept' });
  });

  it('is missing in production: it refuses to start, and says what to do', async () => {
    expect((await rejection(ensure('production'))).message).to.contain('DUCTOR_BOOTSTRAP_API_KEY');
    expect((await rejection(ensure('production', 'short'))).message).to.contain('32');
  });

  it('is one, whoever starts at the same time', async () => {
    const results = await Promise.all(Array.from({ length: 4 }, () => ensure('development')));
    expect(results.filter(({ result }) => result === 'generated')).to.have.length(1);
    expect(await rest.keys.countAll()).to.equal(1);
    const text = (await readFile(join(dataDir, 'bootstrap-key'), 'utf8')).trim();
    expect(await rest.keys.find(text)).to.not.equal(null);
  });
});
