import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { ActionError, Gate } from '../../support/engine.ts';
import { until } from '../../support/until.ts';
import type { TestWorkflow } from '../../support/workflow.ts';
import { Effects, failing, type SagaEngine, saga, sagaDatabase, startSagaEngine, undoable } from './world.ts';

/** Each row is booked in a branch; then something goes wrong. */
const bookings = (more: Partial<TestWorkflow> = {}, { compensation = {}, scatter = {} } = {}): TestWorkflow => {
  const args = { item: '${item.name}', at: '${scatters.rows.index}', first: '${steps.first.output}', n: '${output.n}' };
  return saga({
    steps: [
      { ref: 'rows', type: 'SCATTER', items: 'input.rows', max_in_flight: 2, ...scatter },
      { ref: 'first', type: 'TRANSFORM', value: '${"of " + item.name}' },
      undoable('book', { args: '${item}' }, { args, ...compensation }),
      { ref: 'all', type: 'GATHER', scatter: 'rows', reduce: 'results.size()' },
      failing('last'),
    ],
    edges: [
      { from: 'rows', to: 'first' },
      { from: 'first', to: 'book' },
      { from: 'book', to: 'all' },
      { from: 'all', to: 'last' },
    ],
    ...more,
  });
};

const rowsOf = (...names: readonly string[]) => ({ rows: names.map((name) => ({ name })) });

describe('What branches have done', () => {
  let engine: SagaEngine;
  let gate = new Gate();
  let deaf: Promise<void> = Promise.resolve();
  let hear = () => {};
  let n = 0;
  before(async () => {
    engine = await startSagaEngine({
      actions: {
        'test.do': async (args, control) => {
          const { name } = args as { name: string };
          if (name === 'wait') await gate.pass(control);
          if (name === 'deaf') await deaf;
          if (name === 'no') throw new ActionError('refused', { retryable: false });
          n += 1;
          return { n };
        },
      },
    });
  });
  after(() => engine.stop());
  beforeEach(() => {
    gate = new Gate();
    deaf = new Promise((resolve) => {
      hear = resolve;
    });
    engine.effects.applied.length = 0;
  });

  it('C24 is undone once each, the last first, with what each saw and its own output', async () => {
    const runId = await engine.start(engine.define(bookings()), rowsOf('a', 'b', 'c', 'd', 'e'));
    expect((await engine.compensated(runId)).status).to.equal('completed');
    const undone = engine.effects.undone as { item: string; at: number; first: string; n: number }[];
    expect(undone.map(({ item }) => item).sort()).to.deep.equal(['a', 'b', 'c', 'd', 'e']);
    for (const { item, at, first } of undone)
      expect([at, first]).to.deep.equal([item.charCodeAt(0) - 97, `of ${item}`]);
    const order = await engine.query<{ n: number }>(
      `select (a.output ->> 'n')::int n from eec_workflow_duty d join eec_workflow_step_attempt a on a.run_id = d.run_id and a.id = d.attempt_id
       where d.run_id = $1 order by d.completed_at desc, d.version desc, d.ordinal desc`,
      runId,
    );
    expect(undone.map((each) => each.n)).to.deep.equal(order.map((each) => each.n));
  });

  it('is undone where a branch fails, also that of one that completed though it was told to stop', async () => {
    const runId = await engine.start(engine.define(bookings()), rowsOf('deaf', 'no', 'c'));
    await until(async () => ((await engine.state(runId)).fans.get('rows')?.failed === 1 ? true : null), 'the failure');
    hear();
    await engine.compensated(runId);
    expect(engine.effects.undone).to.deep.equal([{ item: 'deaf', at: 0, first: 'of deaf', n }]);
  });

  it('is undone with what the branch saw, where it is heard of only after the end', async () => {
    const settings = { cancel_grace: 'PT0.05S' };
    const runId = await engine.start(engine.define(bookings({ settings })), rowsOf('deaf'));
    await until(
      async () => ((await engine.state(runId)).open.get('0/book')?.status === 'running' ? true : null),
      'it runs',
    );
    await engine.control(runId, 'cancel');
    await engine.ended(runId);
    expect((await engine.duties(runId)).map(({ state }) => state)).to.deep.equal(['unknown']);
    const [attempt] = await engine.query<{ id: string; token: string; attempt: number }>(
      'select id, token, attempt from eec_workflow_step_attempt where run_id = $1',
      runId,
    );
    if (!attempt) throw new Error('no attempt');
    const at = new Date().toISOString();
    await engine.engine.store.record([
      {
        runId,
        attempt: { id: attempt.id, token: attempt.token, number: attempt.attempt },
        outcome: { status: 'completed', output: { n: 77 } },
        report: { startedAt: at, endedAt: at, tier: 'thread' },
      },
    ]);
    engine.engine.wakeups.push([runId]);
    await engine.compensated(runId);
    expect(engine.effects.undone).to.deep.equal([{ item: 'deaf', at: 0, first: 'of deaf', n: 77 }]);
    hear();
  });

  it('is left for repair where its undo fails, and that of the others is undone', async () => {
    const workflow = bookings(
      {},
      { compensation: { args: { n: '${output.n}', x: '${1 / (item.name == "b" ? 0 : 1)}' } } },
    );
    const runId = await engine.start(engine.define(workflow), rowsOf('a', 'b', 'c'));
    await engine.compensated(runId);
    expect((await engine.duties(runId)).map(({ state }) => state).sort()).to.deep.equal(['repair', 'undone', 'undone']);
    expect((await engine.state(runId)).status).to.equal('failed');
  });

  it('in generations of its own is undone of each, after a redrive', async () => {
    const workflow = bookings();
    const runId = await engine.start(
      engine.define({ ...workflow, steps: workflow.steps.map((step) => ({ ...step })) }),
      rowsOf('a', 'wait'),
    );
    await until(() => (gate.arrived === 1 ? true : null), 'one to wait');
    await engine.control(runId, 'terminate');
    await until(async () => ((await engine.state(runId)).ends === 1 ? true : null), 'its end');
    gate.release();
    await engine.control(runId, 'redrive');
    await until(async () => ((await engine.state(runId)).ends === 2 ? true : null), 'its next end');
    await engine.compensated(runId);
    const duties = await engine.duties(runId);
    const undone = duties.filter(({ state }) => state === 'undone').map(({ generation }) => generation);
    expect(undone.sort()).to.deep.equal([1, 2, 2]);
    expect(engine.effects.undone).to.have.length(3);
  });

  it('C24 is undone once each in that order also where the host is killed midway', async () => {
    const database = await sagaDatabase();
    const definitions = new Map();
    const dataId = randomUUID();
    const effects = new Effects();
    const held = new Gate();
    const actions = {
      'test.undo': async (
        args: unknown,
        control: Parameters<Gate['pass']>[0] & { dispatch: { task: { idempotencyKey: string } } },
      ) => {
        if (effects.undone.length === 2) await held.pass(control);
        effects.apply(control.dispatch.task.idempotencyKey, args as never);
        return null;
      },
    };
    const first = await startSagaEngine({ database, definitions, dataId, effects, actions });
    const runId = await first.start(first.define(bookings()), rowsOf('a', 'b', 'c', 'd'));
    await until(() => (held.arrived === 1 ? true : null), 'the third undo');
    await first.crash();
    held.release();
    const second = await startSagaEngine({ database, definitions, dataId, effects, actions });
    await second.compensated(runId);
    const order = await second.query<{ execution: string }>(
      `select 'undo/' || execution as execution from eec_workflow_duty where run_id = $1
       order by completed_at desc, version desc, ordinal desc`,
      runId,
    );
    expect(effects.applied.map(({ key }) => key)).to.deep.equal(order.map(({ execution }) => execution));
    await second.stop({ keep: true });
    await database.drop();
  });
});
