import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { ActionError, Gate, type TestAction, type TestEngine } from '../../support/engine.ts';
import { until } from '../../support/until.ts';
import type { TestWorkflow } from '../../support/workflow.ts';
import { act, eachItem, outcomeOf, startWorld } from './world.ts';

const once = { max_attempts: 1 };
const isNo = (args: unknown): boolean => args === 'no';

describe('Failures and controls among branches, on a real database', () => {
  let test: TestEngine;
  let gate = new Gate();
  let called: unknown[] = [];
  const actions: { readonly [name: string]: TestAction } = {
    'test.do': async (args, control) => {
      called.push(args);
      if (args === 'wait') await gate.pass(control);
      if (isNo(args)) throw new ActionError('refused', { retryable: false });
      if (args === 'busy' && control.dispatch.attempt.number < 3) throw new ActionError('busy');
      if (args === 'large') return 'x'.repeat(70_000);
      return [args];
    },
  };
  before(async () => {
    test = await startWorld({ actions });
  });
  after(() => test.stop());
  beforeEach(() => {
    gate = new Gate();
    called = [];
  });

  const start = (workflow: TestWorkflow, items: readonly unknown[]) =>
    test.start(test.define(workflow), { items } as never);
  const control = async (runId: string, name: string) => {
    await test.query(
      `insert into eec_workflow_inbox (id, tenant_id, chain_id, run_id, kind, request_id, actor, body)
       values ($1::uuid, 'default', $2, $2, 'control', $1::uuid::text, 'key:ops', $3)`,
      randomUUID(),
      runId,
      JSON.stringify({ control: name }),
    );
    test.engine.wakeups.push([runId]);
  };
  const arrived = (count: number) => until(() => (gate.arrived >= count ? true : null), `${count} at the gate`);
  const status = (runId: string, is: string) =>
    until(async () => ((await test.state(runId)).status === is ? true : null), `the run is ${is}`);
  const rows = async (runId: string) =>
    (
      await test.query<{ status: string | null }>(
        `select status from eec_workflow_branch where run_id = $1 order by generation, index`,
        runId,
      )
    ).map((row) => row.status);

  it('as many as are tolerated may fail, and not one more', async () => {
    const cases = [
      { tolerate: { count: 0 }, no: 1, is: 'failed' },
      { tolerate: { count: 2 }, no: 2, is: 'completed' },
      { tolerate: { count: 2 }, no: 3, is: 'failed' },
      { tolerate: { percent: 0 }, no: 1, is: 'failed' },
      { tolerate: { percent: 33.4 }, no: 1, is: 'completed' },
      { tolerate: { percent: 33 }, no: 1, is: 'failed' },
      { tolerate: { percent: 100 }, no: 3, is: 'completed' },
    ];
    await Promise.all(
      cases.map(async ({ tolerate, no, is }) => {
        const workflow = eachItem(act({ retry: once }), { scatter: { on_branch_failure: { tolerate } } });
        const items = [...Array<string>(no).fill('no'), ...Array<string>(3 - no).fill('yes')];
        const { status: ended } = await outcomeOf(test, await start(workflow, items));
        expect(ended, JSON.stringify({ tolerate, no })).to.equal(is);
      }),
    );
  });

  it('all are collected, with the error of each that failed', async () => {
    const workflow = eachItem(act({ retry: once }), { scatter: { on_branch_failure: 'collect' } });
    const { output } = await outcomeOf(test, await start(workflow, ['a', 'no', 'large']));
    const [a, no, large] = output as { status: string; output?: unknown; error?: { code: string } }[];
    expect(a).to.deep.equal({ index: 0, status: 'completed', output: ['a'] });
    expect(no).to.deep.include({ index: 1, status: 'failed' });
    expect(no?.error).to.deep.include({ code: 'refused', details: { step_ref: 'do' } });
    expect(large?.output).to.have.length(70_000);
  });

  it('a branch tries again by itself, while its neighbours go on', async () => {
    const retry = { max_attempts: 3, initial_interval_ms: 20, jitter: 0 };
    const run = await start(eachItem(act({ retry })), ['busy', 'a', 'busy']);
    expect(await outcomeOf(test, run)).to.deep.include({ output: [['busy'], ['a'], ['busy']] });
    const attempts = await test.query<{ n: number }>(
      `select count(*)::int n from eec_workflow_step_attempt where run_id = $1 group by branch order by branch`,
      run,
    );
    expect(attempts.map(({ n }) => n)).to.deep.equal([3, 1, 3]);
  });

  it('start by batches, an interval after each other', async () => {
    const batch = { size: 2, interval: 'PT0.2S' };
    const run = await start(eachItem(act(), { scatter: { batch } }), ['a', 'b', 'c', 'd', 'e']);
    expect(await outcomeOf(test, run)).to.deep.include({ status: 'completed' });
    const starts = await test.query<{ at: number }>(
      `select extract(epoch from scheduled_at)::float8 at from eec_workflow_step_attempt where run_id = $1 order by branch`,
      run,
    );
    const [a = 0, b = 0, c = 0, d = 0, e = 0] = starts.map(({ at }) => at);
    expect(b).to.equal(a);
    expect(d).to.equal(c);
    expect(c - a).to.be.least(0.2);
    expect(e - c).to.be.least(0.2);
  });

  for (const [type, means] of [
    ['ERROR', 'its failure is handled'],
    ['ALWAYS', 'what always follows does'],
    ['TIMEOUT', 'its deadline is handled, with branches in flight'],
  ] as const) {
    it(`of a step that fails, ${means}: it goes on beside what gathers`, async () => {
      const isTime = type === 'TIMEOUT';
      const base = eachItem(act({ retry: once }), {
        scatter: { max_in_flight: 2, ...(isTime && { timeout: 'PT0.15S' }) },
      });
      const workflow = {
        ...base,
        steps: [
          ...base.steps,
          { ref: 'after', type: 'TRANSFORM', value: '${[steps.each.error.code, steps.all.status]}' },
        ],
        edges: [...(base.edges ?? []), { from: 'each', to: 'after', type }],
        settings: { cancel_grace: 'PT5S' },
      };
      const run = await start(workflow, isTime ? ['a', 'wait', 'wait', 'b'] : ['wait', 'no', 'b', 'c']);
      const code = isTime ? 'timeout' : 'branch_failed';
      expect(await outcomeOf(test, run)).to.deep.include({ status: 'completed', output: [code, 'skipped'] });
      const expected = isTime ? ['completed', 'cancelled', 'cancelled', null] : ['cancelled', 'failed', null, null];
      expect(await rows(run)).to.deep.equal(expected);
      expect(called).to.have.length(isTime ? 3 : 2);
    });
  }

  it('pause lets what is in flight end, starts nothing, and resume goes on with both', async () => {
    const run = await start(eachItem(act(), { scatter: { max_in_flight: 2 } }), ['wait', 'wait', 'c', 'd']);
    await arrived(2);
    await control(run, 'pause');
    await status(run, 'paused');
    gate.release();
    await until(async () => {
      const open = await test.query('select from eec_workflow_step_attempt where run_id = $1 and not folded', run);
      return open.length === 0 || null;
    }, 'both to end');
    expect(called).to.have.length(2);
    expect(await rows(run)).to.deep.equal([null, null, null, null]);
    await control(run, 'resume');
    expect(await outcomeOf(test, run)).to.deep.include({ output: [['wait'], ['wait'], ['c'], ['d']] });
  });

  it('terminate closes them at once', async () => {
    const run = await start(eachItem(act(), { scatter: { max_in_flight: 2 } }), ['a', 'wait', 'wait', 'd']);
    await arrived(2);
    await control(run, 'terminate');
    expect(await outcomeOf(test, run)).to.deep.include({ status: 'terminated' });
    expect(await rows(run)).to.deep.equal(['completed', 'cancelled', 'cancelled', null]);
    const open = await test.query('select from eec_workflow_step_attempt where run_id = $1 and ended_at is null', run);
    expect(open).to.deep.equal([]);
  });

  it('redrive runs all branches again, in a generation of their own', async () => {
    const run = await start(eachItem(act({ retry: once }), { scatter: { max_in_flight: 2 } }), ['wait', 'no', 'c']);
    await arrived(1);
    await status(run, 'failed');
    gate.release();
    await control(run, 'redrive');
    await until(async () => ((await test.state(run)).ends === 2 ? true : null), 'the second end');
    const all = await test.query<{ generation: number; index: number; status: string | null }>(
      'select generation, index, status from eec_workflow_branch where run_id = $1 order by generation, index',
      run,
    );
    expect(all.filter(({ generation }) => generation === 1).map((row) => row.status)).to.deep.equal([
      'cancelled',
      'failed',
      null,
    ]);
    expect(all.filter(({ generation }) => generation === 2)).to.have.length(3);
    const keys = await test.query<{ generation: number }>(
      'select distinct generation from eec_workflow_step_attempt where run_id = $1 order by 1',
      run,
    );
    expect(keys.map(({ generation }) => generation)).to.deep.equal([1, 2]);
  });
});
