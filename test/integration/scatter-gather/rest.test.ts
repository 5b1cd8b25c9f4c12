import { expect } from 'chai';
import { publishGraph, startTestHost, type TestHost } from '../../support/host.ts';
import { until } from '../../support/until.ts';

const graph = {
  steps: [
    { ref: 'each', type: 'SCATTER', items: 'input', max_in_flight: 2, on_branch_failure: 'collect' },
    { ref: 'odd', type: 'CONDITION', expression: 'item % 2 == 1' },
    { ref: 'refuse', type: 'FAIL', code: 'even' },
    { ref: 'go', type: 'WAIT', signal: 'go' },
    { ref: 'all', type: 'GATHER', scatter: 'each', reduce: 'results.map(r, r.status)' },
  ],
  edges: [
    { from: 'each', to: 'odd', type: 'SUCCESS' },
    { from: 'odd', to: 'go', type: 'TRUE' },
    { from: 'odd', to: 'refuse', type: 'FALSE' },
    { from: 'go', to: 'all', type: 'SUCCESS' },
  ],
};

interface Snapshot {
  readonly status: string;
  readonly output: unknown;
  readonly nodes: { readonly [ref: string]: { readonly branches?: object; readonly status: string } };
}
interface Branches {
  readonly items: readonly { readonly index: number; readonly status: string; readonly variables: object }[];
  readonly next_page_token: string | null;
}

const generationOf = (node: object | undefined) => (node as { generation?: number } | undefined)?.generation;

const snapshot = async (host: TestHost, runId: string) =>
  (await host.call<Snapshot>('GET', `/api/v2/workflow-runs/${runId}/snapshot`)).body;

const trigger = async (host: TestHost, input: unknown) => {
  const { body } = await host.call<{ run_id: string }>('POST', '/api/v2/workflow-definitions/fan:trigger', { input });
  return body.run_id;
};

const stands = (host: TestHost, runId: string, is: (now: Snapshot) => boolean) =>
  until(async () => {
    const now = await snapshot(host, runId);
    return is(now) ? now : null;
  }, `${runId} to stand so`);

describe('Branches by the REST API', () => {
  let host: TestHost;
  before(async () => {
    host = await startTestHost();
    await publishGraph(host, 'fan', { graph });
  });
  after(() => host.stop());

  it('are counted in the snapshot, listed by status, and moved on by signals', async () => {
    const runId = await trigger(host, [2, 1, 3, 5, 7]);
    const now = await stands(host, runId, ({ nodes }) => nodes['1/go'] !== undefined && nodes['2/go'] !== undefined);
    const counts = { total: 5, pending: 2, in_flight: 2, completed: 0, failed: 1, cancelled: 0 };
    expect(now.nodes.each?.branches).to.deep.equal(counts);
    const list = async (query: string, node = 'each') =>
      (await host.call<Branches>('GET', `/api/v2/workflow-runs/${runId}/nodes/${node}/branches${query}`)).body;
    expect((await list('')).items.map(({ index, status }) => [index, status])).to.deep.equal([
      [0, 'failed'],
      [1, 'in_flight'],
      [2, 'in_flight'],
      [3, 'pending'],
      [4, 'pending'],
    ]);
    expect((await list('?status=failed')).items[0]).to.deep.include({ index: 0, variables: { item: 2, index: 0 } });
    const first = await list('?status=pending&page_size=1');
    expect(first.items.map(({ index }) => index)).to.deep.equal([3]);
    const second = await list(`?status=pending&page_size=1&page_token=${first.next_page_token}`);
    expect(second.items.map(({ index }) => index)).to.deep.equal([4]);
    expect((await host.call('GET', `/api/v2/workflow-runs/${runId}/nodes/odd/branches`)).status).to.equal(404);
    const why = await host.call<{ reasons: object[] }>('GET', `/api/v2/workflow-runs/${runId}/why`);
    expect(why.body.reasons[0]).to.deep.include({
      step_ref: 'each',
      code: 'branches_open',
      total: 5,
      open: 2,
      pending: 2,
    });
    for (const index of [1, 2, 3, 4]) {
      await stands(host, runId, ({ nodes }) => nodes[`${index}/go`] !== undefined);
      const { status } = await host.call('POST', `/api/v2/workflow-runs/${runId}/steps/go:resolve`, {
        request_id: `go-${index}`,
        branch: [index],
      });
      expect(status).to.equal(200);
    }
    const ended = await stands(host, runId, ({ status }) => status === 'completed');
    expect(ended.output).to.deep.equal(['failed', 'completed', 'completed', 'completed', 'completed']);
  });

  it('that are runs are looked at, paused, signalled and redriven like any run, and the tree has them', async () => {
    const apart = {
      ...graph,
      steps: graph.steps.map((step) => (step.ref === 'each' ? { ...step, mode: 'child_run' } : step)),
    };
    await publishGraph(host, 'apart', { graph: apart });
    const { body } = await host.call<{ run_id: string }>('POST', '/api/v2/workflow-definitions/apart:trigger', {
      input: [2, 1, 3],
      correlation_labels: [{ key: 'order', id: 'o-1' }],
    });
    const runId = body.run_id;
    const list = async (query = '') =>
      (
        await host.call<{ items: { index: number; status: string; run_id: string | null }[] }>(
          'GET',
          `/api/v2/workflow-runs/${runId}/nodes/each/branches${query}`,
        )
      ).body.items;
    const items = await until(async () => {
      const now = await list();
      return now.map(({ status }) => status).join() === 'failed,in_flight,in_flight' ? now : null;
    }, 'two branches in flight');
    const [failed, first, second] = items.map(({ run_id }) => run_id ?? '');
    const why = await host.call<{ reasons: object[] }>('GET', `/api/v2/workflow-runs/${runId}/why`);
    expect(
      why.body.reasons.map(({ code, run_id }: { code?: string; run_id?: string }) => [code, run_id]),
    ).to.deep.equal([
      ['branches_open', undefined],
      ['waiting_for_child', first],
      ['waiting_for_child', second],
    ]);
    expect((await snapshot(host, runId)).nodes['1/each[]']).to.deep.include({
      type: 'STEP_TYPE_BRANCH',
      reason: { code: 'waiting_for_child', run_id: first },
    });
    const tree = await host.call<{
      items: { run_id: string; relation: string; parent_branch: number[]; kind: string }[];
    }>('GET', `/api/workflows/runs/${runId}/tree`);
    expect(
      tree.body.items.map(({ run_id, relation, kind, parent_branch }) => [run_id, relation, kind, parent_branch]),
    ).to.have.deep.members([
      [runId, 'root', 'workflow', []],
      [failed, 'child', 'branch', [0]],
      [first, 'child', 'branch', [1]],
      [second, 'child', 'branch', [2]],
    ]);
    const child = await stands(host, first ?? '', ({ nodes }) => nodes.go !== undefined);
    expect(child).to.deep.include({ input: { item: 1, index: 1 }, labels: { order: 'o-1' } });
    const control = (id: string, name: string) =>
      host.call('POST', `/api/v2/workflow-runs/${id}:${name}`, { request_id: `${name}-${id}` });
    expect((await control(first ?? '', 'pause')).status).to.equal(200);
    await stands(host, first ?? '', ({ status }) => status === 'paused');
    expect((await control(first ?? '', 'resume')).status).to.equal(200);
    for (const id of [first, second]) {
      await stands(host, id ?? '', ({ nodes }) => nodes.go !== undefined);
      await host.call('POST', `/api/v2/workflow-runs/${id}/steps/go:resolve`, { request_id: `go-${id}`, payload: 1 });
    }
    const ended = await stands(host, runId, ({ status }) => status === 'completed');
    expect(ended.output).to.deep.equal(['failed', 'completed', 'completed']);
    expect((await list('?status=completed')).map(({ run_id }) => run_id)).to.deep.equal([first, second]);
    expect((await control(failed ?? '', 'redrive')).status).to.equal(200);
    await stands(host, failed ?? '', ({ status, nodes }) => status === 'failed' && generationOf(nodes.refuse) === 2);
  });

  it('take signals before they have come to their step, and do nothing with those that come after their end', async () => {
    const runId = await trigger(host, [1, 2, 3, 5]);
    const resolve = (request_id: string, branch?: readonly number[]) =>
      host.call<{ error?: { details: readonly object[] } }>('POST', `/api/v2/workflow-runs/${runId}/steps/go:resolve`, {
        request_id,
        ...(branch && { branch }),
      });
    // Branch 3 has not started.
    await stands(host, runId, ({ nodes }) => nodes['0/go'] !== undefined && nodes['2/go'] !== undefined);
    expect((await resolve('early', [3])).status).to.equal(200);
    expect((await resolve('far', [4])).status).to.equal(404);
    for (const branch of [undefined, [], [0, 0]]) {
      const { status, body } = await resolve('where', branch);
      expect(status).to.equal(400);
      expect(body.error?.details[0]).to.include({ path: 'branch', code: 'wrong_branch' });
    }
    expect((await resolve('zero', [0])).status).to.equal(200);
    await stands(host, runId, ({ nodes }) => nodes.each?.status === 'waiting' && nodes['0/go'] === undefined);
    expect((await resolve('late', [0])).status).to.equal(200);
    expect((await resolve('two', [2])).status).to.equal(200);
    const ended = await stands(host, runId, ({ status }) => status === 'completed');
    expect(ended.output).to.deep.equal(['completed', 'failed', 'completed', 'completed']);
  });
});
