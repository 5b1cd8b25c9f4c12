import { randomUUID } from 'node:crypto';
import type { ActionPool, AttemptOutcome } from '@ductor/core';
import { expect } from 'chai';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { Gate, startTestEngine, type TestAction, type TestEngine, testPool } from '../../support/engine.ts';
import { brokenOff, faultyPool } from '../../support/faulty-pool.ts';
import { until } from '../../support/until.ts';
import { chainOf, type TestWorkflow } from '../../support/workflow.ts';

const action = (ref: string, name: string, more: object = {}): TestWorkflow['steps'][number] => ({
  ref,
  type: 'ACTION',
  action: `test.${name}`,
  args: ref,
  ...more,
});

/** A pool whose threads are all busy: what it takes waits, until it is told to stop. */
const fullPool: ActionPool = {
  ...testPool({}),
  run: (_, { abort }) =>
    new Promise<AttemptOutcome>((resolve) => {
      abort.addEventListener('abort', () => resolve({ status: 'stopped' }), { once: true });
    }),
};

describe('A host that is stopped', () => {
  let database: TestDatabase;
  const definitions = new Map();
  const dataId = randomUUID();
  let calls: string[] = [];
  let gate = new Gate();
  const actions: { readonly [name: string]: TestAction } = {
    'test.echo': (args, { dispatch }) => {
      calls.push(dispatch.task.idempotencyKey);
      return args;
    },
    'test.gate': async (args, control) => {
      await gate.pass(control);
      return args;
    },
    /** Does not listen. */
    'test.deaf': () => new Promise(() => {}),
  };
  const host = (more: Partial<Parameters<typeof startTestEngine>[0]> = {}): Promise<TestEngine> =>
    startTestEngine({ actions, database, definitions, dataId, ...more });
  before(async () => {
    database = await createTestDatabase();
  });
  beforeEach(() => {
    calls = [];
    gate = new Gate();
  });
  after(() => database.drop());

  it('spends no attempt on what had not started, and the next one does it', async () => {
    const one = await host({ pool: fullPool });
    const id = one.define(
      chainOf([action('a', 'echo', { on_unknown: 'park', retry: { max_attempts: 1 } }), action('b', 'echo')]),
    );
    const runs = await Promise.all(Array.from({ length: 10 }, () => one.start(id)));
    await one.stop({ keep: true });
    const two = await host();
    for (const runId of runs)
      expect((await two.ended(runId)).ending).to.deep.equal({ status: 'completed', output: 'b' });
    const rows = await two.query<{ status: string; tier: string; n: number }>(
      'select status, count(*)::int n from eec_workflow_step_attempt where run_id = any($1) group by status order by status',
      runs,
    );
    expect(rows).to.deep.equal([
      { status: 'completed', n: 20 },
      { status: 'lost', n: 10 },
    ]);
    expect(calls).to.have.length(20);
    await two.stop({ keep: true });
  });

  it('waits for what runs, whose outcome is kept for the next one', async () => {
    const one = await host();
    const runId = await one.start(
      one.define(chainOf([action('a', 'gate', { on_unknown: 'park' }), action('b', 'echo')])),
    );
    await until(() => gate.arrived === 1, 'the step');
    const stopping = one.stop({ keep: true });
    gate.release();
    await stopping;
    const two = await host();
    expect((await two.ended(runId)).ending).to.deep.equal({ status: 'completed', output: 'b' });
    const rows = await two.query('select from eec_workflow_step_attempt where run_id = $1', runId);
    expect(rows).to.have.length(2);
    await two.stop({ keep: true });
  });

  it('keeps what it was told and could not commit', async () => {
    let isBroken = false;
    const one = await host({
      through: (hot) =>
        faultyPool(hot, ({ name, run }) =>
          isBroken && name.startsWith('commit_') ? Promise.reject(brokenOff()) : run(),
        ),
    });
    const runId = await one.start(
      one.define(chainOf([action('a', 'gate', { on_unknown: 'park' }), action('b', 'echo')])),
    );
    await until(() => gate.arrived === 1, 'the step');
    isBroken = true;
    gate.release();
    await until(() => one.engine.worker.size === 0, 'the outcome to be handed over');
    await one.stop({ keep: true });
    const two = await host();
    expect((await two.ended(runId)).ending).to.deep.equal({ status: 'completed', output: 'b' });
    await two.stop({ keep: true });
  });

  it('without a word loses what ran there, which its successor does again where that is safe', async () => {
    const one = await host({ drainMs: 0 });
    const safe = await one.start(
      one.define(chainOf([action('a', 'deaf', { on_unknown: 'retry' }), action('b', 'echo')])),
    );
    const unsafe = await one.start(one.define({ steps: [action('a', 'deaf')] }));
    await until(() => one.engine.worker.size === 2, 'both steps');
    await one.crash();
    const two = await host({ actions: { ...actions, 'test.deaf': (args) => args } });
    expect((await two.ended(safe)).ending).to.deep.equal({ status: 'completed', output: 'b' });
    const parked = await until(async () => {
      const state = await two.state(unsafe);
      return state.status === 'waiting' ? state : null;
    }, 'an operator to be asked');
    expect(parked.open.get('a')).to.have.nested.property('wait.kind', 'operator');
    const rows = await two.query<{ status: string; outcome_unknown: boolean }>(
      'select status, outcome_unknown from eec_workflow_step_attempt where run_id = $1',
      unsafe,
    );
    expect(rows).to.deep.equal([{ status: 'lost', outcome_unknown: true }]);
    await two.stop({ keep: true });
  });

  it('and was forgotten by others is there again with its next word', async () => {
    const one = await host();
    await one.query('delete from eec_host');
    const runId = await one.start(one.define({ steps: [action('a', 'gate')] }));
    await until(() => gate.arrived === 1, 'the step');
    await until(async () => {
      const rows = await one.query(
        'select from eec_host where id = $1 and lease_until > clock_timestamp()',
        one.hostId,
      );
      return rows.length === 1;
    }, 'the lease');
    gate.release();
    expect((await one.ended(runId)).ending).to.deep.equal({ status: 'completed', output: 'a' });
    await one.stop({ keep: true });
  });
});
