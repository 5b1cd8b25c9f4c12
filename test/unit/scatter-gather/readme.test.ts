import { expect } from 'chai';
import { blocksOf, readReadme } from '../../support/readme.ts';
import type { TestWorkflow } from '../../support/workflow.ts';
import { branchRun, MemoryRun } from '../coordinator/memory-run.ts';

describe('plugins/scatter-gather/README.md', () => {
  it('has an example that does what it says', () => {
    const [block] = blocksOf(readReadme('plugins/scatter-gather/README.md'));
    const { graph } = JSON.parse(block?.content ?? '') as { graph: TestWorkflow };
    const run = new MemoryRun(graph, { input: { numbers: [1, 2, 3] } });
    run.settle();
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: [1, 4, 9] });
  });

  it('has an example of branches that are runs, which does what it says', () => {
    const [, block] = blocksOf(readReadme('plugins/scatter-gather/README.md'));
    const { graph } = JSON.parse(block?.content ?? '') as { graph: TestWorkflow };
    const run = new MemoryRun(graph, { input: { parcels: [{ kg: 2 }, { kg: 40 }], price: { per_kg: 3 } } });
    expect(run.spawned[0]?.seed.input).to.deep.equal({ item: { kg: 2 }, index: 0, input: { price: { per_kg: 3 } } });
    for (const { runId, seed } of run.spawned) {
      const { ending } = branchRun(seed).state;
      if (ending?.status === 'completed' || ending?.status === 'failed') run.child(runId, ending);
    }
    run.settle();
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: ['0: 6', 'too_heavy'] });
  });
});
