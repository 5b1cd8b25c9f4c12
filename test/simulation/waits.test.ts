import { setTimeout as delay } from 'node:timers/promises';
import { isFinal, RUN_CONTROLS, type RunControl } from '@ductor/core';
import { expect } from 'chai';
import fc from 'fast-check';
import { loadStates } from '#host/postgres/runs/load.js';
import { until } from '../support/until.ts';
import { definitionOf } from '../support/workflow.ts';
import { calm, settle } from './calm.ts';
import { APPROVERS, CHILD, EVENT, KINDS, type Kind, workflowOf } from './kinds.ts';
import { complaintsOf } from './oracle.ts';
import { World } from './world.ts';

const FULL = process.env.FULL === '1';
const WORLDS = FULL ? 150 : 10;
const RUNS_PER_WORLD = 40;
/** After this the simplest failure found so far has to do. */
const AT_MOST_MS = FULL ? 3_600_000 : 300_000;
/** Everything happens within this time, at once. */
const SPAN_MS = 150;

/** Something that comes to a run from outside. The same `nr` again is the same request, or the same event. */
interface Act {
  readonly does: 'publish' | 'approve' | 'reject' | 'resolve' | RunControl;
  readonly nr: number;
  readonly by: number;
  readonly fits: boolean;
  readonly afterMs: number;
  readonly host: number;
}

interface Scenario {
  readonly kind: Kind;
  readonly soon: boolean;
  readonly handled: boolean;
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
    { weight: 3, arbitrary: fc.constantFrom('publish', 'approve') },
    { weight: 1, arbitrary: fc.constantFrom('reject', 'resolve', ...RUN_CONTROLS, 'pause', 'resume') },
  ),
  nr: fc.nat(2),
  by: fc.nat(2),
  fits: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  afterMs,
  host,
});
const scenario: fc.Arbitrary<Scenario> = fc.record({
  kind: fc.constantFrom(...KINDS),
  soon: fc.boolean(),
  handled: fc.boolean(),
  acts: fc.array(act, { maxLength: 12, size: 'max' }),
});
const trouble: fc.Arbitrary<Trouble> = fc.record({ does: fc.constantFrom('crash', 'cut', 'cut'), host, afterMs });

/** One scenario in a world: its run, and what it is sent. */
class Actor {
  private readonly world: World;
  private readonly scenario: Scenario;
  private readonly key: string;

  constructor(world: World, scenario: Scenario, i: number) {
    this.world = world;
    this.scenario = scenario;
    this.key = `${i}-${scenario.kind}`;
  }

  async run(): Promise<void> {
    const { kind, soon, acts } = this.scenario;
    const definition = kind === 'digest' ? this.world.digest : definitionOf(workflowOf(kind, this.scenario));
    this.world.definitions.set(definition.id, definition);
    const at = new Date(Date.now() + (soon ? 80 : 3_600_000)).toISOString();
    const input = { key: this.key, at };
    const runId = await this.world.start(acts.length, definition.id, {
      input,
      startAt: kind === 'start_at' ? at : null,
    });
    await Promise.all(
      acts.map(async (each) => {
        await delay(each.afterMs);
        await this.act(runId, each);
      }),
    );
  }

  private async act(runId: string, { does, nr, by, fits, host: at }: Act): Promise<void> {
    const { status, body } = await this.send(runId, { does, nr, by, fits }, at);
    const allowed = does === 'publish' ? [200] : [200, 400, 409];
    expect(status, JSON.stringify(body)).to.be.oneOf(allowed);
  }

  private send(runId: string, { does, nr, by, fits }: Pick<Act, 'does' | 'nr' | 'by' | 'fits'>, at: number) {
    const run = `/api/v2/workflow-runs/${runId}`;
    switch (does) {
      case 'publish': {
        const event_id = `${this.key}/${nr}/${fits}`;
        return this.world.post(at, '/api/v2/workflow-events:publish', {
          ...{ event_name: EVENT, correlation_key: this.key, event_id },
          payload: { fits, event_id },
        });
      }
      case 'approve':
      case 'reject': {
        const request_id = `${does}/${nr}/${by}`;
        return this.world.post(at, `${run}/steps/w:${does}`, { request_id, approver_id: APPROVERS[by] });
      }
      case 'resolve':
        return this.world.post(at, `${run}/steps/w:resolve`, {
          request_id: `resolve/${nr}`,
          payload: { resolved: nr },
        });
      default:
        return this.world.post(at, `${run}:${does}`, { request_id: `${does}/${nr}` });
    }
  }
}

/** An operator ends whatever still waits. */
async function finish(world: World): Promise<void> {
  const open = async () => {
    const rows = await world.query<{ id: string }>('select id from eec_workflow_run where ended_at is null');
    return loadStates(
      world.host.db.hot,
      rows.map(({ id }) => id),
    );
  };
  await until(async () => {
    const states = (await open()).flatMap((state) => (state && !isFinal(state.status) ? [state] : []));
    for (const { header, open: nodes, startedAt } of states) {
      if (startedAt === null) {
        await world.post(0, `/api/v2/workflow-runs/${header.id}:cancel`, { request_id: 'finish' });
      }
      for (const { at, generation, status } of nodes.values()) {
        if (status !== 'waiting') continue;
        const request_id = `finish/${at.ref}/${generation}`;
        await world.post(0, `/api/v2/workflow-runs/${header.id}/steps/${at.ref}:resolve`, {
          request_id,
          payload: 'end',
        });
      }
    }
    return states.length === 0;
  }, 'all runs to end');
}

async function check(world: World): Promise<void> {
  const complaints = await complaintsOf(world);
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
}

async function play(scenarios: readonly Scenario[], troubles: readonly Trouble[]): Promise<void> {
  const world = await World.open();
  try {
    const child = definitionOf(CHILD);
    world.definitions.set(child.id, child);
    await Promise.all([
      ...scenarios.map((each, i) => new Actor(world, each, i).run()),
      ...troubles.map(async ({ does, host: at, afterMs: ms }) => {
        await delay(ms);
        await world[does](at);
      }),
    ]);
    await settle(world);
    await check(world);
    await finish(world);
    await calm(world);
    await check(world);
  } finally {
    await world.close();
  }
}

describe('Whatever reaches a wait, and whatever happens to its hosts meanwhile', function () {
  this.timeout(AT_MOST_MS + 60_000);

  it('it ends once, by what was said to it in time, and nothing that was accepted is lost', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(scenario, { minLength: 1, maxLength: RUNS_PER_WORLD, size: 'max' }),
        fc.array(trouble, { maxLength: 4 }),
        play,
      ),
      { numRuns: WORLDS, interruptAfterTimeLimit: AT_MOST_MS, markInterruptAsFailure: true },
    ));
});
