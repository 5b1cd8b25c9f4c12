import { Writable } from 'node:stream';
import { expect } from 'chai';
import type pg from 'pg';
import { createLog } from '#host/log.js';
import { publishGraph, startTestHost, type TestHost } from '../../support/host.ts';
import { openSessions } from '../../support/session.ts';
import { until } from '../../support/until.ts';
import { type Echo, graphWith, reached, startEcho, triggered } from './support.ts';

const SECRETS = {
  basic: 'p@ss w"rd/+\\é',
  bearer: 'eyJhbGciOiJIUzI1NiJ9.e30.tok~en+/=',
  api_key: 'sk_live_<&>_51H8',
  rotated: 'the-second-token-of-them',
};

const formsOf = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64').replaceAll('=', ''),
  Buffer.from(secret).toString('base64url'),
];

const TABLES = ['workflow_run', 'workflow_step_attempt', 'workflow_transition', 'workflow_inbox', 'workflow_wait'];

describe('A credential, used by a real request', () => {
  let host: TestHost;
  let echo: Echo;
  let db: pg.Pool;
  let logged = '';

  const create = (name: string, auth: string, values: object, key?: string) =>
    host.call<{ id: string }>('POST', '/api/credentials', { name, connector: 'http', auth, values }, key);
  const remove = async (name: string) => {
    const { rows } = await db.query('select id from eec_credential where tenant_id = $1 and name = $2', [
      'default',
      name,
    ]);
    return host.call('DELETE', `/api/credentials/${rows[0].id}?force=true`);
  };

  /** Everything that the host shows, keeps or logs of a run. */
  async function traces(runId: string): Promise<string> {
    const paths = [
      'workflows/runs/$',
      'workflows/runs/$/events',
      'v2/workflow-runs/$/attempts',
      'v2/workflow-runs/$/snapshot',
    ];
    const shown = await Promise.all(paths.map((path) => host.call('GET', `/api/${path.replace('$', runId)}`)));
    expect(shown.map(({ status }) => status)).to.deep.equal(paths.map(() => 200));
    const rows = await Promise.all(
      [...TABLES, 'audit_log', 'credential'].map((table) =>
        db.query(`select row_to_json(t)::text as row from eec_${table} t`),
      ),
    );
    const payloads = await db.query('select value::text as row from eec_payload');
    const kept = [...rows, payloads].flatMap(({ rows: found }) => found.map(({ row }) => row));
    return [...shown.map(({ body }) => JSON.stringify(body)), ...kept, logged].join('\n');
  }

  function expectHidden(all: string): void {
    for (const secret of Object.values(SECRETS)) {
      for (const form of formsOf(secret)) {
        expect(all, `a form of a secret: ${form}`).not.to.include(form);
        // As it stands within our own JSON.
        expect(all).not.to.include(JSON.stringify(form).slice(1, -1));
      }
    }
  }

  before(async function () {
    this.timeout(60_000);
    const destination = new Writable({
      write(chunk, _encoding, done) {
        logged += String(chunk);
        done();
      },
    });
    host = await startTestHost({ log: createLog({ level: 'trace', destination }) });
    echo = await startEcho();
    db = openSessions(host.database.url, { max: 2 });
  });
  after(async () => {
    await db.end();
    await echo.stop();
    await host.stop();
  });

  const KINDS = [
    [
      'basic',
      { username: 'ann', password: SECRETS.basic },
      'authorization',
      `Basic ${Buffer.from(`ann:${SECRETS.basic}`).toString('base64')}`,
    ],
    ['bearer', { token: SECRETS.bearer }, 'authorization', `Bearer ${SECRETS.bearer}`],
    ['api_key', { value: SECRETS.api_key }, 'x-api-key', SECRETS.api_key],
  ] as const;
  for (const [kind, values, header, sent] of KINDS) {
    it(`signs a request by ${kind}, and stands nowhere in what is shown, kept or logged`, async () => {
      const made = await create(`by-${kind.replace('_', '-')}`, kind, values);
      expect(made.status).to.equal(200);
      await publishGraph(host, `call-${kind.replace('_', '-')}`, graphWith(`by-${kind.replace('_', '-')}`, echo.url));
      echo.statuses.push(503, 200);
      const runId = await triggered(host, `call-${kind.replace('_', '-')}`);
      const { output } = await reached(host, runId, 'completed');
      expect(echo.headers.slice(-2).map((each) => each[header])).to.deep.equal([sent, sent]);
      expect(JSON.stringify(output)).to.include('[redacted]');
      const { body } = await host.call<{ items: readonly { error: unknown }[] }>(
        'GET',
        `/api/v2/workflow-runs/${runId}/attempts`,
      );
      expect(JSON.stringify(body.items[0]?.error), 'the echo in the error’s details').to.include('[redacted]');
      expectHidden(await traces(runId));
    });
  }

  it('takes new values at the next attempt, of a run that is under way', async () => {
    const { body } = await create('rotating', 'bearer', { token: SECRETS.bearer });
    echo.statuses.push(503);
    const from = echo.headers.length;
    const retry = { initial_interval_ms: 300, max_attempts: 3 };
    await publishGraph(host, 'rotate-soon', graphWith('rotating', echo.url, { retry }));
    const runId = await triggered(host, 'rotate-soon');
    await until(() => echo.headers.length > from, 'the first attempt');
    const patched = await host.call('PATCH', `/api/credentials/${body.id}`, { values: { token: SECRETS.rotated } });
    expect(patched.status).to.equal(200);
    await reached(host, runId, 'completed');
    const sent = echo.headers.slice(from).map(({ authorization }) => authorization);
    expect(sent).to.deep.equal([`Bearer ${SECRETS.bearer}`, `Bearer ${SECRETS.rotated}`]);
    expectHidden(await traces(runId));
  });

  it('that is deleted parks its steps, without an attempt, and wakes them when it is there again', async () => {
    await create('coming', 'bearer', { token: SECRETS.bearer });
    await publishGraph(host, 'comes', graphWith('coming', echo.url));
    expect((await remove('coming')).status).to.equal(200);
    const runId = await triggered(host, 'comes');
    await reached(host, runId, 'waiting');
    const { body: why } = await host.call<{ reasons: readonly object[] }>('GET', `/api/v2/workflow-runs/${runId}/why`);
    expect(why.reasons[0]).to.deep.include({ step_ref: 'call', code: 'credential_missing', name: 'coming' });
    expect(why.reasons[0]).to.have.property('next_wake_at');
    const attempts = () =>
      host.call<{ items: readonly { attempt: number }[] }>('GET', `/api/v2/workflow-runs/${runId}/attempts`);
    expect((await attempts()).body.items).to.deep.equal([]);
    await create('coming', 'bearer', { token: SECRETS.rotated });
    await reached(host, runId, 'completed');
    expect((await attempts()).body.items.map(({ attempt }) => attempt)).to.deep.equal([1]);
    expect(echo.headers.at(-1)?.authorization).to.equal(`Bearer ${SECRETS.rotated}`);
    expect((await db.query("select from eec_workflow_wait where kind = 'credential'")).rowCount).to.equal(0);
  });

  it('is found by the sweep where nobody said that it is there', async () => {
    await create('silent', 'bearer', { token: SECRETS.bearer });
    await publishGraph(host, 'silent', graphWith('silent', echo.url));
    const { rows } = await db.query("delete from eec_credential where name = 'silent' returning *");
    const runId = await until(async () => {
      const id = await triggered(host, 'silent');
      const { body } = await host.call<{ status: string }>('GET', `/api/workflows/runs/${id}`);
      return body.status === 'waiting' ? id : null;
    }, 'the deletion to be noticed');
    await db.query('insert into eec_credential select * from json_populate_record(null::eec_credential, $1)', [
      JSON.stringify({ ...rows[0], sealed: `\\x${rows[0].sealed.toString('hex')}` }),
    ]);
    await reached(host, runId, 'completed');
  });

  it('C39 is another’s under the same name in another tenant', async () => {
    const key = await host.tenantKey('t2');
    const mine = await create('shared', 'bearer', { token: SECRETS.bearer });
    const theirs = await create('shared', 'bearer', { token: SECRETS.rotated }, key);
    for (const [method, body] of [['GET'], ['PATCH', { config: {} }], ['DELETE']] as const) {
      expect((await host.call(method, `/api/credentials/${mine.body.id}`, body, key)).status, method).to.equal(404);
    }
    expect((await host.call('POST', `/api/credentials/${mine.body.id}:test`, undefined, key)).status).to.equal(404);
    const { body: list } = await host.call<{ items: readonly { id: string }[] }>(
      'GET',
      '/api/credentials',
      undefined,
      key,
    );
    expect(list.items.map(({ id }) => id)).to.deep.equal([theirs.body.id]);
    const { body: draft } = await host.call<{ id: string }>(
      'POST',
      '/api/workflow-definitions',
      { family_slug: 'shared', title: 'shared', ...graphWith('shared', echo.url) },
      key,
    );
    await host.call('POST', `/api/workflow-definitions/${draft.id}/publish`, undefined, key);
    await reached(host, await triggered(host, 'shared', key), 'completed', key);
    expect(echo.headers.at(-1)?.authorization).to.equal(`Bearer ${SECRETS.rotated}`);
    // A row that is copied to another tenant does not open there.
    await db.query(
      `update eec_credential t set sealed = m.sealed, key_id = m.key_id from eec_credential m where m.id = $1 and t.id = $2`,
      [mine.body.id, theirs.body.id],
    );
    await host.call('PATCH', `/api/credentials/${theirs.body.id}`, { config: {} }, key);
    const { body: failed } = await host.call<{ run_id: string }>(
      'POST',
      '/api/v2/workflow-definitions/shared:trigger',
      {},
      key,
    );
    const run = await until(async () => {
      const { body } = await host.call<{ status: string; error: { code: string } }>(
        'GET',
        `/api/workflows/runs/${failed.run_id}`,
        undefined,
        key,
      );
      return body.status === 'failed' ? body : null;
    }, 'the run to fail');
    expect(run.error.code).to.equal('credential_unreadable');
  });
});
