import { expect } from 'chai';
import { ActionError, Gate, startTestEngine, type TestEngine } from '../../support/engine.ts';
import { until } from '../../support/until.ts';

const HOUR_MS = 3_600_000;

describe('What is due', () => {
  let test: TestEngine;
  let gate = new Gate();
  before(async () => {
    test = await startTestEngine({
      actions: {
        'test.once': (_, { dispatch }) => {
          if (dispatch.attempt.number === 1) throw new ActionError('busy');
          return dispatch.attempt.number;
        },
        'test.gate': (_, control) => gate.pass(control).then(() => null),
      },
    });
  });
  beforeEach(() => {
    gate = new Gate();
  });
  after(() => test.stop());

  const dueAt = async (runId: string): Promise<string> => {
    const [row] = await until(async () => {
      const rows = await test.query<{ due_at: string }>(
        'select due_at from eec_workflow_wait where run_id = $1',
        runId,
      );
      return rows.length > 0 ? rows : null;
    }, 'the wait');
    return row!.due_at;
  };
  const retried = (initial_interval_ms: number) =>
    test.define({
      steps: [
        {
          ...{ ref: 'a', type: 'ACTION', action: 'test.once' },
          retry: { initial_interval_ms, max_interval_ms: 100 * 24 * HOUR_MS, jitter: 0 },
        },
      ],
    });
  /** When the second attempt was scheduled, by the database's clock. */
  const secondAt = async (runId: string): Promise<string> => {
    const [row] = await test.query<{ scheduled_at: string }>(
      'select scheduled_at from eec_workflow_step_attempt where run_id = $1 and attempt = 2',
      runId,
    );
    return row!.scheduled_at;
  };

  it('soon is done when it is due, and never early', async () => {
    const runs = await Promise.all(Array.from({ length: 20 }, (_, i) => test.start(retried(20 + 10 * i))));
    for (const runId of runs) {
      const run = await test.ended(runId);
      expect(run.ending).to.deep.equal({ status: 'completed', output: 2 });
      const [row] = await test.query<{ retry_at: string }>(
        `select c->'node'->>'retryAt' retry_at from eec_workflow_transition t, json_array_elements(t.changes) c
         where t.run_id = $1 and c->'node'->>'status' = 'backoff'`,
        runId,
      );
      const lateMs = Date.parse(await secondAt(runId)) - Date.parse(row!.retry_at);
      expect(lateMs).to.be.within(0, 5_000);
    }
  });

  it('in 40 days waits until then, and is done then, once', async () => {
    const days = 40 * 24 * HOUR_MS;
    const runId = await test.start(retried(days));
    const due = await dueAt(runId);
    test.clock.advance(days - 60_000);
    test.engine.coordinator.wake([runId]);
    const looked = await test.start(retried(1));
    await test.ended(looked);
    expect((await test.state(runId)).open.get('a')?.status).to.equal('backoff');
    test.clock.advance(60_000);
    expect((await test.ended(runId)).ending).to.deep.equal({ status: 'completed', output: 2 });
    expect((await secondAt(runId)) >= due).to.equal(true);
    const rows = await test.query('select from eec_workflow_wait where run_id = $1', runId);
    expect(rows).to.deep.equal([]);
  });

  it('starts a run at its start_at', async () => {
    const startAt = new Date(Date.parse(test.clock.now()) + HOUR_MS).toISOString();
    const id = test.define({ steps: [{ ref: 'a', type: 'TRANSFORM', value: 1 }] });
    const runId = await test.start(id, {}, { startAt });
    expect((await test.state(runId)).status).to.equal('pending');
    test.engine.coordinator.wake([runId]);
    test.clock.advance(HOUR_MS - 60_000);
    await test.ended(await test.start(id));
    expect((await test.state(runId)).status).to.equal('pending');
    test.clock.advance(60_000);
    const run = await test.ended(runId);
    expect(run.status).to.equal('completed');
    expect(run.startedAt! >= startAt).to.equal(true);
  });

  it('ends a run at its run_timeout, whose attempts are told to stop', async () => {
    const step = { ref: 'a', type: 'ACTION', action: 'test.gate', on_unknown: 'retry' };
    const id = test.define({ steps: [step], settings: { run_timeout: 'PT1S', cancel_grace: 'PT0.1S' } });
    const runId = await test.start(id);
    const run = await test.ended(runId);
    expect(run.ending).to.have.nested.property('error.code', 'run_timeout');
    expect(run.ended.get('a')?.status).to.equal('cancelled');
    const rows = await test.query<{ status: string }>(
      'select status from eec_workflow_step_attempt where run_id = $1',
      runId,
    );
    expect(rows).to.deep.equal([{ status: 'stopped' }]);
  });
});
