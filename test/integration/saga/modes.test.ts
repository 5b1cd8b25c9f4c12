import { expect } from 'chai';
import { until } from '../../support/until.ts';
import { failing, type SagaEngine, saga, startSagaEngine, undoable } from './world.ts';

describe('a saga over branches', () => {
  let engine: SagaEngine;
  before(async () => {
    engine = await startSagaEngine();
  });
  beforeEach(() => {
    engine.effects.applied.length = 0;
  });
  after(() => engine.stop());

  /** Two steps an item, the second of which fails where the item says so; after the branches one that fails the run. */
  const start = (scatter: object, items: readonly string[], last: object[] = [failing('last')]) =>
    engine.start(
      engine.define(
        saga({
          steps: [
            undoable('before'),
            { ref: 'each', type: 'SCATTER', items: 'input.items', max_in_flight: 1, ...scatter },
            undoable('do', {}, { args: { ref: 'do', item: '${item}', n: '${output.n}' } }),
            { ref: 'check', type: 'CONDITION', expression: 'item != "bad"' },
            failing('refuse'),
            { ref: 'all', type: 'GATHER', scatter: 'each' },
            ...(last as never[]),
          ],
          edges: [
            { from: 'before', to: 'each' },
            { from: 'each', to: 'do' },
            { from: 'do', to: 'check' },
            { from: 'check', to: 'all', type: 'TRUE' },
            { from: 'check', to: 'refuse', type: 'FALSE' },
            ...(last.length > 0 ? [{ from: 'all', to: 'last' }] : []),
          ],
        }),
      ),
      { items },
    );
  const undone = () => engine.effects.undone.map((args) => (args as { item?: string }).item ?? 'before');

  for (const mode of ['inline', 'child_run']) {
    it(`(${mode}) undoes each with its own output when the run fails, the last first`, async () => {
      const runId = await start({ mode, on_branch_failure: 'collect' }, ['a', 'bad', 'c']);
      await engine.ended(runId);
      const undo = await engine.compensated(runId);
      expect(undo.ended.get('undo')).to.deep.include({ output: { undone: 4, failed: 0 } });
      expect(undone()).to.deep.equal(['c', 'bad', 'a', 'before']);
      const numbers = engine.effects.undone.map((args) => (args as { n: number }).n);
      expect(numbers).to.deep.equal([...numbers].sort((a, b) => b - a));
    });

    it(`(${mode}) undoes those that completed when another one fails`, async () => {
      const runId = await start({ mode }, ['a', 'bad', 'c']);
      await engine.compensated(runId);
      expect(undone()).to.deep.equal(['bad', 'a', 'before']);
    });

    it(`(${mode}) undoes nothing of a branch that failed when the run completes`, async () => {
      const runId = await start({ mode, on_branch_failure: 'collect' }, ['a', 'bad'], []);
      expect((await engine.ended(runId)).status).to.equal('completed');
      const others = await engine.query(
        `select from eec_workflow_run where root_run_id = $1 and kind = 'compensation'`,
        runId,
      );
      expect(others).to.deep.equal([]);
    });
  }

  it('refuses to redrive a branch alone once its run has ended over it', async () => {
    const runId = await start({ mode: 'child_run' }, ['bad']);
    await engine.compensated(runId);
    const [child] = await engine.query<{ id: string }>(
      `select id from eec_workflow_run where root_run_id = $1 and kind = 'branch'`,
      runId,
    );
    await engine.control(child?.id ?? '', 'redrive');
    const outcome = await until(async () => {
      const [row] = await engine.query<{ outcome: { outcome: string } | null }>(
        `select outcome from eec_workflow_inbox where chain_id = $1 and body ->> 'control' = 'redrive'`,
        child?.id,
      );
      return row?.outcome ?? null;
    }, 'the redrive to be looked at');
    expect(outcome).to.include({ outcome: 'refused' });
  });
});
