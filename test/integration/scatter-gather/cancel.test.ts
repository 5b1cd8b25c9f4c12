import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createTestDatabase } from '../../support/database.ts';
import { Gate, type TestAction } from '../../support/engine.ts';
import { openSessions } from '../../support/session.ts';
import { until } from '../../support/until.ts';
import { act, eachItem, startWorld } from './world.ts';

/** A cancel as its door keeps it: the same request twice is one. */
const cancel = (query: (text: string, values: unknown[]) => Promise<unknown>, runId: string, requestId: string) =>
  query(
    `insert into eec_workflow_inbox (id, tenant_id, chain_id, run_id, kind, request_id, actor, body)
     values ($1, 'default', $2, $2, 'control', $3, 'key:ops', '{"control": "cancel"}')
     on conflict (chain_id, request_id) where request_id is not null do nothing`,
    [randomUUID(), runId, requestId],
  );

describe('C05 cancel while waiting and scattering', () => {
  it('C05 ends the run: queued branches never start, running ones are closed, late results change nothing', async () => {
    const database = await createTestDatabase();
    const definitions = new Map();
    const dataId = randomUUID();
    const gate = new Gate();
    const called: unknown[] = [];
    const actions: { readonly [name: string]: TestAction } = {
      'test.do': async (args, control) => {
        called.push(args);
        if (args !== 0) await gate.pass(control);
        return args;
      },
    };
    const first = await startWorld({ actions, database, definitions, dataId });
    const each = eachItem(act(), { scatter: { max_in_flight: 2 } });
    const definition = first.define({
      ...each,
      steps: [...each.steps, { ref: 'hour', type: 'WAIT', duration: 'PT1H' }],
    });
    const runId = await first.start(definition, { items: [0, 1, 2, 3, 4] });
    await until(() => (gate.arrived === 2 ? true : null), 'two branches to run beside the one that is over');
    await first.crash();

    const door = openSessions(database.url);
    const query = (text: string, values: unknown[]) => door.query(text, values);
    await cancel(query, runId, 'r1');
    const second = await startWorld({ actions, database, definitions, dataId });
    await cancel(query, runId, 'r1');
    const state = await second.ended(runId);
    expect(state.status).to.equal('cancelled');
    expect(called.sort()).to.deep.equal([0, 1, 2]);
    const branches = await second.query(
      'select index, status from eec_workflow_branch where run_id = $1 order by index',
      runId,
    );
    expect(branches).to.deep.equal([
      { index: 0, status: 'completed' },
      { index: 1, status: 'cancelled' },
      { index: 2, status: 'cancelled' },
      { index: 3, status: null },
      { index: 4, status: null },
    ]);
    expect(await second.query('select node from eec_workflow_wait where run_id = $1', runId)).to.deep.equal([]);
    const open = 'select id from eec_workflow_step_attempt where run_id = $1 and (ended_at is null or not folded)';
    expect(await second.query(open, runId)).to.deep.equal([]);
    const controls = await second.query(
      `select outcome from eec_workflow_inbox where run_id = $1 and kind = 'control'`,
      runId,
    );
    expect(controls).to.deep.equal([{ outcome: { outcome: 'applied' } }]);

    // What was told to stop, or lost, says after all that it has completed.
    gate.release();
    const attempts = await second.query<{ id: string; token: string; attempt: number; branch: number[] }>(
      'select id, token, attempt, branch from eec_workflow_step_attempt where run_id = $1 and branch[1] > 0',
      runId,
    );
    expect(attempts).to.have.length(2);
    for (const { id, token, attempt: number, branch } of attempts) {
      const now = second.clock.now();
      second.engine.coordinator.deliver(runId, {
        kind: 'outcome',
        at: { ref: 'do', branch },
        attempt: { id, token, number },
        outcome: { status: 'completed', output: 'late' },
        report: { startedAt: now, endedAt: now, tier: 'thread' },
        recorded: false,
      });
    }
    await cancel(query, runId, 'r2');
    await until(async () => {
      const [row] = await second.query<{ outcome: unknown }>(
        `select outcome from eec_workflow_inbox where run_id = $1 and request_id = 'r2' and applied_at is not null`,
        runId,
      );
      return row ?? null;
    }, 'the second cancel to be looked at');
    const after = await second.state(runId);
    const counted = { version: 0, tickedAt: null, unkept: 0 };
    expect({ ...after, ...counted }).to.deep.equal({ ...state, ...counted });
    const still = 'select index, status from eec_workflow_branch where run_id = $1 order by index';
    expect(await second.query(still, runId)).to.deep.equal(branches);
    await door.end();
    await second.stop({ keep: true });
    await database.drop();
  });
});
