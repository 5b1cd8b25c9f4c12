import { expect } from 'chai';
import { Gate, startTestEngine, type TestEngine } from '../../support/engine.ts';
import { until } from '../../support/until.ts';
import { chainOf, type TestWorkflow } from '../../support/workflow.ts';

type AttemptRow = {
  readonly id: string;
  readonly attempt: number;
  readonly status: string;
  readonly output: unknown;
  readonly error: { code?: string } | null;
  readonly folded: boolean;
  readonly superseded: boolean;
  readonly finished_anyway: boolean;
  readonly heartbeat: unknown;
};

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const BIG = 'x'.repeat(100_000);

describe('An outcome', () => {
  let test: TestEngine;
  let gate = new Gate();
  /** Told to stop or not, the first attempt waits for this one. */
  let first = deferred();
  before(async () => {
    test = await startTestEngine({
      actions: {
        'test.echo': (args) => args,
        'test.big': () => ({ big: BIG }),
        'test.gate': async (args, control) => {
          await gate.pass(control);
          return args;
        },
        'test.stale': async (_, { dispatch, heartbeat, ...control }) => {
          heartbeat({ attempt: dispatch.attempt.number });
          if (dispatch.attempt.number > 1) {
            await gate.pass({ ...control, heartbeat });
            return 'new';
          }
          await first.promise;
          return 'old';
        },
      },
    });
  });
  beforeEach(() => {
    gate = new Gate();
    first = deferred();
  });
  after(() => test.stop());

  const attemptsOf = (runId: string) =>
    test.query<AttemptRow>('select * from eec_workflow_step_attempt where run_id = $1 order by attempt', runId);
  const action = (name: string, more: object = {}): TestWorkflow['steps'][number] => ({
    ref: 'a',
    type: 'ACTION',
    action: `test.${name}`,
    on_unknown: 'retry',
    ...more,
  });

  it('C10 of an attempt that has timed out stands on its row, and moves nothing', async () => {
    const retry = { max_attempts: 2, initial_interval_ms: 10 };
    const id = test.define({ steps: [action('stale', { timeout: 'PT1.5S', retry })] });
    const runId = await test.start(id);
    await until(() => gate.arrived === 1, 'the second attempt');
    const before = await test.state(runId);
    first.resolve();
    await until(async () => (await attemptsOf(runId))[0]?.finished_anyway ?? false, 'the late result on its row');
    expect(await test.state(runId), 'no transition').to.deep.equal(before);
    gate.release();
    const run = await test.ended(runId);
    expect(run.ending).to.deep.equal({ status: 'completed', output: 'new' });
    const rows = await attemptsOf(runId);
    expect(rows.map(({ status, output, superseded }) => [status, output, superseded])).to.deep.equal([
      ['timed_out', 'old', true],
      ['completed', 'new', false],
    ]);
  });

  it('that is delivered several times is folded once', async () => {
    const id = test.define(chainOf([action('gate', { args: 1 }), action('echo', { ref: 'b', args: 2 })]));
    const runId = await test.start(id);
    const [row] = await until(async () => {
      const rows = await attemptsOf(runId);
      return rows.length > 0 && gate.arrived === 1 ? rows : null;
    }, 'the attempt');
    const { token } = (
      await test.query<{ token: string }>('select token from eec_workflow_step_attempt where id = $1', row!.id)
    )[0]!;
    const now = test.clock.now();
    for (let i = 0; i < 3; i++) {
      test.engine.coordinator.deliver(runId, {
        kind: 'outcome',
        at: { ref: 'a', branch: [] },
        attempt: { id: row!.id, token, number: 1 },
        outcome: { status: 'completed', output: `told ${i}` },
        report: { startedAt: now, endedAt: now, tier: 'thread' },
        recorded: false,
      });
    }
    const run = await test.ended(runId);
    gate.release();
    expect(run.ended.get('a')).to.include({ status: 'completed', output: 'told 0' });
    expect((await attemptsOf(runId)).map(({ status }) => status)).to.deep.equal(['completed', 'completed']);
    expect(run.version).to.equal(3);
  });

  it('over 64 KiB is kept out of its row, and is whole when the run is loaded', async () => {
    const id = test.define(
      chainOf([
        action('big'),
        { ref: 't', type: 'TRANSFORM', value: '${steps.a.output}' },
        action('echo', { ref: 'b', args: '${size(steps.t.output.big)}' }),
      ]),
    );
    const runId = await test.start(id);
    const run = await test.ended(runId);
    expect(run.ending).to.deep.equal({ status: 'completed', output: BIG.length });
    expect(run.ended.get('a')).to.have.nested.property('output.big', BIG);
    expect(run.ended.get('t')).to.have.nested.property('output.big', BIG);
    const bytes = BIG.length + '{"big":""}'.length;
    expect((await attemptsOf(runId))[0]?.output).to.deep.equal({
      $payload: { id: (await attemptsOf(runId))[0]?.id, bytes },
    });
    const rows = await test.query<{ n: number }>(
      'select max(length(changes::text))::int n from eec_workflow_transition where run_id = $1',
      runId,
    );
    expect(rows[0]?.n).to.be.lessThan(5_000);
  });

  it('over 64 KiB that was recorded outside of a tick is whole when it is folded', async () => {
    const id = test.define(
      chainOf([action('gate'), action('echo', { ref: 'b', args: '${size(steps.a.output.big)}' })]),
    );
    const runId = await test.start(id);
    await until(() => gate.arrived === 1, 'the attempt to start');
    const [row] = await test.query<{ id: string; token: string }>(
      'select id, token from eec_workflow_step_attempt where run_id = $1',
      runId,
    );
    const now = test.clock.now();
    await test.engine.store.record([
      {
        runId,
        attempt: { ...row!, number: 1 },
        outcome: { status: 'completed', output: { big: BIG } },
        report: { startedAt: now, endedAt: now, tier: 'thread' },
      },
    ]);
    expect((await attemptsOf(runId))[0]?.output).to.have.nested.property('$payload.bytes');
    test.engine.coordinator.wake([runId]);
    const run = await test.ended(runId);
    gate.release();
    expect(run.ending).to.deep.equal({ status: 'completed', output: BIG.length });
    expect(run.ended.get('a')).to.have.nested.property('output.big', BIG);
  });

  it('is shown to be under way when it takes long, with its heartbeat', async () => {
    const id = test.define({ steps: [action('stale', { retry: { max_attempts: 1 } })] });
    const runId = await test.start(id);
    const row = await until(async () => {
      const [found] = await attemptsOf(runId);
      return found?.status === 'running' ? found : null;
    }, 'the attempt to be shown');
    expect(row.heartbeat).to.deep.equal({ attempt: 1 });
    first.resolve();
    expect((await test.ended(runId)).ending).to.deep.equal({ status: 'completed', output: 'old' });
    expect((await attemptsOf(runId))[0]?.status).to.equal('completed');
  });
});
