import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createTestDatabase } from '../../support/database.ts';
import { Gate, startTestEngine, type TestEngine } from '../../support/engine.ts';
import { until } from '../../support/until.ts';

/** As the door keeps it, also while nobody is there to apply it. */
const offer = (engine: TestEngine, runId: string, { requestId, control }: { requestId: string; control: string }) =>
  engine.query(
    `insert into eec_workflow_inbox (id, tenant_id, chain_id, run_id, kind, request_id, actor, body)
     values ($1, 'default', $2, $2, 'control', $3, 'key:ops', $4) on conflict do nothing`,
    randomUUID(),
    runId,
    requestId,
    JSON.stringify({ control }),
  );

describe('Cancelling', () => {
  it('C05 while its workers are down ends what ran, what waits and what was to come', async () => {
    const database = await createTestDatabase();
    const definitions = new Map();
    const dataId = randomUUID();
    const gate = new Gate();
    const actions = {
      'test.echo': (args: unknown) => args as never,
      'test.gate': async (_: unknown, control: Parameters<Gate['pass']>[0]) => {
        await gate.pass(control);
        return 'late';
      },
    };
    const act = (ref: string, action: string) => ({ ref, type: 'ACTION', action, on_unknown: 'retry' });
    const one = await startTestEngine({ actions, database, definitions, dataId });
    const runId = await one.start(
      one.define({
        steps: [
          act('done', 'test.echo'),
          act('held_1', 'test.gate'),
          act('held_2', 'test.gate'),
          act('next_1', 'test.echo'),
          act('next_2', 'test.echo'),
          { ref: 'hour', type: 'WAIT', duration: 'PT1H' },
        ],
        edges: [
          { from: 'held_1', to: 'next_1' },
          { from: 'held_2', to: 'next_2' },
        ],
      }),
    );
    await until(async () => (gate.arrived === 2 && (await one.state(runId)).ended.has('done')) || null, 'two at work');
    await one.crash();
    const two = await startTestEngine({ actions, database, definitions, dataId: randomUUID() });
    await two.engine.stop();
    await offer(two, runId, { requestId: 'r1', control: 'cancel' });
    await offer(two, runId, { requestId: 'r1', control: 'cancel' });
    const three = await startTestEngine({ actions, database, definitions, dataId });
    const state = await three.ended(runId);
    expect(state.ending).to.deep.equal({ status: 'cancelled' });
    expect(state.ended.get('done')?.status).to.equal('completed');
    for (const ref of ['held_1', 'held_2', 'hour']) expect(state.ended.get(ref)?.status, ref).to.equal('cancelled');
    for (const ref of ['next_1', 'next_2']) expect(state.ended.has(ref), ref).to.equal(false);
    expect(await three.query('select 1 from eec_workflow_wait where run_id = $1', runId)).to.deep.equal([]);
    const controls = await three.query<{ outcome: unknown }>(
      `select outcome from eec_workflow_inbox where run_id = $1 and kind = 'control'`,
      runId,
    );
    expect(controls).to.deep.equal([{ outcome: { outcome: 'applied' } }]);
    const open = await three.query(
      'select 1 from eec_workflow_step_attempt where run_id = $1 and ended_at is null',
      runId,
    );
    expect(open).to.deep.equal([]);
    // What finishes after all changes nothing, and cancelling again neither.
    gate.release();
    await offer(three, runId, { requestId: 'r2', control: 'cancel' });
    three.engine.wakeups.push([runId]);
    await until(
      async () =>
        (
          await three.query(
            `select 1 from eec_workflow_inbox where run_id = $1 and outcome ->> 'outcome' = 'no_effect'`,
            runId,
          )
        ).length === 1 || null,
      'the second cancel to be noted',
    );
    expect((await three.state(runId)).status).to.equal('cancelled');
    await two.db.close();
    await three.stop();
  });

  it('tells what runs to stop, and takes what it says within its grace', async () => {
    const gate = new Gate();
    const engine = await startTestEngine({
      actions: {
        'test.gate': async (_: unknown, control: Parameters<Gate['pass']>[0]) => {
          await gate.pass(control);
          return null;
        },
      },
    });
    const runId = await engine.start(
      engine.define({ steps: [{ ref: 'a', type: 'ACTION', action: 'test.gate' }], settings: { cancel_grace: 'PT1S' } }),
    );
    await until(async () => gate.arrived === 1 || null, 'it to be at work');
    await offer(engine, runId, { requestId: 'r1', control: 'cancel' });
    engine.engine.wakeups.push([runId]);
    expect((await engine.ended(runId)).status).to.equal('cancelled');
    const [attempt] = await engine.query<{ status: string }>(
      'select status from eec_workflow_step_attempt where run_id = $1',
      runId,
    );
    expect(attempt?.status).to.be.oneOf(['stopped', 'failed']);
    await engine.stop();
  });
});
