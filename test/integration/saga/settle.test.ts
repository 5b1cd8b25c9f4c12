import type { JsonObject } from '@ductor/core';
import { expect } from 'chai';
import { ActionError, Gate, type TestAction } from '../../support/engine.ts';
import { until } from '../../support/until.ts';
import { act, chainOf } from '../../support/workflow.ts';
import { failing, type SagaEngine, saga, startSagaEngine, undoable } from './world.ts';

describe('finalizers', () => {
  let engine: SagaEngine;
  let refuses = false;
  const told: unknown[] = [];
  const finalize: TestAction = (args) => {
    if (refuses) throw new ActionError('no_way', { retryable: false });
    told.push(args);
    return null;
  };
  before(async () => {
    engine = await startSagaEngine({ actions: { 'test.finalize': finalize } });
  });
  beforeEach(() => {
    refuses = false;
    told.length = 0;
  });
  after(() => engine.stop());

  const report = (ref: string, args: JsonObject): JsonObject => ({
    ref,
    type: 'STEP_TYPE_ACTION',
    action: 'test.finalize',
    retry: { max_attempts: 1 },
    args,
  });

  it('run after every end in their order, and see the run as it ended', async () => {
    const finalizers = [
      report('first', { how: '${outcome.status}', day: '${input.day}', a: '${steps.a.output.n}' }),
      report('second', { output: '${outcome.output}', error: '${outcome.error}' }),
    ];
    const completed = engine.define(saga({ ...chainOf([undoable('a')]), output: 'out', finalizers }));
    const runId = await engine.start(completed, { day: 'monday' });
    expect((await engine.compensated(runId)).status).to.equal('completed');
    expect(told[0]).to.deep.include({ how: 'completed', day: 'monday' });
    expect(told[1]).to.eql({ output: 'out', error: null });
    expect(engine.effects.undone).to.eql([]);
  });

  it('run after the undo, whatever became of it; then the compensation has failed', async () => {
    const policy = { failure_policy: 'fail_compensation', action: 'test.fail' };
    const workflow = chainOf([undoable('a', {}, policy), failing('b')]);
    const finalizers = [report('last', { how: '${outcome.error.code}' })];
    const runId = await engine.start(engine.define(saga({ ...workflow, finalizers })));
    const undo = await engine.compensated(runId);
    expect(undo.status).to.equal('failed');
    expect(undo.ending).to.have.nested.property('error.code', 'compensation_failed');
    expect(told).to.eql([{ how: 'refused' }]);
  });

  it('do not stop each other, and make the compensation fail', async () => {
    const finalizers = [report('bad', { x: '${outcome.nothing.there}' }), report('good', {})];
    const runId = await engine.start(engine.define(saga({ ...chainOf([act('a')]), finalizers })));
    expect((await engine.compensated(runId)).status).to.equal('failed');
    expect(told).to.eql([{}]);
  });

  it('run after terminate too, where nothing is undone', async () => {
    const workflow = chainOf([undoable('a'), { ref: 'w', type: 'WAIT', signal: 'go' }]);
    const finalizers = [report('last', { how: '${outcome.status}' })];
    const runId = await engine.start(engine.define(saga({ ...workflow, finalizers })));
    await until(async () => (await engine.state(runId)).status === 'waiting', 'it waits');
    await engine.control(runId, 'terminate');
    await engine.compensated(runId);
    expect(told).to.eql([{ how: 'terminated' }]);
    expect(engine.effects.undone).to.eql([]);
  });

  it('alone refuse no redrive, and run again at the next end', async () => {
    const finalizers = [report('last', { how: '${outcome.status}' })];
    const runId = await engine.start(engine.define(saga({ ...chainOf([failing('a')]), finalizers })));
    await engine.compensated(runId);
    await engine.control(runId, 'redrive');
    const runs = await until(async () => {
      const all = await engine.compensations(runId);
      return all.length === 2 ? all : null;
    }, 'the next end');
    await engine.ended(runs.at(-1)?.id ?? '');
    expect(told).to.eql([{ how: 'failed' }, { how: 'failed' }]);
  });
});

describe('what a saga is owed', () => {
  let engine: SagaEngine;
  let gate = new Gate();
  /** Goes on although it is told to stop. */
  let deaf: Promise<void> = Promise.resolve();
  let hear = () => {};
  before(async () => {
    engine = await startSagaEngine({
      actions: {
        'test.gate': async (_args, control) => {
          await gate.pass(control);
          return { n: 1 };
        },
        'test.gone': () => {
          throw new ActionError('worker_exited', { retryable: false });
        },
        'test.deaf': async () => {
          await deaf;
          return { n: 2 };
        },
      },
    });
  });
  beforeEach(() => {
    gate = new Gate();
    deaf = new Promise((resolve) => {
      hear = resolve;
    });
    engine.effects.applied.length = 0;
  });
  after(() => engine.stop());

  const running = async (runId: string, ref: string) => {
    await until(async () => (await engine.state(runId)).open.get(ref)?.status === 'running', `${ref} runs`);
  };

  it('is a repair item where nobody knows the outcome of a step that could be undone', async () => {
    const workflow = { ...chainOf([undoable('a', { action: 'test.deaf' })]), settings: { cancel_grace: 'PT0.05S' } };
    const runId = await engine.start(engine.define(saga(workflow)));
    await running(runId, 'a');
    await engine.control(runId, 'cancel');
    await engine.ended(runId);
    expect(await engine.duties(runId)).to.deep.include({ step_ref: 'a', generation: 1, state: 'unknown', error: null });
    expect(await engine.compensations(runId)).to.eql([]);
    hear();
  });

  it('is undone where it completed though it was told to stop', async () => {
    const workflow = { ...chainOf([undoable('a', { action: 'test.deaf' })]), settings: { cancel_grace: 'PT30S' } };
    const runId = await engine.start(engine.define(saga(workflow)));
    await running(runId, 'a');
    await engine.control(runId, 'cancel');
    await until(async () => (await engine.state(runId)).status === 'cancelling', 'it is told to stop');
    hear();
    await engine.compensated(runId);
    expect(engine.effects.undone).to.eql([{ ref: 'a', n: 2 }]);
  });

  it('is what is heard to have completed after the end of its run', async () => {
    const { runId, attempt } = await closedAttempt();
    await engine.engine.store.record([late(runId, attempt)]);
    engine.engine.wakeups.push([runId]);
    await engine.compensated(runId);
    expect(engine.effects.undone).to.eql([{ ref: 'a', n: 9 }]);
    expect((await engine.duties(runId)).map(({ state }) => state)).to.eql(['undone']);
    expect((await engine.state(runId)).status).to.equal('cancelled');
  });

  it('is what is heard to have completed after its step has failed, while its run goes on', async () => {
    const workflow = {
      steps: [undoable('a', { action: 'test.gone' }), { ref: 'w', type: 'WAIT', signal: 'go' }],
      edges: [{ from: 'a', to: 'w', type: 'ERROR' }],
    };
    const runId = await engine.start(engine.define(saga(workflow)));
    await until(async () => (await engine.state(runId)).open.get('w')?.status === 'waiting', 'w waits');
    expect((await engine.duties(runId)).map(({ state }) => state)).to.eql(['unknown']);
    await engine.engine.store.record([late(runId, await attemptOf(runId))]);
    engine.engine.wakeups.push([runId]);
    await until(async () => (await engine.duties(runId))[0]?.state === 'owed', 'it is owed');
    await engine.control(runId, 'cancel');
    await engine.compensated(runId);
    expect(engine.effects.undone).to.eql([{ ref: 'a', n: 9 }]);
  });

  /** Of a run that was cancelled, and whose worker is gone for good. */
  async function closedAttempt() {
    const workflow = { ...chainOf([undoable('a', { action: 'test.deaf' })]), settings: { cancel_grace: 'PT0.05S' } };
    const runId = await engine.start(engine.define(saga(workflow)));
    await running(runId, 'a');
    await engine.control(runId, 'cancel');
    await engine.ended(runId);
    return { runId, attempt: await attemptOf(runId) };
  }

  async function attemptOf(runId: string) {
    const [attempt] = await engine.query<{ id: string; token: string }>(
      'select id, token from eec_workflow_step_attempt where run_id = $1',
      runId,
    );
    if (!attempt) throw new Error('no attempt');
    return attempt;
  }

  const late = (runId: string, attempt: { id: string; token: string }) => ({
    runId,
    attempt: { ...attempt, number: 1 },
    outcome: { status: 'completed', output: { n: 9 } } as const,
    report: { startedAt: null, endedAt: new Date().toISOString(), tier: 'thread' } as const,
  });

  it('is undone of a loser of a race that completed', async () => {
    const workflow = saga({
      steps: [
        { ref: 'race', type: 'RACE', arms: ['fast', 'slow'] },
        act('fast'),
        undoable('slow', { action: 'test.deaf' }),
        failing('after'),
      ],
      edges: [{ from: 'race', to: 'after' }],
      settings: { failure_policy: 'drain', cancel_grace: 'PT30S' },
    });
    const runId = await engine.start(engine.define(workflow));
    await until(async () => (await engine.state(runId)).ended.get('race')?.status === 'completed', 'the race');
    hear();
    await engine.compensated(runId);
    expect(engine.effects.undone).to.eql([{ ref: 'slow', n: 2 }]);
  });
});

describe('a saga whose plugin is off', () => {
  it('leaves its compensation runs alone until it is back', async () => {
    const gate = new Gate();
    const first = await startSagaEngine({
      actions: { 'test.undo': (_args, control) => gate.pass(control).then(() => null) },
    });
    const { database, definitions, effects } = first;
    const runId = await first.start(first.define(saga(chainOf([undoable('a'), failing('b')]))));
    await until(() => gate.arrived === 1, 'the undo');
    await first.crash();
    const without = await startSagaEngine({ database, definitions, isOff: true });
    const [undo] = await without.compensations(runId);
    without.engine.wakeups.push([undo?.id ?? '']);
    expect((await without.state(undo?.id ?? '')).endedAt).to.equal(null);
    await without.stop({ keep: true });
    const back = await startSagaEngine({ database, definitions, effects, dataId: first.dataId });
    await back.compensated(runId);
    expect(effects.undone).to.have.length(1);
    await back.stop();
  });
});
