import { expect } from 'chai';
import { blocksOf, readReadme } from '../../support/readme.ts';
import type { TestWorkflow } from '../../support/workflow.ts';
import { MemoryRun } from '../coordinator/memory-run.ts';

describe('plugins/scatter-gather/README.md', () => {
  it('has an example that does what it says', () => {
    const [block] = blocksOf(readReadme('plugins/scatter-gather/README.md'));
    const { graph } = JSON.parse(block?.content ?? '') as { graph: TestWorkflow };
    const run = new MemoryRun(graph, { input: { numbers: [1, 2, 3] } });
    run.settle();
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: [1, 4, 9] });
  });
});
