import { expect } from 'chai';
import fc from 'fast-check';
import { ActionError } from '../../support/engine.ts';
import { until } from '../../support/until.ts';
import { act } from '../../support/workflow.ts';
import { ACTIONS, type SagaEngine, startSagaEngine, undoable } from './world.ts';

const RUNS = process.env.FULL === '1' ? 150 : 15;

interface Made {
  /** Whether the step can be undone, and how often its action fails before it completes; -1: for good. */
  readonly steps: readonly { readonly isUndoable: boolean; readonly fails: number }[];
  /** To a later step: its distance. */
  readonly edges: readonly { readonly from: number; readonly by: number }[];
  readonly ending: 'fails' | 'cancelled' | 'completes';
}

const made: fc.Arbitrary<Made> = fc.record({
  steps: fc.array(fc.record({ isUndoable: fc.boolean(), fails: fc.constantFrom(0, 0, 0, 0, 1, -1) }), {
    minLength: 1,
    maxLength: 7,
  }),
  edges: fc.array(fc.record({ from: fc.nat(6), by: fc.integer({ min: 1, max: 3 }) }), { maxLength: 10 }),
  ending: fc.constantFrom('fails', 'cancelled', 'completes'),
});

describe('A saga, over arbitrary graphs and outcomes', function () {
  this.timeout(300_000);
  let engine: SagaEngine;
  const tries = new Map<string, number>();
  before(async () => {
    engine = await startSagaEngine({
      actions: {
        'test.do': (args, { dispatch }) => {
          const { fails } = args as { fails: number };
          const tried = (tries.get(dispatch.task.idempotencyKey) ?? 0) + 1;
          tries.set(dispatch.task.idempotencyKey, tried);
          if (fails === -1) throw new ActionError('refused', { retryable: false });
          if (tried <= fails) throw new ActionError('busy');
          return { n: tried, key: dispatch.task.idempotencyKey };
        },
      },
    });
  });
  after(() => engine.stop());

  it('undoes every completed execution that can be undone exactly once, the last first', async () => {
    await fc.assert(
      fc.asyncProperty(made, async ({ steps, edges, ending }) => {
        const retry = { max_attempts: 2, initial_interval_ms: 1 };
        const undo = { args: '${output}' };
        const workflow = {
          steps: [
            ...steps.map(({ isUndoable, fails }, i) => {
              const more = { args: { fails }, retry };
              return isUndoable ? undoable(`s${i}`, more, undo) : act(`s${i}`, more);
            }),
            ending === 'cancelled'
              ? { ref: 'last', type: 'WAIT', signal: 'go' }
              : { ref: 'last', type: ending === 'fails' ? 'FAIL' : 'TRANSFORM', code: 'no', value: 1 },
          ],
          edges: [
            ...new Map(
              edges
                .filter(({ from, by }) => from + by < steps.length)
                .map(({ from, by }) => [`${from}/${by}`, { from: `s${from}`, to: `s${from + by}` }]),
            ).values(),
            ...steps.map((_, i) => ({ from: `s${i}`, to: 'last', type: 'ALWAYS' })),
          ],
          actions: ACTIONS,
        };
        const runId = await engine.start(engine.define(workflow));
        if (ending === 'cancelled') {
          await until(async () => {
            const { status, endedAt } = await engine.state(runId);
            return endedAt !== null || status === 'waiting';
          }, 'it waits');
          await engine.control(runId, 'cancel');
        }
        const ended = await engine.ended(runId);
        const completed = await engine.query<{ key: string; step_ref: string; version: number; ord: number }>(
          `select a.output ->> 'key' as key, a.step_ref from eec_workflow_step_attempt a
           join eec_workflow_transition t on t.run_id = a.run_id
           cross join lateral json_array_elements(t.changes) with ordinality c (change, ord)
           where a.run_id = $1 and a.status = 'completed' and change ->> 'type' = 'node'
             and change -> 'node' ->> 'status' = 'completed' and change -> 'node' -> 'at' ->> 'ref' = a.step_ref
           order by t.version desc, c.ord desc`,
          runId,
        );
        const canBeUndone = completed.filter(({ step_ref }) => steps[Number(step_ref.slice(1))]?.isUndoable);
        const expected = ended.status === 'completed' ? [] : canBeUndone.map(({ key }) => `undo/${key}`);
        if (expected.length > 0) await engine.compensated(runId);
        else expect(await engine.compensations(runId)).to.eql([]);
        const undone = engine.effects.applied.filter(({ key }) => key.startsWith(`undo/${runId}/`));
        expect(undone.map(({ key }) => key)).to.eql(expected);
        expect(undone.map(({ what }) => `undo/${(what as { key: string }).key}`)).to.eql(expected);
        expect((await engine.state(runId)).status).to.equal(ended.status);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});
