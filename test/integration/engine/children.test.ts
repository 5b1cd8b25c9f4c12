import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createTestDatabase } from '../../support/database.ts';
import { Gate, startTestEngine, type TestEngine } from '../../support/engine.ts';
import { until } from '../../support/until.ts';
import { chainOf, type TestWorkflow } from '../../support/workflow.ts';

type Step = TestWorkflow['steps'][number];

const sub = (ref: string, slug: string, more: object = {}): Step => ({
  ref,
  type: 'SUBWORKFLOW',
  workflow: { slug },
  input: { n: 1 },
  ...more,
});
const act = (ref: string, name: string, more: object = {}): Step => ({
  ref,
  type: 'ACTION',
  action: `test.${name}`,
  args: { n: '${input.n}' },
  ...more,
});

describe('A run that starts another', () => {
  let engine: TestEngine;
  let gate: Gate;
  const actions = {
    'test.echo': (args: unknown) => args as never,
    'test.gate': async (args: unknown, control: Parameters<Gate['pass']>[0]) => {
      await gate.pass(control);
      return args as never;
    },
  };
  before(async () => {
    engine = await startTestEngine({ actions, maxDepth: 4 });
    engine.define({ slug: 'echo', ...chainOf([act('a', 'echo')]) });
    engine.define({ slug: 'held', ...chainOf([act('a', 'gate')]) });
    engine.define({ slug: 'fails', steps: [{ ref: 'f', type: 'FAIL', code: 'no_stock', message: 'None left.' }] });
    engine.define({
      slug: 'two-parts',
      ...chainOf([{ ref: 'c', type: 'CHECKPOINT', name: 'half', reply: { n: '${input.n}' } }, act('a', 'gate')]),
    });
    engine.define({ slug: 'ping', steps: [sub('to', 'pong', { input: { n: '${input.n + 1}' } })] });
    engine.define({ slug: 'pong', steps: [sub('to', 'ping', { input: { n: '${input.n + 1}' } })] });
    engine.define({
      slug: 'stops-itself',
      steps: [
        { ref: 'more', type: 'CONDITION', expression: 'input.n < 3' },
        sub('next', 'stops-itself', { input: { n: '${input.n + 1}' } }),
      ],
      edges: [{ from: 'more', to: 'next', type: 'TRUE' }],
    });
  });
  beforeEach(() => {
    gate = new Gate();
  });
  after(() => engine.stop());

  const start = (steps: readonly Step[], input: object = { n: 1 }) =>
    engine.start(engine.define({ slug: 'parent', ...chainOf(steps) }), input as never);
  const family = (rootId: string) =>
    engine.query<{ id: string; status: string; depth: number; parent: string | null; node: string | null }>(
      `select id, status, (lineage ->> 'depth')::int depth, lineage -> 'parent' ->> 'runId' parent,
         lineage -> 'parent' -> 'node' ->> 'ref' node
       from eec_workflow_run where root_run_id = $1 order by depth`,
      rootId,
    );
  const control = async (runId: string, name: string) => {
    await engine.query(
      `insert into eec_workflow_inbox (id, tenant_id, chain_id, run_id, kind, request_id, actor, body)
       values ($1::uuid, 'default', $2, $2, 'control', $1::uuid::text, 'key:ops', $3)`,
      randomUUID(),
      runId,
      JSON.stringify({ control: name }),
    );
    engine.engine.wakeups.push([runId]);
  };

  it('goes on with its output, and both know of each other', async () => {
    const runId = await start([sub('s', 'echo', { input: { n: '${input.n + 41}' } })]);
    expect((await engine.ended(runId)).ending).to.deep.equal({ status: 'completed', output: { n: 42 } });
    const [parent, child] = await family(runId);
    expect(parent).to.include({ id: runId, depth: 0, parent: null });
    expect(child).to.include({ status: 'completed', depth: 1, parent: runId, node: 's' });
  });

  it('fails with it', async () => {
    const { ending } = await engine.ended(await start([sub('s', 'fails')]));
    expect(ending).to.have.nested.property('error.code', 'child_failed');
    expect(ending).to.have.nested.property('error.details.error.code', 'no_stock');
  });

  it('fails where there is no such workflow, and says so', async () => {
    const { ending } = await engine.ended(await start([sub('s', 'nobody')]));
    expect(ending).to.have.nested.property('error.code', 'workflow_not_found');
  });

  it('goes on from a checkpoint, and leaves the child to its own', async () => {
    const runId = await start([sub('s', 'two-parts', { wait_for: { checkpoint: 'half' }, input: { n: 7 } })]);
    expect((await engine.ended(runId)).ending).to.deep.equal({ status: 'completed', output: { n: 7 } });
    const [, child] = await family(runId);
    expect(child?.status).to.equal('running');
    gate.release();
    expect((await engine.ended(child!.id)).status).to.equal('completed');
  });

  it('takes it along when it is cancelled', async () => {
    const runId = await start([sub('s', 'held')]);
    await until(async () => gate.arrived === 1 || null, 'the child to be at work');
    await control(runId, 'cancel');
    expect((await engine.ended(runId)).status).to.equal('cancelled');
    const [, child] = await family(runId);
    expect(child?.status).to.equal('cancelled');
  });

  it('terminates it when it is terminated', async () => {
    const runId = await start([sub('s', 'held')]);
    await until(async () => gate.arrived === 1 || null, 'the child to be at work');
    await control(runId, 'terminate');
    expect((await engine.ended(runId)).status).to.equal('terminated');
    const [, child] = await family(runId);
    expect((await engine.ended(child!.id)).status).to.equal('terminated');
  });

  it('gives it a successor when it is redriven', async () => {
    const runId = await start([sub('s', 'fails')]);
    await engine.ended(runId);
    await control(runId, 'redrive');
    await until(async () => (await engine.state(runId)).ends === 2 || null, 'the second end');
    expect(await family(runId)).to.have.length(3);
  });

  it('C07 is limited in depth: the failure names the chain and climbs to the root', async () => {
    const runId = await engine.start(
      [...engine.definitions.values()].find(({ familySlug }) => familySlug === 'ping')!.id,
      { n: 0 },
    );
    const { ending } = await engine.ended(runId);
    expect(ending).to.have.nested.property('error.code', 'child_failed');
    const runs = await family(runId);
    expect(runs.map(({ depth }) => depth)).to.deep.equal([0, 1, 2, 3, 4]);
    expect(runs.every(({ status }) => status === 'failed')).to.equal(true);
    const deepest = await engine.state(runs.at(-1)!.id);
    expect(deepest.ending).to.have.nested.property('error.code', 'nesting_limit');
    expect(JSON.stringify(deepest.ending)).to.include('ping → pong → ping → pong → ping → pong');
  });

  it('C07 may start itself, as long as that ends', async () => {
    const id = [...engine.definitions.values()].find(({ familySlug }) => familySlug === 'stops-itself')!.id;
    const runId = await engine.start(id, { n: 0 });
    expect((await engine.ended(runId)).status).to.equal('completed');
    expect(await family(runId)).to.have.length(4);
  });

  it('that is deferred goes its own way, and starts when it is due', async () => {
    const runId = await start([
      { ref: 'd', type: 'DEFER', workflow: { slug: 'echo' }, input: { n: 5 }, delay: 'PT1H' },
    ]);
    const { ending } = await engine.ended(runId);
    const [, deferred] = await family(runId);
    expect(ending).to.deep.equal({ status: 'completed', output: { run_id: deferred?.id } });
    expect(deferred?.status).to.equal('pending');
    engine.clock.advance(3_600_000);
    expect((await engine.ended(deferred!.id)).ending).to.deep.equal({ status: 'completed', output: { n: 5 } });
  });
});

describe('Children', () => {
  it('are found by the host that comes next, whatever their own had in mind', async () => {
    const database = await createTestDatabase();
    const definitions = new Map();
    const dataId = randomUUID();
    const gate = new Gate();
    const actions = {
      'test.gate': async (args: unknown, control: Parameters<Gate['pass']>[0]) => {
        await gate.pass(control);
        return args as never;
      },
    };
    const one = await startTestEngine({ actions, database, definitions, dataId });
    one.define({ slug: 'held', ...chainOf([act('a', 'gate', { on_unknown: 'retry' })]) });
    const parents = await Promise.all(
      Array.from({ length: 20 }, () => one.start(one.define({ slug: 'p', steps: [sub('s', 'held')] }), { n: 1 })),
    );
    await one.crash();
    gate.release();
    const two = await startTestEngine({ actions, database, definitions, dataId });
    for (const runId of parents)
      expect((await two.ended(runId)).ending).to.deep.equal({ status: 'completed', output: { n: 1 } });
    await two.stop();
  });
});
