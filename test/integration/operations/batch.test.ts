import { derivedUuid, RUN_CONTROLS } from '@ductor/core';
import { expect } from 'chai';
import { randomIds } from '#host/engine/random-ids.js';
import { operationRoutes } from '#host/http/operations.routes.js';
import { runBatchRoutes } from '#host/http/run-batch.routes.js';
import { runFilter } from '#host/http/run-filter.js';
import { OperationRunner } from '#host/operations/operation-runner.js';
import { runControlOperation } from '#host/operations/run-control.operation.js';
import { insertOperation } from '#host/postgres/operations.js';
import { until } from '../../support/until.ts';
import { type Rest, startRest } from '../http/rest.ts';

const BATCH = '/api/v2/workflow-runs:batch';
const MANY = process.env.FULL === '1' ? 2_000 : 500;
const filter = runFilter([]);

describe('A control for many runs', () => {
  let rest: Rest;
  const woken: string[] = [];
  const kind = runControlOperation({
    filterOf: filter.ofKept,
    ids: randomIds,
    wake: (runIds) => {
      woken.push(...runIds);
    },
  });
  const stop = new AbortController();
  let runner: OperationRunner;
  let ended: Promise<void>;

  before(async () => {
    rest = await startRest({
      routes: ({ db: { knex } }) => [
        ...runBatchRoutes({ knex, filter, ids: randomIds, wake: () => runner.wake() }),
        ...operationRoutes({ knex }),
      ],
    });
    runner = new OperationRunner({ knex: rest.db.knex, kinds: [kind], failed: () => undefined });
    ended = runner.run(stop.signal);
  });
  afterEach(async () => {
    await rest.db.knex('eec_workflow_run').del();
    await rest.db.knex('eec_workflow_inbox').del();
    woken.length = 0;
  });
  after(async () => {
    stop.abort();
    await ended;
    await rest.stop();
  });

  const ask = (body: object, key = rest.key.t1) => rest.call({ method: 'POST', path: BATCH, body, key });
  const operation = async (id: string, key = rest.key.t1) => rest.call({ path: `/api/operations/${id}`, key });
  const done = async (body: object) => {
    const { status, body: answer } = await ask(body);
    expect([status, answer.status], JSON.stringify(answer)).to.eql([200, 'pending']);
    return until(async () => {
      const { body: shown } = await operation(answer.operation_id);
      return shown.ended_at === null ? null : shown;
    }, 'the operation to end');
  };
  const controls = () => rest.db.knex('eec_workflow_inbox').where({ kind: 'control' }).orderBy('run_id');

  it('is offered once to each run that matches and that it does something to', async () => {
    const definitionId = await rest.rows.definition({ tenantId: 't1', slug: 'refund-desk' });
    const run = (seed: object) => rest.rows.run({ tenantId: 't1', definitionId, ...seed });
    const open = [await run({ status: 'running' }), await run({ status: 'waiting' }), await run({ status: 'pending' })];
    const paused = await run({ status: 'paused' });
    const failed = await run({ status: 'failed' });
    await rest.rows.run({ tenantId: 't1', status: 'running' });
    await rest.rows.run({ tenantId: 't2', status: 'running', definitionId });
    const shown = await done({ filter: { workflow_type: 'refund_desk' }, control: 'pause', reason: 'ledger' });
    expect(shown).to.deep.include({
      kind: 'run_control',
      params: { filter: { workflow_type: 'refund_desk' }, control: 'pause', reason: 'ledger' },
      actor: 'key:t1',
      status: 'done',
      total: 3,
      done: 3,
      failed: 0,
      failures: [],
    });
    const rows = await controls();
    expect(rows.map(({ run_id }) => run_id)).to.eql([...open].sort());
    expect(rows[0]).to.deep.include({
      tenant_id: 't1',
      actor: 'key:t1',
      reason: 'ledger',
      body: { control: 'pause' },
      request_id: `operation:${shown.operation_id}:${rows[0].run_id}`,
    });
    expect([...woken].sort()).to.eql([...open].sort());
    await done({ filter: { workflow_type: 'refund-desk', status: ['paused', 'running'] }, control: 'resume' });
    await done({ filter: { workflow_type: 'refund-desk' }, control: 'redrive' });
    await done({ filter: { workflow_type: 'refund-desk', status: 'completed' }, control: 'cancel' });
    const more = (await controls()).filter(({ body }) => body.control !== 'pause');
    expect(more.map(({ run_id, body }) => [body.control, run_id])).to.have.deep.members([
      ['resume', paused],
      ['redrive', failed],
    ]);
  });

  it('tells by a dry run what it would do, and does nothing', async () => {
    for (let i = 0; i < 12; i++) await rest.rows.run({ tenantId: 't1', status: 'running', attributes: { lot: 'x' } });
    await rest.rows.run({ tenantId: 't2', status: 'running', attributes: { lot: 'x' } });
    const dry = { filter: { 'attribute.lot': 'x' }, control: 'cancel', dry_run: true };
    const { status, body } = await ask(dry);
    expect([status, body.matches, body.sample.length]).to.eql([200, 12, 10]);
    expect(body.sample[0]).to.include({ status: 'running' });
    expect((await ask({ ...dry, control: 'resume' })).body).to.deep.include({ matches: 0, sample: [] });
    expect(await controls()).to.eql([]);
    expect((await rest.call({ path: '/api/operations?status=pending' })).body.items).to.eql([]);
  });

  it('refuses what it does not understand, and says what it would', async () => {
    const good = { filter: { status: ['running'] }, control: 'pause' };
    const cases: [object, string, string][] = [
      [{ ...good, filter: {} }, 'filter', 'invalid_value'],
      [{ control: 'pause' }, 'filter', 'required'],
      [{ ...good, control: 'stop' }, 'control', 'not_allowed'],
      [{ ...good, filter: { stats: 'x' } }, 'filter.stats', 'unknown_field'],
      [{ ...good, filter: { status: ['odd'] } }, 'filter.status[0]', 'not_allowed'],
      [{ ...good, filter: { started_after: 'yesterday' } }, 'filter.started_after', 'wrong_form'],
      [{ ...good, dry_run: 'yes' }, 'dry_run', 'wrong_type'],
      [{ ...good, page_size: 3 }, 'page_size', 'unknown_field'],
    ];
    for (const [body, path, code] of cases) {
      const { status, body: answer } = await ask(body);
      expect([status, answer.error?.details[0].path, answer.error?.details[0].code], path).to.eql([400, path, code]);
    }
    const { body } = await ask({ ...good, control: 'stop' });
    expect(body.error.details[0].allowed).to.eql([...RUN_CONTROLS]);
  });

  it('leaves alone the runs that come after it', async () => {
    const at = (second: number) => derivedUuid(`2026-01-01T00:00:0${second}.000Z`, 'seed');
    const [before, id, after] = [at(1), at(2), at(3)];
    for (const each of [before, after]) {
      await rest.rows.run({ tenantId: 't1', status: 'running', subjectId: 's', id: each });
    }
    const page = await rest.db.knex.transaction((transaction) =>
      kind.step(
        transaction,
        { id, tenantId: 't1', actor: 'x', params: { filter: { subject_id: 's' }, control: 'pause', reason: null } },
        null,
      ),
    );
    expect([page.cursor, page.done]).to.eql([null, 1]);
    expect((await controls()).map(({ run_id }) => run_id)).to.eql([before]);
  });

  it('is another tenant’s own business', async () => {
    const { operation_id } = await done({ filter: { subject_id: 'nobody' }, control: 'pause' });
    expect((await operation(operation_id, rest.key.t2)).status).to.equal(404);
    const cancel = { method: 'POST', path: `/api/operations/${operation_id}:cancel` };
    expect((await rest.call({ ...cancel, key: rest.key.t2 })).status).to.equal(404);
    expect((await rest.call({ path: '/api/operations', key: rest.key.t2 })).body.items).to.eql([]);
    const late = await rest.call(cancel);
    expect([late.status, late.body.error.code]).to.eql([409, 'failed_precondition']);
    const { items } = (await rest.call({ path: '/api/operations?kind=run_control&page_size=1' })).body;
    expect(items[0].operation_id).to.equal(operation_id);
    expect((await operation('nobody')).status).to.equal(400);
    expect((await operation(randomIds.uuidv7())).status).to.equal(404);
  });

  it('cancels an operation that nobody has begun, once and for all', async () => {
    const id = randomIds.uuidv7();
    await rest.db.knex('eec_operation').insert({
      ...{ id, tenant_id: 't1', kind: 'unknown_here', params: '{}', actor: 'key:t1', status: 'pending' },
    });
    for (let i = 0; i < 2; i++) {
      const { status, body } = await rest.call({ method: 'POST', path: `/api/operations/${id}:cancel` });
      expect([status, body.status, body.done]).to.eql([200, 'cancelled', 0]);
    }
  });

  it('touches each run once, though one host after another dies in the middle of a page', async function () {
    this.timeout(60_000);
    const runs = Array.from({ length: MANY }, () => randomIds.uuidv7());
    await rest.db.knex.raw(
      `insert into eec_workflow_run (id, tenant_id, chain_id, definition_id, kind, partition, status, db_record_version,
         node_states, run_context, attributes, fields, lineage, root_run_id, priority, created_at)
       select id, 't1', id, id, 'workflow', 0, 'running', 1, '{}', '{}', '{}', '{}', '{}', id, 'normal', now()
         from unnest(cast(? as uuid[])) r (id)`,
      [runs],
    );
    const hosts = [1, 2].map((pageOfDeath) => mortalHost(pageOfDeath));
    // The one of this test does not know the kind until the others are dead.
    const id = randomIds.uuidv7();
    const params = { filter: { active_only: true }, control: 'terminate', reason: null };
    await insertOperation(rest.db.knex, { id, tenantId: 't1', kind: 'mortal', params, actor: 'key:t1' });
    for (const host of hosts) {
      await host();
      await rest.db.knex('eec_operation').where({ id }).update({ next_at: rest.db.knex.fn.now() });
    }
    expect((await operation(id)).body).to.include({ status: 'running', done: 100, total: MANY });
    await rest.db.knex('eec_operation').where({ id }).update({ kind: kind.name });
    runner.wake();
    await until(async () => (await operation(id)).body.status === 'done', 'the operation to be done');
    expect((await operation(id)).body).to.include({ done: MANY, failed: 0 });
    const touched = (await controls()).map(({ run_id }) => String(run_id));
    expect(touched).to.eql([...runs].sort());
    expect(new Set(touched).size).to.equal(MANY);
  });

  /** Works until the session of its page is lost, which has offered its controls and not been committed. */
  const mortalHost = (pageOfDeath: number) => async () => {
    const life = new AbortController();
    let pages = 0;
    const errors: unknown[] = [];
    const host = new OperationRunner({
      knex: rest.db.knex,
      kinds: [
        {
          ...kind,
          name: 'mortal',
          async step(transaction, ...page) {
            const done = await kind.step(transaction, ...page);
            pages += 1;
            if (pages < pageOfDeath) return done;
            const { rows } = await transaction.raw<{ rows: { pid: number }[] }>('select pg_backend_pid() as pid');
            await rest.db.knex.raw('select pg_terminate_backend(?)', [rows[0]?.pid ?? 0]);
            life.abort();
            return done;
          },
        },
      ],
      failed: (_, error) => errors.push(error),
    });
    await host.run(life.signal);
    expect(errors).to.have.length(1);
  };
});
