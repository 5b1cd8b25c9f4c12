import { randomUUID } from 'node:crypto';
import type { Definition } from '@ductor/core';
import { expect } from 'chai';
import { ActionError, Gate, type TestAction } from '../../support/engine.ts';
import { until } from '../../support/until.ts';
import { act, chainOf } from '../../support/workflow.ts';
import { Effects, failing, type SagaEngine, saga, sagaDatabase, startSagaEngine, undoable } from './world.ts';

describe('a saga', () => {
  let engine: SagaEngine;
  let refused: ReadonlySet<string> = new Set();
  const refusing: TestAction = (args, { dispatch }) => {
    const { ref } = args as { ref: string };
    if (refused.has(ref)) throw new ActionError('cannot_undo', { retryable: false });
    engine.effects.apply(dispatch.task.idempotencyKey, args);
    return null;
  };
  before(async () => {
    engine = await startSagaEngine({ actions: { 'test.undo': (args, control) => refusing(args, control) } });
  });
  beforeEach(() => {
    refused = new Set();
    engine.effects.applied.length = 0;
  });
  after(() => engine.stop());

  const run = (workflow: Parameters<SagaEngine['define']>[0], input: object = {}) =>
    engine.start(engine.define(saga(workflow)), { ...input });
  const undoneRefs = () => engine.effects.undone.map((args) => (args as { ref: string }).ref);

  it('undoes what completed, the last first, and nothing of what failed', async () => {
    const runId = await run(chainOf([undoable('a'), undoable('b'), undoable('c', { action: 'test.fail' })]));
    const ended = await engine.ended(runId);
    const undo = await engine.compensated(runId);
    expect(undo.status).to.equal('completed');
    expect(undo.ended.get('undo')).to.deep.include({ output: { undone: 2, failed: 0 } });
    const { output: a } = ended.ended.get('a') as never as { output: { n: number } };
    expect(engine.effects.undone).to.eql([
      { ref: 'b', n: a.n + 1 },
      { ref: 'a', n: a.n },
    ]);
    expect((await engine.state(runId)).status).to.equal('failed');
    expect(await engine.compensations(runId)).to.have.length(1);
    const states = (await engine.duties(runId)).map(({ step_ref, state }) => [step_ref, state]);
    expect(states).to.eql([
      ['a', 'undone'],
      ['b', 'undone'],
    ]);
  });

  it('starts nothing where nothing has to be undone', async () => {
    const nothing = await run(chainOf([undoable('a', { action: 'test.fail' })]));
    const completed = await run(chainOf([undoable('a')]));
    const other = await run(chainOf([undoable('a', {}, { on: ['cancelled'] }), failing('b')]));
    for (const runId of [nothing, completed, other]) {
      await engine.ended(runId);
      expect(await engine.compensations(runId)).to.eql([]);
    }
  });

  it('hands on its labels, its slug and its kind, and is found by neither list nor address', async () => {
    const runId = await run(chainOf([undoable('a'), failing('b')]));
    const undo = await engine.compensated(runId);
    expect(undo.header).to.deep.include({ kind: 'compensation' });
    expect(undo.header.lineage).to.deep.include({ rootRunId: runId, depth: 1 });
    expect(undo.header.lineage.parent).to.deep.include({ runId, node: null });
  });

  it('goes on after a failed undo where it is left for repair', async () => {
    refused = new Set(['b']);
    const runId = await run(chainOf([undoable('a'), undoable('b'), failing('c')]));
    const undo = await engine.compensated(runId);
    expect([undo.status, undoneRefs()]).to.eql(['completed', ['a']]);
    expect((await engine.duties(runId)).at(-1)).to.deep.include({ step_ref: 'b', state: 'repair' });
    expect((await engine.duties(runId)).at(-1)?.error).to.include({ code: 'cannot_undo' });
  });

  it('stops and fails at a failed undo where its policy says so, and a redrive goes on with it', async () => {
    refused = new Set(['b']);
    const policy = { failure_policy: 'fail_compensation' };
    const runId = await run(chainOf([undoable('a'), undoable('b', {}, policy), failing('c')]));
    const undo = await engine.compensated(runId);
    expect([undo.status, undoneRefs()]).to.eql(['failed', []]);
    expect(undo.ending).to.have.nested.property('error.code', 'compensation_failed');
    refused = new Set();
    await engine.control(undo.header.id, 'redrive');
    await until(async () => (await engine.state(undo.header.id)).status === 'completed', 'the redriven undo');
    expect(undoneRefs()).to.eql(['b', 'a']);
    expect((await engine.state(runId)).status).to.equal('failed');
  });

  it('passes over a failed undo where its policy says so, and the audit log has it', async () => {
    refused = new Set(['b']);
    const policy = { failure_policy: 'ignore_with_audit' };
    const runId = await run(chainOf([undoable('a'), undoable('b', {}, policy), failing('c')]));
    const undo = await engine.compensated(runId);
    expect([undo.status, undoneRefs()]).to.eql(['completed', ['a']]);
    const log = await engine.query<{ details: object }>(
      `select details from eec_audit_log where action = 'compensation.ignore' and details ->> 'run_id' = $1`,
      runId,
    );
    expect(log).to.have.length(1);
    expect(log[0]?.details).to.deep.include({ step_ref: 'b', action: 'test.undo' });
  });

  it('treats arguments that cannot be evaluated like an undo that failed', async () => {
    const args = { ref: 'b', n: '${output.nothing.there}' };
    const runId = await run(chainOf([undoable('a'), undoable('b', {}, { args }), failing('c')]));
    const undo = await engine.compensated(runId);
    expect([undo.status, undoneRefs()]).to.eql(['completed', ['a']]);
    expect((await engine.duties(runId)).at(-1)?.error).to.include({ code: 'expression_error' });
  });

  it('folds the arguments where the step has settled, all but its output', async () => {
    const args = { ref: 'b', before: '${steps.a.output.n}', after: '${steps.c.status}', ctx: '${context.k}' };
    const steps = [undoable('a', { effects: { context: { k: 'then' } } }), undoable('b', {}, { args })];
    const later = { ref: 'later', type: 'TRANSFORM', value: 1, effects: { context: { k: 'now' } } };
    const runId = await run(chainOf([...steps, later, failing('c')]));
    await engine.compensated(runId);
    const a = (await engine.state(runId)).ended.get('a') as never as { output: { n: number } };
    expect(engine.effects.undone[0]).to.eql({ ref: 'b', before: a.output.n, after: 'pending', ctx: 'then' });
  });

  it('tries an undo again as its retry says, under one key', async () => {
    let tries = 0;
    const keys = new Set<string>();
    const flaky: TestAction = (_args, { dispatch }) => {
      keys.add(dispatch.task.idempotencyKey);
      tries += 1;
      if (tries < 3) throw new ActionError('busy');
      return null;
    };
    const other = await startSagaEngine({ actions: { 'test.undo': flaky } });
    const retry = { max_attempts: 3, initial_interval_ms: 1 };
    const runId = await other.start(other.define(saga(chainOf([undoable('a', {}, { retry }), failing('b')]))));
    expect((await other.compensated(runId)).status).to.equal('completed');
    expect([tries, [...keys]]).to.eql([3, [`undo/${runId}/a/1`]]);
    await other.stop();
  });

  it('undoes a cancelled run, and not a terminated one', async () => {
    const waits = { ref: 'w', type: 'WAIT', signal: 'go' };
    const [cancelled, terminated] = [
      await run(chainOf([undoable('a'), waits])),
      await run(chainOf([undoable('b'), waits])),
    ];
    for (const [runId, control] of [
      [cancelled, 'cancel'],
      [terminated, 'terminate'],
    ] as const) {
      await until(async () => (await engine.state(runId)).status === 'waiting', 'it waits');
      await engine.control(runId, control);
      await engine.ended(runId);
    }
    expect((await engine.compensated(cancelled)).status).to.equal('completed');
    expect(undoneRefs()).to.eql(['a']);
    expect(await engine.compensations(terminated)).to.eql([]);
  });

  it('undoes steps of any type, each with its output', async () => {
    const child = engine.define({
      ...chainOf([{ ref: 't', type: 'TRANSFORM', value: { n: 7 } }]),
      slug: 'child-of-saga',
    });
    expect(child).to.be.a('string');
    const compensation = (ref: string) => ({ compensation: { action: 'test.undo', args: { ref, n: '${output.n}' } } });
    const runId = await run(
      chainOf([
        { ref: 'value', type: 'TRANSFORM', value: { n: 5 }, ...compensation('value') },
        { ref: 'sub', type: 'SUBWORKFLOW', workflow: { slug: 'child-of-saga' }, ...compensation('sub') },
        failing('c'),
      ]),
    );
    await engine.compensated(runId);
    expect(engine.effects.undone).to.eql([
      { ref: 'sub', n: 7 },
      { ref: 'value', n: 5 },
    ]);
  });

  it('keeps the duty of a step whose effects could not be evaluated', async () => {
    const effects = { context: { k: '${output.nothing.there}' } };
    const runId = await run(chainOf([undoable('a', { effects })]));
    await engine.compensated(runId);
    expect(undoneRefs()).to.eql(['a']);
  });

  it('refers to large outputs, and undoes with them all the same', async () => {
    const big = 'x'.repeat(200_000);
    const other = await startSagaEngine({ actions: { 'test.big': () => ({ n: 1, big }) } });
    const step = act('a', {
      action: 'test.big',
      compensation: { action: 'test.undo', args: { size: '${size(output.big)}' } },
    });
    const runId = await other.start(other.define(saga(chainOf([step, failing('b')]))));
    await other.compensated(runId);
    expect(other.effects.undone).to.eql([{ size: 200_000 }]);
    const [row] = await other.query<{ bytes: number }>(
      'select coalesce(octet_length(output::text), 0) as bytes from eec_workflow_duty where run_id = $1',
      runId,
    );
    expect(row?.bytes).to.be.lessThan(10);
    await other.stop();
  });

  it('refuses a redrive once an undo has begun', async () => {
    const runId = await run(chainOf([undoable('a'), failing('b')]));
    await engine.compensated(runId);
    await engine.control(runId, 'redrive');
    const outcome = await until(async () => {
      const [row] = await engine.query<{ outcome: { outcome: string } | null }>(
        `select outcome from eec_workflow_inbox where run_id = $1 and kind = 'control'`,
        runId,
      );
      return row?.outcome ?? null;
    }, 'an answer');
    expect(outcome).to.include({ outcome: 'refused' });
    expect((await engine.state(runId)).status).to.equal('failed');
  });
});

describe('C24 a saga whose step has completed twice, over a kill', () => {
  it('C24 undoes b#2, b#1 and a, each once with its own output, and nothing of what failed', async () => {
    const { effects, outputs, duties, undo, status } = await unwind({});
    const [a, b1, b2] = outputs;
    expect(effects.undone).to.eql([
      { ref: 'b', n: b2 },
      { ref: 'b', n: b1 },
      { ref: 'a', n: a },
    ]);
    expect(new Set(outputs).size).to.equal(3);
    expect(duties).to.eql(['a/1 undone', 'b/1 undone', 'b/2 undone']);
    expect([undo, status]).to.eql(['completed', 'failed']);
  });

  for (const [failure_policy, state, goesOn] of [
    ['manual_repair', 'repair', true],
    ['ignore_with_audit', 'ignored', true],
    ['fail_compensation', 'owed', false],
  ] as const) {
    it(`C24 does by its policy ${failure_policy} where an undo fails for good, and changes no parent`, async () => {
      const { effects, outputs, duties, undo, status } = await unwind({ refuses: '/b/1', failure_policy });
      const [a, , b2] = outputs;
      expect(effects.undone).to.eql([{ ref: 'b', n: b2 }, ...(goesOn ? [{ ref: 'a', n: a }] : [])]);
      expect(duties).to.eql([`a/1 ${goesOn ? 'undone' : 'owed'}`, `b/1 ${state} cannot_undo`, 'b/2 undone']);
      expect([undo, status]).to.eql([goesOn ? 'completed' : 'failed', 'failed']);
    });
  }

  /** a, b twice, c that fails; the host is killed while b#2 is undone. `refuses`: how the key ends of what cannot be undone. */
  async function unwind({ refuses, ...policy }: { readonly refuses?: string; readonly failure_policy?: string }) {
    const database = await sagaDatabase();
    const definitions = new Map<string, Definition>();
    const dataId = randomUUID();
    const effects = new Effects();
    const gate = new Gate();
    const undo: TestAction = async (args, control) => {
      const key = control.dispatch.task.idempotencyKey;
      if (key.endsWith('/b/2')) await gate.pass(control);
      if (refuses !== undefined && key.endsWith(refuses)) throw new ActionError('cannot_undo', { retryable: false });
      effects.apply(key, args);
      return null;
    };
    const options = { database, definitions, dataId, effects, actions: { 'test.undo': undo } };
    const first = await startSagaEngine(options);
    // A redrive sets back what is downstream of a cancelled step: b runs again.
    const on = { on: ['failed'], ...policy };
    const workflow = saga({
      steps: [
        undoable('a', {}, on),
        { ref: 'w', type: 'WAIT', signal: 'go' },
        undoable('b', { join: 'any' }, on),
        undoable('c', { action: 'test.fail', join: 'all' }, on),
        { ref: 'hold', type: 'WAIT', signal: 'fail' },
      ],
      edges: [
        { from: 'a', to: 'b' },
        { from: 'w', to: 'b' },
        { from: 'b', to: 'hold' },
        { from: 'hold', to: 'c' },
      ],
    });
    const runId = await first.start(first.define(workflow));
    const isHeld = (generation: number) => async () => {
      const node = (await first.state(runId)).open.get('hold');
      return node?.status === 'waiting' && node.generation === generation;
    };
    await until(isHeld(1), 'b#1');
    await first.control(runId, 'cancel');
    await first.ended(runId);
    expect(await first.compensations(runId)).to.eql([]);
    await first.control(runId, 'redrive');
    await until(isHeld(2), 'b#2');
    await first.query(
      `insert into eec_workflow_inbox (id, tenant_id, chain_id, run_id, kind, node, body)
       values (gen_random_uuid(), 'default', $1, $1, 'signal', 'hold', $2)`,
      runId,
      JSON.stringify({
        at: { ref: 'hold', branch: [] },
        signal: { verb: 'resolve', requestId: 'r', actor: 'key:ops', payload: null },
      }),
    );
    first.engine.wakeups.push([runId]);
    await until(() => gate.arrived === 1, 'the undo of b#2');
    await first.crash();
    const second = await startSagaEngine(options);
    await until(() => gate.arrived === 2, 'the undo of b#2, again');
    gate.release();
    const ended = await second.compensated(runId);
    const outputs = await second.query<{ n: number }>(
      `select (output ->> 'n')::int as n from eec_workflow_step_attempt
       where run_id = $1 and status = 'completed' order by id`,
      runId,
    );
    const duties = (await second.duties(runId)).map(
      ({ step_ref, generation, state, error }) =>
        `${step_ref}/${generation} ${state}${error === null ? '' : ` ${error.code}`}`,
    );
    const { status } = await second.state(runId);
    await second.stop();
    return { effects, outputs: outputs.map(({ n }) => n), duties, undo: ended.status, status };
  }
});
