import { type AttemptOutcome, nodeKey } from '@ductor/core';
import { expect } from 'chai';
import fc from 'fast-check';
import { expectedOf, plan, withoutErrors, workflowOf } from '../../support/arbitrary-regions.ts';
import { type AttemptRow, arrivalOf, failureOf, MemoryRun } from './memory-run.ts';

const CASES = process.env.FULL === '1' ? 2_000 : 60;

/** What an action of such a workflow answers. */
function outcomeOf({ task, number }: AttemptRow): AttemptOutcome {
  const { refused, busy } = task.args as { refused: boolean; busy: boolean };
  if (refused) return failureOf({ code: 'refused' });
  if (busy && number === 1) return failureOf({ code: 'busy', retryable: true });
  return { status: 'completed', output: { n: number } };
}

/** Each in turn is what happens next: an attempt, a signal, the end of a child, or time that passes. */
function step(run: MemoryRun, pick: number): void {
  const { open, state } = run;
  const signalled = [...state.open.values()].filter((node) => node.status === 'waiting' && node.wait.kind === 'signal');
  const children = [...state.children.keys()];
  const all = open.length + signalled.length + children.length;
  if (all === 0 || pick % 7 === 0) {
    run.advance(10 + pick);
    return;
  }
  const next = pick % all;
  const attempt = open[next];
  const node = signalled[next - open.length];
  const child = children[next - open.length - signalled.length];
  if (attempt) run.tick({ arrivals: [arrivalOf(attempt, outcomeOf(attempt)), ...run.due()] });
  else if (node) run.signal(nodeKey(node.at), { verb: 'resolve' });
  else if (child) run.child(child, { status: 'completed', output: null });
}

describe('Regions within regions', () => {
  it('come out as their items say, in whatever order things happen', function () {
    this.timeout(CASES * 1_000);
    fc.assert(
      fc.property(plan, fc.infiniteStream(fc.nat(200)), (made, picks) => {
        const regions = made.regions.map((region) => ({ ...region, timeout: null }));
        const run = new MemoryRun(workflowOf({ ...made, regions }), { input: { items: made.items } });
        let steps = 0;
        for (const pick of picks) {
          if (run.isOver) break;
          steps += 1;
          expect(steps, 'steps to the end').to.be.lessThan(2_000);
          step(run, pick);
        }
        const { ending } = run.state;
        const is =
          ending?.status === 'completed'
            ? { ...ending, output: withoutErrors(ending.output) }
            : { status: ending?.status };
        expect(is).to.deep.equal(expectedOf(made));
      }),
      { numRuns: CASES, endOnFailure: true },
    );
  });
});
