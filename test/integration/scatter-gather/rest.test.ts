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
});
