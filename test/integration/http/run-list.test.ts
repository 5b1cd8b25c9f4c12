import { defineTable, type JsonObject } from '@ductor/core';
import { expect } from 'chai';
import { decodeCursor, encodeCursor } from '#host/http/paging.js';
import { allPages, type Rest, routesOfRuns, startRest } from './rest.ts';

const RUNS = '/api/workflows/runs';
const INJECTIONS = ["x') OR 1=1 --", '%', '_', "'", '\\', '"; drop table eec_workflow_run; --', '$1', ':tenantId', '?'];

const labels = defineTable({
  name: 'test_label',
  filters: {
    label: 'select run_id from test_label where tenant_id = :tenant_id and key = :key and value = :value',
    schedule_id: "select run_id from test_label where tenant_id = :tenant_id and key = 'schedule' and value = :value",
  },
});

describe('the list of runs', () => {
  let rest: Rest;
  const ids = (answer: { body: { items: JsonObject[] } }) => answer.body.items.map(({ run_id }) => String(run_id));
  const list = (query = '', key = rest.key.t1) => rest.call({ path: `${RUNS}${query}`, key });
  const found = async (query: string) => ids(await list(query)).sort();

  before(async () => {
    rest = await startRest({ routes: (parts) => routesOfRuns(parts, { tables: [labels] }) });
    await rest.db.knex.raw('create table test_label (tenant_id text, run_id uuid, key text, value text)');
  });
  afterEach(() => rest.db.knex('eec_workflow_run').del());
  after(() => rest.stop());

  it('C37 shows each of 25 runs of one instant once, newest first, whatever comes meanwhile', async () => {
    const createdAt = '2026-11-29T08:00:00.123Z';
    const made: string[] = [];
    for (let i = 0; i < 25; i++) made.push(await rest.rows.run({ tenantId: 't1', createdAt }));
    const more = async () => {
      for (let i = 0; i < 5; i++) await rest.rows.run({ tenantId: 't1' });
    };
    const items = await allPages(rest, `${RUNS}?page_size=10`, more);
    expect(items.map(({ run_id }) => run_id)).to.eql([...made].sort().reverse());
    const ascending = await allPages(rest, `${RUNS}?page_size=7&order=asc`);
    expect(ascending.slice(0, 25).map(({ run_id }) => run_id)).to.eql([...made].sort());
  });

  it('C37 refuses a token that was changed, made up, or came with another question', async () => {
    for (let i = 0; i < 3; i++) await rest.rows.run({ tenantId: 't1' });
    const { body } = await list('?page_size=1');
    const token: string = body.next_page_token;
    expect((await list(`?page_size=2&page_token=${token}`)).status, 'another size is no other question').to.equal(200);
    const [value = '', digest = ''] = token.split('.');
    const forged = `${Buffer.from('"00000000-0000-7000-8000-000000000000"').toString('base64url')}.${digest}`;
    const changed = [...token].map(
      (letter, i) => `${token.slice(0, i)}${letter === 'A' ? 'B' : 'A'}${token.slice(i + 1)}`,
    );
    for (const bad of [...changed, forged, value, `${token}.`, `.${digest}`, '', 'x', `${token}A`, "' or 1=1"]) {
      if (bad === token) continue;
      const answer = await list(`?page_size=1&page_token=${encodeURIComponent(bad)}`);
      expect([answer.status, answer.body.error?.code], bad).to.eql([400, 'invalid_argument']);
    }
    expect((await list(`?page_size=1&kind=other&page_token=${token}`)).status).to.equal(400);
    expect((await list(`?page_size=1&order=asc&page_token=${token}`)).status).to.equal(400);
    expect(
      (await rest.call({ path: `/api/workflows/runs/${body.items[0].run_id}/events?page_token=${token}` })).status,
    ).to.equal(400);
  });

  it('reads from any host a token that another has made', () => {
    expect(decodeCursor(encodeCursor({ seq: 1 }, ['q']), ['q'])).to.eql({ seq: 1 });
  });

  it('C37 filters by everything it names, and takes values literally', async () => {
    const invoices = await rest.rows.definition({ tenantId: 't1', slug: 'settle-invoices' });
    const second = await rest.rows.definition({ tenantId: 't1', slug: 'settle-invoices', version: 2 });
    const run = (seed: object) => rest.rows.run({ tenantId: 't1', ...seed });
    const a = await run({
      definitionId: invoices,
      status: 'failed',
      subjectType: 'order',
      subjectId: 'o-1',
      attributes: { size: 3, vip: true },
    });
    const b = await run({
      definitionId: second,
      status: 'running',
      subjectType: 'order',
      subjectId: 'o_1',
      attributes: { size: '3' },
    });
    const c = await run({
      status: 'completed',
      rootRunId: a,
      startedAt: '2026-01-02T00:00:00Z',
      attributes: { note: '%' },
    });
    const d = await run({ kind: 'compensation', status: 'pending' });
    await rest.db.knex('test_label').insert([
      { tenant_id: 't1', run_id: a, key: 'import', value: 'imp-7' },
      { tenant_id: 't1', run_id: b, key: 'import', value: 'imp-7' },
      { tenant_id: 't1', run_id: b, key: 'batch', value: 'x' },
      { tenant_id: 't1', run_id: c, key: 'schedule', value: 's-1' },
      { tenant_id: 't2', run_id: c, key: 'import', value: 'imp-7' },
    ]);
    const cases: [string, string[]][] = [
      ['', [a, b, c]],
      ['?kind=compensation', [d]],
      ['?workflow_type=settle_invoices', [a, b]],
      ['?workflow_type=settle-invoices', [a, b]],
      ['?workflow_type=settle', []],
      ['?status=failed', [a]],
      ['?status=failed&status=running&status=completed', [a, b, c]],
      ['?status=waiting', []],
      ['?active_only=true', [b]],
      ['?active_only=false', [a, b, c]],
      ['?active_only=true&status=failed', []],
      ['?active_only=true&status=failed&status=running', [b]],
      ['?subject_type=order', [a, b]],
      ['?subject_type=order&subject_id=o-1', [a]],
      ['?subject_id=o_1', [b]],
      ['?attribute.size=3', [a, b]],
      ['?attribute.vip=true', [a]],
      ['?attribute.size=3&attribute.vip=true', [a]],
      ['?attribute.note=%25', [c]],
      [`?root_run_id=${a}`, [a, c]],
      [`?root_run_id=${a.toUpperCase()}`, [a, c]],
      ['?started_before=2026-02-01T00:00:00Z', [c]],
      ['?started_after=2026-02-01T00:00:00%2B01:00', [a, b]],
      ['?label.import=imp-7', [a, b]],
      ['?label.import=imp-7&label.batch=x', [b]],
      ['?schedule_id=s-1', [c]],
    ];
    for (const [query, expected] of cases) expect(await found(query), query).to.eql([...expected].sort());
    for (const text of INJECTIONS) {
      const value = encodeURIComponent(text);
      for (const name of [
        'subject_id',
        'subject_type',
        'workflow_type',
        'attribute.size',
        `attribute.${value}`,
        'label.import',
        `label.${value}`,
        'kind',
      ]) {
        expect(await found(`?${name}=${value}`), `${name}=${text}`).to.eql([]);
      }
    }
  });

  it('C37 refuses parameters and orders that it does not know, and says which it does', async () => {
    const { status, body } = await list('?sort=created_at');
    expect(status).to.equal(400);
    expect(body.error.details[0]).to.deep.include({ path: 'sort', code: 'unknown_field' });
    expect(body.error.details[0].allowed).to.include.members(['status', 'page_size', 'order']);
    for (const query of [
      'order=sideways',
      'status=done',
      'page_size=0',
      'page_size=501',
      'page_size=1&page_size=2',
      'root_run_id=1',
      'attribute.=1',
      'label.=x',
      'started_after=yesterday',
      'started_after=%2B275760-09-13',
      'subject_id=',
      '__proto__=1',
      'toString=1',
    ]) {
      expect((await list(`?${query}`)).status, query).to.equal(400);
    }
  });

  it('C27 carries no payloads: 50 runs with outputs of a megabyte stay small', async () => {
    const output = 'x'.repeat(1024 * 1024);
    for (let i = 0; i < 50; i++) await rest.rows.run({ tenantId: 't1', output, input: { output } });
    const answer = await list('');
    expect(answer.body.items).to.have.length(50);
    expect(JSON.stringify(answer.body).length).to.be.below(200_000);
    expect(answer.body.items[0]).to.not.have.any.keys('input', 'output', 'error');
  });

  it('shows what a run is, and of which version', async () => {
    const definitionId = await rest.rows.definition({ tenantId: 't1', slug: 'settle-invoices', version: 3 });
    const runId = await rest.rows.run({
      tenantId: 't1',
      definitionId,
      input: { day: 1 },
      output: { n: 2 },
      attributes: { a: 'b' },
    });
    const { body } = await list('');
    expect(body.items[0]).to.deep.include({
      run_id: runId,
      definition_id: definitionId,
      family_slug: 'settle-invoices',
      workflow_type: 'settle_invoices',
      version: 3,
      kind: 'workflow',
      status: 'completed',
      record_version: 1,
      attributes: { a: 'b' },
    });
    const { metadata, ...one } = (await rest.call({ path: `${RUNS}/${runId}` })).body;
    expect(one).to.deep.include({ ...body.items[0], input: { day: 1 }, output: { n: 2 }, error: null });
    expect(metadata).to.have.property('request_id');
  });
});
