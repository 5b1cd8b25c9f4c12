import { derivedUuid, type JsonObject, type RunStatus } from '@ductor/core';
import { expect } from 'chai';
import { statsRoutes } from '#host/http/stats.routes.js';
import { rollUp } from '#host/stats/roll-up.js';
import { ActionError, startTestEngine, type TestEngine } from '../../support/engine.ts';
import { type Rest, startRest } from '../http/rest.ts';

const DAY = '2026-03-04';
const { signal } = new AbortController();

describe('Stats', () => {
  let engine: TestEngine;
  let rest: Rest;
  let definitionId: string;
  let seeds = 0;

  before(async () => {
    engine = await startTestEngine({
      actions: {
        'test.read': () => 1,
        'test.fail': () => Promise.reject(new ActionError('no', { retryable: false })),
      },
    });
    rest = await startRest({ engine, routes: ({ db: { knex } }) => statsRoutes({ knex }) });
    definitionId = await rest.rows.definition({ tenantId: 't1', slug: 'refund-desk' });
  });
  afterEach(async () => {
    await rest.db.knex('eec_workflow_run').del();
    await rest.db.knex('eec_stats_minute').del();
  });
  after(async () => {
    await rest.stop();
    await engine.stop();
  });

  const stats = (query = '', key = rest.key.t1) => rest.call({ path: `/api/workflows/stats${query}`, key });
  const ofDay = async (query = '', key = rest.key.t1) =>
    (await stats(`?from=${DAY}T00:00:00Z&to=${DAY}T23:59:00Z${query}`, key)).body;
  const rollAllUp = (since: string | null = null) => rollUp(engine.db.knex, { since, lateMs: 60_000, signal });
  const rollUps = () =>
    engine.query(
      'select * from eec_stats_minute order by tenant_id, minute, what, run_kind, family_slug, action, outcome',
    );

  /** A run of the day, from one time of it to another. */
  async function run(
    from: string,
    to: string | null,
    more: { status?: RunStatus; tenantId?: string; definitionId?: string; kind?: string } = {},
  ): Promise<string> {
    const createdAt = `${DAY}T${from}Z`;
    seeds += 1;
    const id = derivedUuid(createdAt, String(seeds));
    const status = more.status ?? (to === null ? 'running' : 'completed');
    await rest.rows.run({ tenantId: 't1', definitionId, ...more, status, id, createdAt });
    const endedAt = to === null ? null : `${DAY}T${to}Z`;
    await rest.db.knex('eec_workflow_run').where({ id }).update({ ended_at: endedAt });
    return id;
  }

  it('count what real runs and their attempts came to', async () => {
    const action = (name: string) => ({ steps: [{ ref: 'a', type: 'ACTION', action: `test.${name}` }] });
    const [reading, failing] = [engine.define(action('read')), engine.define(action('fail'))];
    for (const id of [reading, reading, failing]) await engine.ended(await engine.start(id, {}, { tenantId: 't1' }));
    await rollAllUp();
    const { body } = await stats('?bucket=minute');
    expect(body.bucket).to.equal('minute');
    const created = body.series.reduce((sum: number, each: { created: number }) => sum + each.created, 0);
    expect(created).to.equal(3);
    expect(body.workflows).to.have.length(1);
    expect(body.workflows[0]).to.deep.include({ workflow_type: null, created: 3, ended: { completed: 2, failed: 1 } });
    expect(body.workflows[0].duration).to.include({ count: 3 });
    expect(body.actions.map(({ duration: _, ...each }: JsonObject) => each)).to.eql([
      { connector: 'test', action: 'test.fail', attempts: { failed: 1 } },
      { connector: 'test', action: 'test.read', attempts: { completed: 2 } },
    ]);
    expect(body.actions[1].duration.count).to.equal(2);
  });

  it('lie in the minute, hour or day of a run’s beginning and of its end', async () => {
    await run('08:00:30', '08:00:31');
    await run('08:00:59.999', '09:30:00.001', { status: 'failed' });
    await run('08:59:59.999', null);
    await run('23:59:59', '23:59:59.999');
    await rollAllUp();
    const parts = async (bucket: string) =>
      (await ofDay(`&bucket=${bucket}`)).series.map(({ at, created, ended }: JsonObject) => [at, created, ended]);
    expect(await parts('minute')).to.eql([
      [`${DAY}T08:00:00.000Z`, 2, { completed: 1 }],
      [`${DAY}T08:59:00.000Z`, 1, {}],
      [`${DAY}T09:30:00.000Z`, 0, { failed: 1 }],
    ]);
    expect(await parts('hour')).to.eql([
      [`${DAY}T08:00:00.000Z`, 3, { completed: 1 }],
      [`${DAY}T09:00:00.000Z`, 0, { failed: 1 }],
    ]);
    expect(await parts('day')).to.eql([[`${DAY}T00:00:00.000Z`, 3, { completed: 1, failed: 1 }]]);
    const { workflows } = await ofDay();
    expect(workflows[0].duration).to.deep.include({ count: 2, average_ms: Math.round((1_000 + 5_340_002) / 2) });
    expect(workflows[0].duration.p50_ms).to.be.within(500, 1_000);
    expect(workflows[0].duration.p99_ms).to.be.within(3_600_000, 21_600_000);
  });

  it('are the same however often they are made, and hear of what was committed late', async () => {
    await run('08:00:30', '08:00:31');
    await run('08:01:00', '08:05:00');
    await rollAllUp();
    const once = await rollUps();
    await rollAllUp();
    await rollAllUp(`${DAY}T00:00:00.000Z`);
    expect(await rollUps()).to.eql(once);
    await run('08:00:40', '08:04:30');
    await rollAllUp(`${DAY}T08:05:20.000Z`);
    const [part] = (await ofDay()).series;
    expect([part.created, part.ended], 'a minute later: its end').to.eql([2, { completed: 3 }]);
    await rollAllUp(`${DAY}T08:01:10.000Z`);
    expect((await ofDay()).series[0]).to.deep.include({ created: 3, ended: { completed: 3 } });
  });

  it('take up what they have missed, and skip years of silence', async () => {
    const old = derivedUuid('2019-01-01T00:00:00.000Z', 'old');
    await rest.rows.run({ tenantId: 't1', definitionId, id: old, createdAt: '2019-01-01T00:00:00Z' });
    await run('08:00:00', '12:00:00');
    const begun = performance.now();
    const next = await rollAllUp();
    expect(performance.now() - begun).to.be.below(2_000);
    expect(Date.parse(next)).to.be.within(Date.now(), Date.now() + 61_000);
    expect((await stats('?from=2018-12-31&to=2019-01-02&bucket=day')).body.workflows[0]).to.deep.include({
      created: 1,
      ended: { completed: 1 },
    });
    expect((await ofDay('&bucket=day')).series[0]).to.deep.include({ created: 1, ended: { completed: 1 } });
  });

  it('are narrowed to a workflow, and to a kind of runs', async () => {
    const other = await rest.rows.definition({ tenantId: 't1', slug: 'lead-router' });
    await run('08:00:00', '08:00:10');
    await run('08:00:00', '08:00:10', { definitionId: other, status: 'failed' });
    await run('08:00:00', null, { definitionId: other });
    await run('08:00:00', '08:00:10', { kind: 'compensation' });
    await rollAllUp();
    const all = await ofDay();
    expect(all.workflows.map(({ workflow_type, created }: JsonObject) => [workflow_type, created])).to.eql([
      ['lead_router', 2],
      ['refund_desk', 1],
    ]);
    expect(all.open).to.eql({ count: 1, is_capped: false, workflows: [{ workflow_type: 'lead_router', count: 1 }] });
    for (const name of ['refund_desk', 'refund-desk']) {
      const one = await ofDay(`&workflow_type=${name}`);
      expect(one.series[0]).to.deep.include({ created: 1, ended: { completed: 1 } });
      expect(one.workflows).to.have.length(1);
      expect(one.open).to.deep.include({ count: 0, workflows: [] });
    }
    expect((await ofDay('&kind=compensation')).workflows[0]).to.deep.include({ created: 1 });
    expect((await ofDay('&workflow_type=nothing')).series).to.eql([]);
  });

  it('are a tenant’s own', async () => {
    await run('08:00:00', '08:00:10');
    await run('08:00:00', null);
    await rollAllUp();
    const theirs = await ofDay('', rest.key.t2);
    expect([theirs.series, theirs.workflows, theirs.actions, theirs.open.count]).to.eql([[], [], [], 0]);
    expect((await ofDay()).series).to.have.length(1);
  });

  it('refuse a time that is none, or too long for its bucket', async () => {
    for (const query of [
      '?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z',
      '?from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z',
      '?from=2026-01-01T00:00:00Z&to=2026-01-03T00:00:00Z&bucket=minute',
      '?from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z',
      '?from=yesterday',
      '?bucket=week',
      '?order=asc',
    ]) {
      const { status, body } = await stats(query);
      expect([status, body.error?.code, body.error?.details.length], query).to.eql([400, 'invalid_argument', 1]);
    }
    expect((await stats()).body.series).to.eql([]);
  });
});
