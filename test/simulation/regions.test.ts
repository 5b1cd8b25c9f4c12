import { setTimeout as delay } from 'node:timers/promises';
import { isFinal, RUN_CONTROLS, type RunControl } from '@ductor/core';
import { expect } from 'chai';
import fc from 'fast-check';
import { loadStates } from '#host/postgres/runs/load.js';
import { CHILD, type Plan, plan, workflowOf } from '../support/arbitrary-regions.ts';
import { definitionOf } from '../support/workflow.ts';
import { calm, settle, untilIn } from './calm.ts';
import { complaintsOf, type Played } from './regions-oracle.ts';
import { regionsKit, type Undo } from './regions-world.ts';
import { World } from './world.ts';

const FULL = process.env.FULL === '1';
const WORLDS = FULL ? 40 : 4;
const RUNS_PER_WORLD = 12;
const AT_MOST_MS = FULL ? 3_600_000 : 300_000;
const SPAN_MS = 250;

interface Act {
  readonly does: 'resolve' | RunControl;
  readonly nr: number;
  readonly branch: readonly number[];
  readonly afterMs: number;
  readonly host: number;
}

interface Scenario {
  readonly plan: Plan;
  readonly acts: readonly Act[];
}

interface Trouble {
  readonly does: 'crash' | 'cut';
  readonly host: number;
  readonly afterMs: number;
}

const afterMs = fc.integer({ min: 0, max: SPAN_MS });
const host = fc.nat(1);
const act: fc.Arbitrary<Act> = fc.record({
  does: fc.oneof(
    { weight: 4, arbitrary: fc.constant('resolve' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...RUN_CONTROLS, 'pause', 'resume', 'redrive') },
  ),
  nr: fc.nat(5),
  branch: fc.array(fc.nat(3), { minLength: 1, maxLength: 3 }),
  afterMs,
  host,
});
const scenario: fc.Arbitrary<Scenario> = fc.record({
  plan,
  acts: fc.oneof(fc.constant([]), fc.array(act, { maxLength: 8, size: 'max' })),
});
const trouble: fc.Arbitrary<Trouble> = fc.record({ does: fc.constantFrom('crash', 'cut', 'cut'), host, afterMs });

/** A run of a plan, and what it is sent meanwhile. */
async function run(world: World, { plan: made, acts }: Scenario, i: number): Promise<readonly [string, Plan]> {
  const workflow = workflowOf(made);
  const definition = definitionOf(workflow);
  world.definitions.set(definition.id, definition);
  const input = { key: `${i}`, items: made.items };
  const runId = await world.start(i, definition.id, { input, startAt: null });
  const signals = workflow.steps.filter(({ signal }) => signal !== undefined);
  await Promise.all(
    acts.map(async ({ does, nr, branch, afterMs: ms, host: at }) => {
      await delay(ms);
      const path = `/api/v2/workflow-runs/${runId}`;
      const step = signals[nr % Math.max(1, signals.length)];
      if (does !== 'resolve') allowed(await world.post(at, `${path}:${does}`, { request_id: `${does}/${nr}` }));
      else if (step) {
        const request_id = `resolve/${step.ref}/${branch.join('.')}`;
        allowed(await world.post(at, `${path}/steps/${step.ref}:resolve`, { request_id, branch }));
      }
    }),
  );
  return [runId, made];
}

const allowed = ({ status, body }: { status: number; body: object }) =>
  expect(status, JSON.stringify(body)).to.be.oneOf([200, 400, 404, 409]);

/** Signals come to all that wait for one. */
async function finish(world: World): Promise<void> {
  const isOver = async () => {
    const rows = await world.query<{ id: string }>('select id from eec_workflow_run where ended_at is null');
    const ids = rows.map(({ id }) => id);
    const states = (await loadStates(world.host.db.hot, ids)).flatMap((state) =>
      state && !isFinal(state.status) ? [state] : [],
    );
    for (const { header, open } of states) {
      for (const { at, generation, ...node } of open.values()) {
        if (node.status !== 'waiting' || node.wait.kind !== 'signal') continue;
        const { ref, branch } = at;
        const request_id = `finish/${ref}/${branch.join('.')}/${generation}`;
        await world.post(0, `/api/v2/workflow-runs/${header.id}/steps/${ref}:resolve`, { request_id, branch });
      }
    }
    return states.length === 0;
  };
  await untilIn(world, isOver, () => 'runs that do not end');
}

async function check(world: World, played: Played): Promise<void> {
  const complaints = await complaintsOf(world, played);
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
}

async function play(scenarios: readonly Scenario[], troubles: readonly Trouble[]): Promise<void> {
  const undone: Undo[] = [];
  const world = await World.open(regionsKit(undone));
  try {
    const child = definitionOf(CHILD);
    world.definitions.set(child.id, child);
    const [plans] = await Promise.all([
      Promise.all(scenarios.map((each, i) => run(world, each, i))),
      ...troubles.map(async ({ does, host: at, afterMs: ms }) => {
        await delay(ms);
        await world[does](at);
      }),
    ]);
    const played = { plans: new Map(plans), undone };
    await settle(world);
    await check(world, { ...played, plans: new Map() });
    await finish(world);
    await calm(world);
    await check(world, played);
  } finally {
    await world.close();
  }
}

describe('Regions within regions, and whatever happens to their runs and hosts meanwhile', function () {
  this.timeout(AT_MOST_MS + 60_000);

  it('run each branch once, so many at a time, come out as they must, and what they did is undone in reverse', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(scenario, { minLength: 1, maxLength: RUNS_PER_WORLD, size: 'max' }),
        fc.array(trouble, { maxLength: 4 }),
        play,
      ),
      // A world never comes about twice the same: there is nothing to be made smaller.
      { numRuns: WORLDS, endOnFailure: true },
    ));
});
