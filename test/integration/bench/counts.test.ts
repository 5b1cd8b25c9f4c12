import { setTimeout as delay } from 'node:timers/promises';
import { isFinal } from '@ductor/core';
import { expect } from 'chai';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';
import { chainOf } from '../../support/workflow.ts';

const STEPS = 10;
const RUNS = 20;
/** Long enough for two rounds of what comes round the least often. */
const IDLE_MS = 12_000;

/** What the engine costs the database, in numbers that no machine's speed changes. */
describe('A step whose worker is on the host of its run', () => {
  let test: TestEngine;
  let definition: string;
  let statements = 0;

  before(async () => {
    test = await startTestEngine({ actions: { 'test.echo': (args) => args } });
    // Each statement takes a connection for itself alone.
    test.db.hot.on('acquire', () => {
      statements += 1;
    });
    const refs = Array.from({ length: STEPS }, (_, i) => `s${i}`);
    definition = test.define(chainOf(refs.map((ref) => ({ ref, type: 'ACTION', action: 'test.echo', args: { ref } }))));
    await run();
  });
  after(() => test.stop());

  async function run(): Promise<void> {
    const runId = await test.start(definition);
    await new Promise<void>((resolve) => {
      const unsubscribe = test.engine.coordinator.feed.subscribe(runId, (_, { status }) => {
        if (!isFinal(status)) return;
        unsubscribe();
        resolve();
      });
    });
  }

  async function number(text: string): Promise<number> {
    const { rows } = await test.db.knex.raw<{ rows: { number: string }[] }>(text);
    return Number(rows[0]?.number);
  }

  async function costOf(runs: number): Promise<{ statements: number; walBytes: number }> {
    const wal = `select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as number`;
    const before = { statements, walBytes: await number(wal) };
    for (let i = 0; i < runs; i++) await run();
    return { statements: statements - before.statements, walBytes: (await number(wal)) - before.walBytes };
  }

  it('costs at most two statements, its write-ahead log at most 6 KiB', async () => {
    const costs = [await costOf(RUNS), await costOf(RUNS), await costOf(RUNS)];
    // What a sweep, the lease or a checkpoint adds meanwhile is none of a step's cost: the least has least of it.
    const least = (what: 'statements' | 'walBytes') => Math.min(...costs.map((cost) => cost[what])) / (RUNS * STEPS);
    // One that starts the run and one after each step.
    expect(least('statements')).to.be.within((STEPS + 1) / STEPS, 2);
    expect(least('walBytes')).to.be.within(500, 6 * 1024);
  });

  it('writes one row of its attempt and one of its transition, and moves the row of its run', async () => {
    const runId = await test.start(definition);
    await test.ended(runId);
    const rowsOf = (table: string) => number(`select count(*) as number from ${table} where run_id = '${runId}'`);
    expect(await rowsOf('eec_workflow_step_attempt')).to.equal(STEPS);
    expect(await rowsOf('eec_workflow_transition')).to.equal(STEPS + 1);
    for (const table of ['eec_workflow_wait', 'eec_workflow_inbox', 'eec_payload'])
      expect(await rowsOf(table)).to.equal(0);
  });

  it('shares its statement with those that end at the same time', async () => {
    const before = statements;
    await Promise.all(Array.from({ length: RUNS }, run));
    expect((statements - before) / (RUNS * STEPS)).to.be.below(0.5);
  });

  it('leaves nothing to do: at most two statements in an idle second', async () => {
    const before = { statements, at: performance.now() };
    await delay(IDLE_MS);
    const seconds = (performance.now() - before.at) / 1_000;
    expect((statements - before.statements) / seconds).to.be.within(0.5, 2);
  });
});
