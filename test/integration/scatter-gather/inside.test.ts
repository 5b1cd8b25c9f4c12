import { expect } from 'chai';
import { publishGraph, startTestHost, type TestHost } from '../../support/host.ts';
import { until } from '../../support/until.ts';

interface Snapshot {
  readonly status: string;
  readonly output: never;
  readonly nodes: { readonly [key: string]: { readonly status: string } };
  readonly context?: object;
}

type Step = { readonly ref: string; readonly type: string; readonly [field: string]: unknown };

/** One step a branch, and what becomes of its ends. */
const over = (
  steps: readonly Step[],
  { leads = 'SUCCESS', scatter = {} }: { leads?: string; scatter?: object } = {},
) => ({
  steps: [
    { ref: 'each', type: 'SCATTER', items: 'input', on_branch_failure: 'collect', ...scatter },
    ...steps,
    { ref: 'all', type: 'GATHER', scatter: 'each' },
  ],
  edges: [
    { from: 'each', to: steps[0]?.ref, type: 'SUCCESS' },
    { from: steps[0]?.ref, to: 'all', type: leads },
  ],
});

describe('Steps that wait, in branches', () => {
  let host: TestHost;
  before(async () => {
    host = await startTestHost();
    await publishGraph(host, 'child', {
      graph: {
        steps: [{ ref: 'c', type: 'WAIT', signal: 'go' }],
        edges: [],
        output: { of: '${input}', is: '${steps.c.output}' },
      },
    });
  });
  after(() => host.stop());

  const start = async (slug: string, graph: object, input: unknown): Promise<string> => {
    await publishGraph(host, slug, { graph });
    const { body } = await host.call<{ run_id: string }>('POST', `/api/v2/workflow-definitions/${slug}:trigger`, {
      input,
    });
    return body.run_id;
  };
  const stands = (runId: string, is: (now: Snapshot) => boolean) =>
    until(async () => {
      const { body } = await host.call<Snapshot>('GET', `/api/v2/workflow-runs/${runId}/snapshot`);
      return is(body) ? body : null;
    }, `${runId} to stand so`);
  const parked = (runId: string, ...keys: readonly string[]) =>
    stands(runId, ({ nodes }) => keys.every((key) => nodes[key]?.status === 'waiting'));
  const completed = async (runId: string) => (await stands(runId, ({ status }) => status === 'completed')).output;
  const signal = async (runId: string, words: string, body: object) => {
    const path = `/api/v2/workflow-runs/${runId}/steps/${words}`;
    const { status } = await host.call('POST', path, { request_id: JSON.stringify([words, body]), ...body });
    expect(status).to.equal(200);
  };
  const publish = async (correlation_key: string, event_id: string, payload: object = {}) => {
    const event = { event_name: 'paid', correlation_key, event_id, payload };
    return (await host.call<{ matched: number }>('POST', '/api/v2/workflow-events:publish', event)).body.matched;
  };

  it('hear each its own event: of its own key, and that fits its own item', async () => {
    const event = { event_name: 'paid', correlation_key: 'item.key', match: 'event.payload.n == item.n' };
    const items = [
      { key: 'a', n: 1 },
      { key: 'a', n: 2 },
      { key: 'b', n: 1 },
    ];
    const runId = await start('events', over([{ ref: 'w', type: 'WAIT', event }]), items);
    await parked(runId, '0/w', '1/w', '2/w');
    expect(await publish('a', 'e1', { n: 2 })).to.equal(1);
    expect(await publish('b', 'e2', { n: 2 })).to.equal(0);
    expect(await publish('b', 'e3', { n: 1 })).to.equal(1);
    expect(await publish('a', 'e4', { n: 1 })).to.equal(1);
    expect(await completed(runId)).to.deep.equal(
      [1, 2, 1].map((n, index) => ({ index, status: 'completed', output: { n } })),
    );
  });

  it('gather each its own set of events', async () => {
    const set = {
      ...{ ref: 'w', type: 'EVENT_SET', correlation_key: 'item', timeout: 'PT1H' },
      requirements: [{ name: 'two', event_name: 'paid', count: 2 }],
    };
    const runId = await start('sets', over([set]), ['x', 'y']);
    await parked(runId, '0/w', '1/w');
    for (const [i, key] of ['x', 'y', 'y', 'x'].entries()) expect(await publish(key, `s${i}`)).to.equal(1);
    const output = (await completed(runId)) as { output: { matched: { two: { event_id: string }[] } } }[];
    const ids = output.map((branch) => branch.output.matched.two.map(({ event_id }) => event_id).sort());
    expect(ids).to.deep.equal([
      ['s0', 's3'],
      ['s1', 's2'],
    ]);
  });

  it('are approved or rejected each by its address', async () => {
    const approval = { ref: 'ok', type: 'APPROVAL', approvers: ['ann', 'ben'], timeout: 'PT1H' };
    const runId = await start('approvals', over([approval], { leads: 'APPROVED' }), [1, 2, 3]);
    await parked(runId, '0/ok', '1/ok', '2/ok');
    await signal(runId, 'ok:approve', { branch: [2], approver_id: 'ann' });
    await signal(runId, 'ok:reject', { branch: [1], approver_id: 'ben' });
    await signal(runId, 'ok:approve', { branch: [0], approver_id: 'ben' });
    const output = (await completed(runId)) as { status: string; error?: { code: string } }[];
    expect(output.map(({ status, error }) => error?.code ?? status)).to.deep.equal([
      'completed',
      'rejected',
      'completed',
    ]);
  });

  it('race each for itself, and leave no wait of a loser', async () => {
    const until = 'item == 0 ? run.started_at : "2100-01-01T00:00:00Z"';
    const steps = [
      { ref: 'race', type: 'RACE', arms: ['go', 'late'] },
      { ref: 'go', type: 'WAIT', signal: 'go' },
      { ref: 'late', type: 'WAIT', until },
    ];
    const runId = await start('races', over(steps), [0, 1]);
    await parked(runId, '1/go', '1/late');
    await signal(runId, 'go:resolve', { branch: [1], payload: 'in time' });
    const output = (await completed(runId)) as { output: { winner: string } }[];
    expect(output.map(({ output: { winner } }) => winner)).to.deep.equal(['late', 'go']);
  });

  it('start a run for each, and have its output', async () => {
    const sub = { ref: 'sub', type: 'SUBWORKFLOW', workflow: { slug: 'child' }, input: '${item}' };
    const runId = await start('children', over([sub], { scatter: { max_in_flight: 2 } }), ['a', 'b', 'c']);
    const answered = new Set<string>();
    await until(async () => {
      const { body } = await host.call<{ items: { run_id: string; status: string; parent_branch?: number[] }[] }>(
        'GET',
        `/api/workflows/runs/${runId}/tree`,
      );
      const open = body.items.filter((each) => each.run_id !== runId && each.status === 'waiting');
      expect(open.length).to.be.most(2);
      for (const { run_id } of open) {
        if (answered.has(run_id)) continue;
        answered.add(run_id);
        await signal(run_id, 'c:resolve', { payload: 'done' });
      }
      return answered.size === 3;
    }, 'three children');
    expect(await completed(runId)).to.deep.equal(
      ['a', 'b', 'c'].map((of, index) => ({ index, status: 'completed', output: { of, is: 'done' } })),
    );
  });

  it('cancel the children of branches with their run', async () => {
    const sub = { ref: 'sub', type: 'SUBWORKFLOW', workflow: { slug: 'child' }, input: '${item}' };
    const runId = await start('orphans', over([sub]), ['a', 'b']);
    await parked(runId, '0/sub', '1/sub');
    await host.call('POST', `/api/v2/workflow-runs/${runId}:cancel`, { request_id: 'c' });
    await until(async () => {
      const { body } = await host.call<{ items: { status: string }[] }>('GET', `/api/workflows/runs/${runId}/tree`);
      return body.items.length === 3 && body.items.every(({ status }) => status === 'cancelled');
    }, 'all to be cancelled');
  });

  it('that are runs are signalled by their own', async () => {
    const go = { ref: 'go', type: 'WAIT', signal: 'go' };
    const runId = await start('apart', over([go], { scatter: { mode: 'child_run' } }), ['a']);
    const resolve = (id: string, body: object) =>
      host.call<{ error?: { details: { code: string }[] } }>('POST', `/api/v2/workflow-runs/${id}/steps/go:resolve`, {
        request_id: 'r',
        ...body,
      });
    const { status, body } = await resolve(runId, { branch: [0] });
    expect([status, body.error?.details[0]?.code]).to.deep.equal([400, 'other_run']);
    const child = await until(async () => {
      const tree = await host.call<{ items: { run_id: string; status: string }[] }>(
        'GET',
        `/api/workflows/runs/${runId}/tree`,
      );
      return tree.body.items.find(({ run_id, status: is }) => run_id !== runId && is === 'waiting') ?? null;
    }, 'its run');
    expect((await resolve(child.run_id, { payload: 1 })).status).to.equal(200);
    expect(await completed(runId)).to.deep.equal([{ index: 0, status: 'completed', output: 1 }]);
  });

  it('write to the context in the order in which they end', async () => {
    const steps = [
      { ref: 'go', type: 'WAIT', signal: 'go', effects: { context: { seen: '${item}', last: '${output}' } } },
    ];
    const runId = await start('effects', { ...over(steps), output: '${context}' }, ['a', 'b']);
    await parked(runId, '0/go', '1/go');
    await signal(runId, 'go:resolve', { branch: [1], payload: 1 });
    await stands(runId, ({ nodes }) => nodes['1/go'] === undefined);
    await signal(runId, 'go:resolve', { branch: [0], payload: 2 });
    expect(await completed(runId)).to.deep.equal({ seen: 'a', last: 2 });
  });

  it('nest three deep, and say where they are', async () => {
    const steps = [
      { ref: 'a', type: 'SCATTER', items: 'input' },
      { ref: 'b', type: 'SCATTER', items: 'item' },
      { ref: 'c', type: 'SCATTER', items: 'item', max_in_flight: 1 },
      { ref: 'go', type: 'WAIT', signal: 'go' },
      {
        ref: 'is',
        type: 'TRANSFORM',
        value: '${[scatters.a.index, scatters.b.index, scatters.c.index, index, item, steps.go.output]}',
      },
      { ref: 'c_all', type: 'GATHER', scatter: 'c' },
      { ref: 'b_all', type: 'GATHER', scatter: 'b', reduce: 'results.map(r, r.size())' },
      { ref: 'a_all', type: 'GATHER', scatter: 'a' },
    ];
    const chain = ['a', 'b', 'c', 'go', 'is', 'c_all', 'b_all', 'a_all'];
    const edges = chain.slice(1).map((to, i) => ({ from: chain[i], to, type: 'SUCCESS' }));
    const input = [[['x', 'y'], []], [['z']]];
    const runId = await start('deep', { steps, edges }, input);
    await parked(runId, '0.0.0/go', '1.0.0/go');
    for (const branch of [
      [0, 0, 1],
      [1, 0, 0],
      [0, 0, 0],
    ])
      await signal(runId, 'go:resolve', { branch, payload: 'ok' });
    expect(await completed(runId)).to.deep.equal([[2, 0], [1]]);
    const { body } = await host.call<{ items: { output: unknown }[] }>(
      'GET',
      `/api/v2/workflow-runs/${runId}/nodes/a/branches`,
    );
    expect(body.items.map(({ output }) => output)).to.deep.equal([[2, 0], [1]]);
  });
});
