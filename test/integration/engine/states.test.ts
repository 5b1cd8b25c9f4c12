import type { RunState } from '@ductor/core';
import { derivedFraction } from '@ductor/core';
import { expect } from 'chai';
import fc from 'fast-check';
import { loadStates } from '#host/postgres/runs/load.js';
import { ARBITRARY_INPUT, arbitraryWorkflow } from '../../support/arbitrary-workflow.ts';
import { ActionError, startTestEngine, type TestAction, type TestEngine } from '../../support/engine.ts';

const RUNS = process.env.FULL === '1' ? 1_000 : 100;

/** Comes out by its execution's key and number, so that a run may be told again. */
const fated: TestAction = (args, { dispatch }) => {
  const { task, attempt } = dispatch;
  const fate = derivedFraction(`${task.idempotencyKey}/${attempt.number}`);
  if (fate < 0.25) throw new ActionError('boom', { retryable: fate < 0.2 });
  return fate < 0.3 ? 'x'.repeat(70_000) : { args };
};

describe('The states of arbitrary runs', () => {
  let test: TestEngine;
  const seen = new Map<string, RunState[]>();
  before(async () => {
    const actions = { 'test.read': fated, 'test.keyed': fated, 'test.write': fated };
    test = await startTestEngine({ actions });
  });
  after(() => test.stop());

  it('are the same loaded as they were in mind, at every version', async function () {
    this.timeout(RUNS * 500);
    const workflows = fc.sample(arbitraryWorkflow({ parks: false }), { numRuns: RUNS, seed: 7 });
    const runs = await Promise.all(
      workflows.map(async (workflow) => {
        const steps = workflow.steps.map((step) => ({
          ...step,
          retry: { initial_interval_ms: 5, max_interval_ms: 20 },
        }));
        const runId = await test.start(test.define({ ...workflow, steps, settings: {} }), ARBITRARY_INPUT);
        const states: RunState[] = [];
        seen.set(runId, states);
        test.engine.coordinator.feed.subscribe(runId, (_, state) => states.push(structuredClone(state)));
        return runId;
      }),
    );
    for (const runId of runs) await test.ended(runId);
    let compared = 0;
    for (const [runId, states] of seen) {
      for (const state of states) {
        const [loaded] = await loadStates(test.db.hot, [runId], { upTo: state.version });
        expect(loaded).to.deep.equal(state);
        compared += 1;
      }
    }
    expect(compared).to.be.greaterThan(RUNS / 2);
  });

  it('are the same loaded from what was kept of them, and from before that', async function () {
    this.timeout(RUNS * 500);
    for (const [runId, states] of seen) {
      const last = states.at(-1);
      const middle = states[states.length >> 1];
      for (const kept of [states[0], middle, last]) {
        if (!kept || !last) continue;
        await test.engine.store.keep(kept);
        const unkept = last.unkept - kept.unkept;
        expect(await test.state(runId)).to.deep.equal({ ...last, unkept });
      }
      // An older one replaces nothing.
      if (states[0]) await test.engine.store.keep(states[0]);
      if (last) expect(await test.state(runId)).to.deep.equal({ ...last, unkept: 0 });
      if (!middle || middle === last) continue;
      const [before] = await loadStates(test.db.hot, [runId], { upTo: middle.version });
      expect(before).to.deep.equal(middle);
    }
  });
});
