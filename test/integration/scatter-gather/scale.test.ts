import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type pg from 'pg';
import { listBranches } from '#host/postgres/reads/branches.js';
import { loadStates } from '#host/postgres/runs/load.js';
import { Gate, type TestAction, type TestEngine } from '../../support/engine.ts';
import { faultyPool } from '../../support/faulty-pool.ts';
import { until } from '../../support/until.ts';
import { act, eachItem, outcomeOf, startWorld } from './world.ts';

const MOST = 100_000;
const isFull = process.env.FULL === '1';
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

describe('Many branches', () => {
  let test: TestEngine;
  let gate = new Gate();
  /** What each statement has read since it was last emptied, by the statement's name. */
  const read = new Map<string, pg.QueryResultRow[]>();
  const rowsOf = (name: string) => read.get(name) ?? [];
  const through = (hot: pg.Pool) =>
    faultyPool(hot, async ({ name, run }) => {
      const result = await run();
      read.set(name, [...rowsOf(name), ...result.rows]);
      return result;
    });
  /** From `from` on they wait. */
  let from = Number.POSITIVE_INFINITY;
  const actions: { readonly [name: string]: TestAction } = {
    'test.do': async (args, control) => {
      if ((args as number) >= from) await gate.pass(control);
      return args;
    },
    'test.large': () => 'x'.repeat(100_000),
    'test.list': () => numbers(300).map((i) => ({ i, text: 'x'.repeat(500) })),
  };
  before(async () => {
    test = await startWorld({ actions, through });
  });
  after(() => test.stop());
  beforeEach(() => {
    gate = new Gate();
    from = Number.POSITIVE_INFINITY;
    read.clear();
  });

  /** Of the statement that lists branches over REST, as PostgreSQL plans it for those who ask through it. */
  async function planOfList(
    runId: string,
    query: Pick<Parameters<typeof listBranches>[1], 'status' | 'order'>,
  ): Promise<string> {
    const { knex } = test.db;
    const place = { tenantId: 'default', runId, node: 'each', generation: 1, inFlight: ['1'], mayStart: true };
    const sent: { readonly sql: string; readonly bindings: readonly string[] }[] = [];
    const listen = (statement: (typeof sent)[number]) => sent.push(statement);
    knex.on('query', listen);
    await listBranches(knex, { ...place, ...query, after: 50_000, limit: 51 });
    knex.removeListener('query', listen);
    const client = await test.db.session();
    const { rows } = await client.query({ text: `explain ${sent[0]?.sql}`, values: [...(sent[0]?.bindings ?? [])] });
    await client.end();
    return rows.map((row: { 'QUERY PLAN': string }) => row['QUERY PLAN']).join('\n');
  }

  it('leave the row of their run as large as few do', async () => {
    const bytes: number[] = [];
    const definition = test.define(eachItem(act(), { scatter: { max_in_flight: 5 } }));
    for (const count of [40, 400]) {
      from = count - 5;
      const run = await test.start(definition, { items: numbers(count) });
      await until(() => (gate.arrived === 5 ? true : null), 'the last five to be all that is open');
      const [row] = await test.query<{ bytes: number }>(
        `select octet_length(concat(r.node_states, r.run_context, r.attributes, r.fields, r.output, r.replies)) bytes
         from eec_workflow_run r where id = $1`,
        run,
      );
      bytes.push(row?.bytes ?? 0);
      expect(test.engine.coordinator.stateOf(run)?.branches.size).to.equal(5);
      gate.release();
      gate = new Gate();
      await outcomeOf(test, run);
    }
    expect(bytes[1]).to.equal(bytes[0]);
    expect(bytes[0]).to.be.within(10, 200);
  });

  it('lie in the slice of the month that their attempts lie in', async () => {
    const run = await test.start(test.define(eachItem(act())), { items: [1, 2] });
    await outcomeOf(test, run);
    const slices = await test.query(
      `select distinct substring(tableoid::regclass::text from '\\d{6}$') as month from (
         select tableoid from eec_workflow_branch where run_id = $1
         union all select tableoid from eec_workflow_step_attempt where run_id = $1) rows`,
      run,
    );
    expect(slices).to.have.length(1);
    expect(slices[0])
      .to.have.property('month')
      .that.matches(/^\d{6}$/);
  });

  it('start and end in ticks of at most as many as may be in flight', async () => {
    const run = await test.start(test.define(eachItem(act(), { scatter: { max_in_flight: 20 } })), {
      items: numbers(300),
    });
    await outcomeOf(test, run);
    const [most] = await test.query<{ started: number; ended: number }>(
      `select max(started)::int started, max(ended)::int ended from (
         select count(*) filter (where c -> 'branch' ->> 'variables' is not null) started,
           count(*) filter (where json_typeof(c -> 'branch') = 'null') ended
         from eec_workflow_transition t, json_array_elements(t.changes) c
         where t.run_id = $1 and c ->> 'type' = 'branch' group by t.version) counted`,
      run,
    );
    expect(most?.started).to.be.within(1, 20);
    expect(most?.ended).to.be.within(1, 20);
  });

  it('of 100,000 items are accepted, and those of one more are refused with the number', async function () {
    this.timeout(isFull ? 1_200_000 : 120_000);
    const definition = test.define(eachItem(act(), { gather: { reduce: 'results.size()' } }));
    const over = await test.start(definition, { items: numbers(MOST + 1) });
    const { status, error } = await outcomeOf(test, over);
    expect(status).to.equal('failed');
    expect(JSON.stringify(error))
      .to.include(String(MOST + 1))
      .and.to.include(String(MOST));

    if (!isFull) from = 0;
    const run = await test.start(definition, { items: numbers(MOST) });
    const [admitted] = await test.query<{ n: number }>(
      'select count(*)::int n from eec_workflow_branch where run_id = $1',
      run,
    );
    expect(admitted?.n).to.equal(MOST);
    await test.query('analyze eec_workflow_branch');
    for (const status of [null, 'pending', 'failed'] as const) {
      for (const order of ['asc', 'desc'] as const)
        expect(await planOfList(run, { status, order })).not.to.match(/Seq Scan/);
    }
    if (!isFull) {
      await until(() => (gate.arrived === 100 ? true : null), 'the first of them to run');
      await test.query(
        `insert into eec_workflow_inbox (id, tenant_id, chain_id, run_id, kind, request_id, actor, body)
         values ($1, 'default', $2, $2, 'control', 'r', 'key:ops', '{"control": "cancel"}')`,
        randomUUID(),
        run,
      );
      test.engine.coordinator.wake([run]);
    }
    const end = await outcomeOf(test, run, 1_000_000);
    expect(end).to.deep.include(isFull ? { status: 'completed', output: MOST } : { status: 'cancelled' });
  });

  it('are made of a list that is too large for its row', async () => {
    const workflow = eachItem({ ref: 'do', type: 'TRANSFORM', value: '${item.i}' });
    const run = await test.start(
      test.define({
        ...workflow,
        steps: [
          { ref: 'list', type: 'ACTION', action: 'test.list' },
          ...workflow.steps.map((step) => (step.ref === 'each' ? { ...step, items: 'steps.list.output' } : step)),
        ],
        edges: [{ from: 'list', to: 'each' }, ...(workflow.edges ?? [])],
      }),
    );
    expect(await outcomeOf(test, run)).to.deep.include({ status: 'completed', output: numbers(300) });
  });

  it('are gathered without their outputs where only their status is looked at', async () => {
    const reduce = 'results.filter(r, r.status == "completed").size()';
    const large = eachItem(act({ action: 'test.large' }), {
      scatter: { on_branch_failure: 'collect' },
      gather: { reduce },
    });
    const run = await test.start(test.define(large), { items: numbers(20) });
    expect(await outcomeOf(test, run)).to.deep.include({ status: 'completed', output: 20 });
    const rows = rowsOf('facts_eec_workflow_branch').map(({ row }) => row);
    expect(rows).to.deep.equal(numbers(20).map((index) => ({ index, status: 'completed', output: null, error: null })));
  });

  it('leave what is gathered of them beside the row of their run', async () => {
    const large = eachItem(act({ action: 'test.large' }));
    const run = await test.start(test.define(large), { items: numbers(20) });
    const { output } = await outcomeOf(test, run);
    expect((output as string[]).map(({ length }) => length)).to.deep.equal(numbers(20).map(() => 100_000));
    const [bytes] = await test.query<{ row: number; transition: number }>(
      `select octet_length(r.output::text) as row, (select max(octet_length(changes::text)) from eec_workflow_transition where run_id = r.id) as transition
       from eec_workflow_run r where id = $1`,
      run,
    );
    expect(bytes?.row).to.be.below(200);
    expect(bytes?.transition).to.be.below(50_000);
  });

  it('fail what gathers them where they are too large for that, with the number, and are not read', async () => {
    const large = eachItem(
      { ref: 'do', type: 'ACTION', action: 'test.large', args: null },
      { gather: { reduce: 'results.map(r, r.size())' } },
    );
    const twoStages = {
      ...large,
      steps: [...large.steps, act({ ref: 'hold', args: '${index}' })],
      edges: [
        { from: 'each', to: 'do' },
        { from: 'each', to: 'hold' },
        { from: 'do', to: 'all' },
        { from: 'hold', to: 'all' },
      ],
    };
    from = 1;
    const run = await test.start(test.define(twoStages), { items: numbers(2) });
    // As if the first of them were of this size: nobody writes so much for a test.
    await until(async () => {
      const rows = await test.query(
        `update eec_payload p set bytes = 70000000 from eec_workflow_branch b
         where b.run_id = $1 and b.index = 0 and p.run_id = b.run_id and p.id = b.payload_id returning p.id`,
        run,
      );
      return rows.length > 0 ? true : null;
    }, 'the first to be over');
    gate.release();
    const { status, error } = await outcomeOf(test, run);
    expect(status).to.equal('failed');
    expect(error).to.have.property('code', 'payload_too_large');
    const { limit, actual } = (error as unknown as { details: { limit: number; actual: number } }).details;
    expect(limit).to.equal(64 * 1024 * 1024);
    expect(actual).to.be.within(70_100_000, 70_200_000);
    expect(rowsOf('facts_eec_workflow_branch').map(({ row }) => row)).to.deep.equal([{ bytes: actual }]);
  });

  it('that are over are not read again by a host that goes on in the middle', async function () {
    this.timeout(60_000);
    const { database, definitions } = test;
    const dataId = randomUUID();
    const first = await startWorld({ actions, database, definitions, dataId });
    from = 1_500;
    const definition = first.define(eachItem(act(), { scatter: { max_in_flight: 20 } }));
    const run = await first.start(definition, { items: numbers(1_550) });
    await until(() => (gate.arrived === 20 ? true : null), 'all but the last to be over');
    const kept = () =>
      first.query<{ version: number }>('select version from eec_workflow_kept_state where run_id = $1', run);
    await until(async () => ((await kept()).length > 0 ? true : null), 'the state to be kept');
    await first.crash();
    read.clear();
    const second = await startWorld({ actions, database, definitions, dataId, through });
    await until(() => (gate.arrived === 40 ? true : null), 'those in flight to run again');
    const [history, attempts] = [rowsOf('load_history'), rowsOf('load_attempts')];
    const [{ version = 0 } = {}] = history.filter(({ at }) => at === null);
    expect(version).to.be.greaterThan(10);
    expect(Math.min(...history.flatMap((row) => (row.at === null ? [] : [row.version as number])))).to.equal(
      version + 1,
    );
    // Those in flight, by however many loads.
    expect(new Set(attempts.map(({ id }) => id)).size).to.be.within(20, 40);
    expect(JSON.stringify([history, attempts]).length).to.be.below(2_000_000);

    gate.release();
    expect(await outcomeOf(second, run)).to.deep.include({ status: 'completed', output: numbers(1_550) });
    const whole = await second.state(run);
    await second.query('delete from eec_workflow_kept_state where run_id = $1', run);
    const [replayed] = await loadStates(second.db.hot, [run]);
    expect({ ...whole, unkept: 0 }).to.deep.equal({ ...replayed, unkept: 0 });
    await second.stop({ keep: true });
  });
});
