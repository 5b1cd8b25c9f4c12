import { expect } from 'chai';
import { publishGraph, startTestHost, type TestHost } from '../../support/host.ts';
import { until } from '../../support/until.ts';

interface Member {
  readonly run_id: string;
  readonly parent_run_id: string | null;
  readonly parent_step_ref: string | null;
  readonly depth: number;
  readonly relation: string;
  readonly workflow_type: string;
}

describe('The labels of a run', () => {
  let host: TestHost;
  before(async () => {
    host = await startTestHost();
    await publishGraph(host, 'leaf', {
      graph: { steps: [{ ref: 't', type: 'TRANSFORM', value: '${run.labels.order}' }], edges: [] },
    });
    await publishGraph(host, 'middle', {
      graph: { steps: [{ ref: 'sub', type: 'SUBWORKFLOW', workflow: { slug: 'leaf' } }], edges: [] },
    });
    await publishGraph(host, 'top', {
      graph: {
        steps: [
          { ref: 'sub', type: 'SUBWORKFLOW', workflow: { slug: 'middle' } },
          { ref: 'later', type: 'DEFER', workflow: { slug: 'leaf' }, delay: 'PT1H' },
        ],
        edges: [{ from: 'sub', to: 'later', type: 'SUCCESS' }],
      },
    });
  });
  after(() => host.stop());

  it('are those of all its descendants: one filter finds them, and the tree shows how they are related', async () => {
    const { body } = await host.call<{ run_id: string }>('POST', '/api/v2/workflow-definitions/top:trigger', {
      correlation_labels: [{ key: 'order', id: 'o-1' }],
    });
    const run = () => host.call<{ status: string }>('GET', `/api/workflows/runs/${body.run_id}`);
    await until(async () => (await run()).body.status === 'completed', 'the run to complete');
    const found = await host.call<{ items: readonly { run_id: string; attributes: object }[] }>(
      'GET',
      '/api/workflows/runs?label.order=o-1',
    );
    const { items: tree } = (
      await host.call<{ items: readonly Member[] }>('GET', `/api/workflows/runs/${body.run_id}/tree`)
    ).body;
    expect(
      tree.map(({ workflow_type, relation, parent_step_ref }) => [workflow_type, relation, parent_step_ref]),
    ).to.have.deep.members([
      ['top', 'root', null],
      ['middle', 'child', 'sub'],
      ['leaf', 'child', 'sub'],
      ['leaf', 'deferred', 'later'],
    ]);
    expect(found.body.items.map(({ run_id }) => run_id)).to.have.members(tree.map(({ run_id }) => run_id));
    for (const { attributes } of found.body.items) expect(attributes).to.include({ 'ductor.correlation.order': 'o-1' });
    const leaf = tree.find(({ depth }) => depth === 2)!;
    const { body: whole } = await host.call<{ output: unknown }>('GET', `/api/workflows/runs/${leaf.run_id}`);
    expect(whole.output).to.equal('o-1');
  });
});
