import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { DuctorError, type Hooks } from '@ductor/core';
import { expect } from 'chai';
import type pg from 'pg';
import { ActionError, Gate, startTestEngine, type TestAction, type TestEngine } from '../../support/engine.ts';
import { brokenOff, connectionLost, faultyPool, type Passing, saidByServer } from '../../support/faulty-pool.ts';
import { rejection } from '../../support/rejection.ts';
import { openSession } from '../../support/session.ts';
import { until } from '../../support/until.ts';
import { chainOf, type TestWorkflow } from '../../support/workflow.ts';

/** How often each execution of a step has run, by its idempotency key. */
const executions = new Map<string, number>();
let gate = new Gate();

const actions: { readonly [name: string]: TestAction } = {
  'test.echo': (args, { dispatch }) => {
    const key = dispatch.task.idempotencyKey;
    executions.set(key, (executions.get(key) ?? 0) + 1);
    return args;
  },
  'test.gate': async (args, control) => {
    await gate.pass(control);
    return args;
  },
  'test.gone': () => Promise.reject(new ActionError('worker_exited')),
  'test.fail': () => Promise.reject(new ActionError('no', { retryable: false })),
};

const action = (ref: string, name = 'echo', more: object = {}): TestWorkflow['steps'][number] => ({
  ref,
  type: 'ACTION',
  action: `test.${name}`,
  args: ref,
  on_unknown: 'retry',
  ...more,
});
const five = chainOf(['a', 'b', 'c', 'd', 'e'].map((ref) => action(ref)));

/** Keeps a control for a run, as the door does: one that finds nothing, or the one that is said. */
const offer = (
  test: TestEngine,
  runId: string,
  said: object = { attemptId: randomUUID(), resolution: { as: 'retry' } },
) =>
  test.query(
    `insert into eec_workflow_inbox (id, tenant_id, chain_id, run_id, kind, request_id, actor, body)
     values ($1::uuid, 'default', $2::uuid, $2::uuid, 'control', $1::text, 'key:ops', $3)`,
    randomUUID(),
    runId,
    JSON.stringify({ control: 'resolveAttempt', ...said }),
  );

beforeEach(() => {
  executions.clear();
  gate = new Gate();
});

describe('Two hosts that have the same run in mind', () => {
  let one: TestEngine;
  let other: TestEngine;
  before(async () => {
    one = await startTestEngine({ actions });
    other = await startTestEngine({ actions, database: one.database, definitions: one.definitions });
  });
  after(async () => {
    await other.stop({ keep: true });
    await one.stop();
  });

  it('each go on from what the other has committed', async () => {
    const runId = await one.start(one.define(chainOf([action('a', 'gate'), action('b'), action('c', 'gate')])));
    await until(() => gate.arrived === 1, 'the first step');
    for (let i = 1; i <= 3; i++) {
      await offer(one, runId);
      other.engine.coordinator.wake([runId]);
      await until(async () => (await one.state(runId)).version === 1 + i, 'the tick of the other host');
    }
    expect(one.engine.coordinator.stateOf(runId)?.version, 'this host does not know').to.equal(1);
    gate.release();
    const run = await one.ended(runId);
    expect(run.ending).to.deep.equal({ status: 'completed', output: 'c' });
    expect(executions.size).to.equal(1);
    await offer(one, runId);
    other.engine.coordinator.wake([runId]);
    await until(async () => (await one.state(runId)).version === run.version + 1, 'the other host to know better');
  });

  it('never wait for each other, and never lock each other out', async function () {
    this.timeout(60_000);
    const more = [];
    for (let i = 0; i < 2; i++)
      more.push(await startTestEngine({ actions, database: one.database, definitions: one.definitions }));
    const hosts = [one, other, ...more];
    const id = one.define(five);
    const runs = await Promise.all(Array.from({ length: 40 }, () => one.start(id)));
    for (let round = 0; round < 3; round++) {
      await Promise.all(runs.map((runId) => offer(one, runId)));
      for (const { engine } of hosts) engine.coordinator.wake(round % 2 === 0 ? runs : runs.toReversed());
    }
    for (const runId of runs) expect((await one.ended(runId)).status).to.equal('completed');
    await until(async () => {
      const [row] = await one.query<{ n: number }>(
        'select count(*)::int n from eec_workflow_inbox where applied_at is null',
      );
      for (const { engine } of hosts) engine.coordinator.wake(runs);
      return row?.n === 0;
    }, 'all controls to be applied');
    const rows = await one.query<{ n: number; applied: number }>(
      `select count(*)::int n, (select count(*)::int from eec_workflow_transition t, json_array_elements(t.changes) c
         where c->>'type' = 'control' and t.run_id = any($1)) applied
       from eec_workflow_inbox where run_id = any($1)`,
      runs,
    );
    expect(rows).to.deep.equal([{ n: 120, applied: 120 }]);
    expect([...executions.values()].filter((n) => n !== 1)).to.deep.equal([]);
    expect(executions.size).to.equal(200);
    for (const host of more) await host.stop({ keep: true });
    const [stats] = await one.query<{ deadlocks: number }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    expect(stats?.deadlocks).to.equal(0);
  });

  for (const table of ['eec_workflow_run', 'eec_workflow_step_attempt']) {
    it(`hold back only the run whose row of ${table} is locked`, async () => {
      const id = one.define(chainOf([action('a', 'gate'), action('b')]));
      const runs = await Promise.all(Array.from({ length: 10 }, () => one.start(id)));
      await until(() => gate.arrived === 10, 'all steps');
      const client = await openSession(one.database.url);
      try {
        await client.query('begin');
        const column = table === 'eec_workflow_run' ? 'id' : 'run_id';
        await client.query(`select from ${table} where ${column} = $1 for update`, [runs[4]]);
        gate.release();
        for (const runId of runs) if (runId !== runs[4]) expect((await one.ended(runId)).status).to.equal('completed');
        expect((await one.state(runs[4]!)).endedAt).to.equal(null);
        await client.query('rollback');
      } finally {
        await client.end();
      }
      expect((await one.ended(runs[4]!)).ending).to.deep.equal({ status: 'completed', output: 'b' });
    });
  }
});

describe('What the database cannot store', () => {
  let test: TestEngine;
  before(async () => {
    test = await startTestEngine({ actions });
  });
  after(() => test.stop());

  /** Twenty runs that come to their second step together, one of which would write `attributes` that jsonb refuses. */
  async function batchWith(bad: TestWorkflow): Promise<string> {
    const good = test.define(chainOf([action('a', 'gate'), action('b')]));
    const poisoned = test.define(bad);
    const runs = await Promise.all(Array.from({ length: 20 }, (_, i) => test.start(i === 7 ? poisoned : good)));
    await until(() => gate.arrived >= 20, 'all steps');
    gate.release();
    for (const [i, runId] of runs.entries()) {
      const run = await test.ended(runId);
      if (i !== 7) expect(run.ending).to.deep.equal({ status: 'completed', output: 'b' });
    }
    return runs[7]!;
  }

  it('of an outcome fails its node with internal, and harms none of its batch', async () => {
    const effects = { attributes: { text: 'x\u0000y' } };
    const runId = await batchWith({
      steps: [action('a', 'gate', { effects }), { ref: 'e', type: 'TRANSFORM', value: '${steps.a.error.code}' }],
      edges: [{ from: 'a', to: 'e', type: 'ERROR' }],
    });
    const run = await test.state(runId);
    expect(run.ending).to.deep.equal({ status: 'completed', output: 'internal' });
    expect(run.attributes).to.deep.equal({});
  });

  const bad = { ref: 'bad', type: 'TRANSFORM', value: 1, effects: { attributes: { text: '\ud835' } } };
  const openRows = async (runId: string) => {
    const [row] = await test.query<{ status: string; attempts: number; waits: number; controls: number }>(
      `select status,
         (select count(*)::int from eec_workflow_step_attempt where run_id = $1 and not folded) attempts,
         (select count(*)::int from eec_workflow_wait where run_id = $1) waits,
         (select count(*)::int from eec_workflow_inbox where run_id = $1 and applied_at is null) controls
       from eec_workflow_run where id = $1`,
      runId,
    );
    return row;
  };

  it('of a tick that nothing but time has brought fails its run with internal, visibly', async () => {
    const startAt = new Date(Date.parse(test.clock.now()) + 1_000).toISOString();
    const runId = await test.start(test.define({ steps: [bad] }), {}, { startAt });
    expect((await test.ended(runId)).ending).to.have.nested.property('error.code', 'internal');
    expect(await openRows(runId)).to.deep.equal({ status: 'failed', attempts: 0, waits: 0, controls: 0 });
  });

  it('of what an operator brings fails its run with internal, and stops what is in flight', async () => {
    const runId = await test.start(
      test.define({
        steps: [action('a', 'gone', { on_unknown: 'park' }), action('beside', 'gate'), bad],
        edges: [{ from: 'a', to: 'bad' }],
        settings: { cancel_grace: 'PT0.1S', run_timeout: 'PT1H' },
      }),
    );
    const parked = await until(async () => {
      const node = (await test.state(runId)).open.get('a');
      return node?.status === 'waiting' && node.work ? node.work.attempt.id : null;
    }, 'an operator to be asked');
    await offer(test, runId, { attemptId: parked, resolution: { as: 'completed', output: 1 } });
    test.engine.coordinator.wake([runId]);
    expect((await test.ended(runId)).ending).to.have.nested.property('error.code', 'internal');
    await until(async () => (await openRows(runId))?.controls === 0, 'the control to be answered');
    expect(await openRows(runId)).to.deep.equal({ status: 'failed', attempts: 0, waits: 0, controls: 0 });
  });

  it('of a start refuses that start alone', async () => {
    const id = test.define(five);
    const key = Array.from({ length: 500 }, () => randomUUID()).join('');
    const idempotency = { key, scope: id, requestHash: 'h' };
    const starts = Array.from({ length: 20 }, (_, i) => test.start(id, {}, i === 3 ? { idempotency } : {}));
    const [error] = await Promise.all([rejection(starts[3]!), ...starts.filter((_, i) => i !== 3)]);
    expect(error).to.be.instanceOf(DuctorError).and.to.include({ code: 'invalid_argument' });
    for (const [i, started] of starts.entries())
      if (i !== 3) expect((await test.ended(await started)).status).to.equal('completed');
  });
});

describe('A tick that cannot be computed', () => {
  it('fails its run with internal, saying why, instead of being tried for ever', async () => {
    const hooks: Hooks = {
      settle({ at }) {
        if (at.ref === 'b') throw new Error('the plugin is broken');
        return [];
      },
    };
    const test = await startTestEngine({ actions, hooks: [hooks] });
    try {
      const runId = await test.start(test.define(chainOf([action('a'), action('b')])));
      await until(async () => (await test.state(runId)).ending, 'the run to be given up');
      const { ending } = await test.state(runId);
      expect(ending).to.deep.include({ status: 'failed' });
      expect(JSON.stringify(ending)).to.include('the plugin is broken');
    } finally {
      await test.stop();
    }
  });
});

describe('A connection that is lost during COMMIT', () => {
  type Fate = (statement: Passing) => Promise<pg.QueryResult>;
  /** What happens to the next commit statements; the ones after them are left alone. */
  let next: Fate[] = [];
  /** Carried out after so many times that the coordinator has asked for it in vain. */
  let held: { asked: number; run: () => Promise<pg.QueryResult> } | null = null;
  /** The next question for the runs that hold keys is broken off. */
  let breaksWinners = false;
  let test: TestEngine;
  before(async () => {
    test = await startTestEngine({
      actions,
      through: (hot) =>
        faultyPool(hot, async (statement) => {
          const fate = /^commit_\d/.test(statement.name) ? next.shift() : undefined;
          if (fate) return fate(statement);
          if (statement.name === 'commit_winners' && breaksWinners) {
            breaksWinners = false;
            throw brokenOff();
          }
          const result = await statement.run();
          if (statement.name === 'tick_at' && held !== null && --held.asked === 0) {
            const { run } = held;
            held = null;
            await run();
          }
          return result;
        }),
    });
  });
  after(() => test.stop());

  const hold =
    (asked: number): Fate =>
    ({ text, values }) => {
      // Parameters are written into buffers that are used again.
      const kept = values.map((value) => (Buffer.isBuffer(value) ? Buffer.from(value) : value));
      held = { asked, run: () => test.db.hot.query({ text, values: kept }) };
      return Promise.reject(connectionLost());
    };
  const findsItsRowsLocked: Fate = async () => ({ rows: [], rowCount: 0, command: 'SELECT', oid: 0, fields: [] });
  const fates: { readonly [name: string]: readonly Fate[] } = {
    'before it was carried out': [() => Promise.reject(connectionLost())],
    'after it was carried out': [
      async (statement) => {
        await statement.run();
        throw connectionLost();
      },
    ],
    'and carried out after it was looked for': [hold(1)],
    'and still being carried out when it was sent again': [hold(2), findsItsRowsLocked],
  };
  for (const [name, lost] of Object.entries(fates)) {
    it(`${name}, leaves the first tick of a run done once`, async () => {
      const id = test.define(five);
      next = [...lost];
      const idempotency = { key: name, scope: id, requestHash: 'h' };
      const runId = await test.start(id, {}, { idempotency });
      expect((await test.ended(runId)).ending).to.deep.equal({ status: 'completed', output: 'e' });
      expect([...executions.values()]).to.deep.equal([1, 1, 1, 1, 1]);
    });

    it(`${name}, leaves a later tick done once`, async () => {
      const runId = await test.start(test.define(chainOf([action('g', 'gate'), action('b'), action('c')])));
      await until(() => gate.arrived === 1, 'the first step');
      next = [...lost];
      gate.release();
      expect((await test.ended(runId)).ending).to.deep.equal({ status: 'completed', output: 'c' });
      expect([...executions.values()]).to.deep.equal([1, 1]);
    });
  }

  it('is not taken for one because another start of its batch asks in vain who holds its key', async () => {
    const id = test.define(five);
    const idempotency = { key: 'held', scope: id, requestHash: 'h' };
    const first = await test.start(id, {}, { idempotency });
    breaksWinners = true;
    const [again, other] = await Promise.all([test.start(id, {}, { idempotency }), test.start(id)]);
    expect(breaksWinners).to.equal(false);
    expect(again).to.equal(first);
    for (const runId of [first, other]) expect((await test.ended(runId)).status).to.equal('completed');
    const runs = await test.query('select from eec_workflow_run where definition_id = $1', id);
    expect(runs).to.have.length(2);
  });

  const errno = (code: string) => Object.assign(new Error(`write ${code}`), { code });
  const words: { readonly [word: string]: () => Error } = {
    'the system, with a code like a SQLSTATE': () => errno('EPIPE'),
    'the system, of a file that is not there': () => errno('ENOENT'),
    'a stream': () => errno('ERR_STREAM_DESTROYED'),
    'the driver, which has no code': () => new Error('Connection terminated unexpectedly'),
    'the driver, of a session that was closed': () => new Error('Client was closed and is not queryable'),
    'the pool, which has none to give': () => new Error('timeout exceeded when trying to connect'),
    'a server that goes': () => saidByServer('57P01', { severity: 'FATAL' }),
    'a server that starts': () => saidByServer('57P03', { severity: 'FATAL' }),
    'a session that ends of anything else': () => saidByServer('XX000', { severity: 'FATAL' }),
    'a server whose disk is full': () => saidByServer('53100'),
    'a server that was made read-only': () => saidByServer('25006'),
  };
  for (const [word, error] of Object.entries(words)) {
    it(`is known by the word of ${word}, and costs no outcome`, async () => {
      const runId = await test.start(test.define(chainOf([action('g', 'gate'), action('b'), action('c')])));
      await until(() => gate.arrived === 1, 'the first step');
      const says: Fate = () => Promise.reject(error());
      next = [says, says, says];
      gate.release();
      expect((await test.ended(runId)).ending).to.deep.equal({ status: 'completed', output: 'c' });
      expect([...executions.values()]).to.deep.equal([1, 1]);
    });
  }

  it('again and again, under load, loses no run and runs no step twice', async function () {
    this.timeout(60_000);
    const id = test.define(five);
    const client = await openSession(test.database.url);
    let isOver = false;
    const kill = async (): Promise<number> => {
      let killed = 0;
      while (!isOver && killed < 20) {
        const { rowCount } = await client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid() and query like 'with %' and state = 'active' limit 1`,
        );
        killed += rowCount ?? 0;
        await delay(40);
      }
      return killed;
    };
    const killing = kill();
    try {
      const runs: string[] = [];
      for (let i = 0; i < 8; i++) runs.push(...(await Promise.all(Array.from({ length: 15 }, () => test.start(id)))));
      for (const runId of runs) {
        await until(
          async () => ((await test.state(runId).catch(() => null))?.endedAt ?? null) !== null,
          `run ${runId}`,
        );
      }
      isOver = true;
      expect(await killing, 'sessions that were ended').to.be.greaterThan(0);
      expect([...executions.values()].filter((n) => n !== 1)).to.deep.equal([]);
      expect(executions.size).to.equal(runs.length * 5);
    } finally {
      isOver = true;
      await killing;
      await client.end();
    }
  });
});

describe('What a worker has said', () => {
  let test: TestEngine;
  let breaks: (name: string) => Error | null = () => null;
  before(async () => {
    test = await startTestEngine({
      actions,
      // Every tick loads its run.
      cacheBytes: 1,
      through: (hot) =>
        faultyPool(hot, (statement) => {
          const error = breaks(statement.name);
          return error === null ? statement.run() : Promise.reject(error);
        }),
    });
  });
  afterEach(() => {
    breaks = () => null;
  });
  after(() => test.stop());

  for (const name of ['load_headers', 'load_history', 'load_inputs', 'record_outcomes', 'commit_']) {
    it(`is not lost when ${name} fails`, async () => {
      const runId = await test.start(test.define(chainOf([action('g', 'gate'), action('b')])));
      await until(() => gate.arrived === 1, 'the step');
      let times = 3;
      breaks = (statement) => (statement.startsWith(name) && times-- > 0 ? brokenOff() : null);
      const now = test.clock.now();
      // A word that fits no more, and has to be recorded, in the same mailbox.
      test.engine.coordinator.deliver(runId, {
        kind: 'outcome',
        at: { ref: 'g', branch: [] },
        attempt: { id: randomUUID(), token: randomUUID(), number: 9 },
        outcome: { status: 'completed', output: 'stale' },
        report: { startedAt: now, endedAt: now, tier: 'thread' },
        recorded: false,
      });
      test.engine.coordinator.wake([runId]);
      gate.release();
      expect((await test.ended(runId)).ending).to.deep.equal({ status: 'completed', output: 'b' });
      expect(executions.size).to.equal(1);
    });
  }
});

describe('A cache that holds nothing', () => {
  it('costs time, and no run', async () => {
    const test = await startTestEngine({ actions, cacheBytes: 1 });
    try {
      const retried = action('r', 'fail', { retry: { max_attempts: 2, initial_interval_ms: 5 } });
      const id = test.define({
        ...five,
        steps: [...five.steps, retried],
        edges: [...(five.edges ?? []), { from: 'r', to: 'a', type: 'ALWAYS' }],
      });
      const runs = await Promise.all(Array.from({ length: 30 }, () => test.start(id)));
      for (const runId of runs)
        expect((await test.ended(runId)).ending).to.deep.equal({ status: 'completed', output: 'e' });
      expect([...executions.values()].filter((n) => n !== 1)).to.deep.equal([]);
    } finally {
      await test.stop();
    }
  });
});
