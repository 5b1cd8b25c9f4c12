import { setTimeout as delay } from 'node:timers/promises';
import { type Definition, defineStep } from '@ductor/core';
import { expect } from 'chai';
import type pg from 'pg';
import { branchTable } from '#scatter-gather/branch-table.js';
import { gatherStep } from '#scatter-gather/gather.step.js';
import { scatterStep } from '#scatter-gather/scatter.step.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { ActionError, startTestEngine, type TestAction, type TestEngine } from '../../support/engine.ts';
import { faultyPool } from '../../support/faulty-pool.ts';
import { openSession } from '../../support/session.ts';
import { until } from '../../support/until.ts';
import { chainOf } from '../../support/workflow.ts';

const LARGE = process.env.FULL === '1' ? 100_000 : 5_000;

const actions: { readonly [name: string]: TestAction } = {
  'test.echo': (args) => args,
  'test.once': (_, { dispatch }) => {
    if (dispatch.attempt.number === 1) throw new ActionError('busy');
    return 1;
  },
};
const ten = chainOf(
  Array.from({ length: 10 }, (_, i) => ({ ref: `s${i}`, type: 'ACTION', action: 'test.echo', args: i })),
);

/** Waits for an event, and looks back. */
const looksStep = defineStep({
  type: 'STEP_TYPE_LOOKS',
  schema: { type: 'object', properties: {} },
  start: () => ({
    to: 'waiting',
    memo: null,
    wait: {
      kind: 'event',
      subscriptions: [{ name: 'event', eventName: 'e', correlationKey: 'k', match: null, lookbackMs: 60_000 }],
    },
  }),
});

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Alias?: string;
  readonly Filter?: string;
  readonly 'Parent Relationship'?: string;
  readonly Plans?: readonly Plan[];
}

const nodesOf = (plan: Plan): readonly Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

describe('The hot statements', () => {
  let database: TestDatabase;
  const definitions = new Map<string, Definition>();
  /** By name, as they were sent. */
  const statements = new Map<string, { readonly text: string; readonly parameters: number }>();
  const counted = new Map<string, number>();
  let test: TestEngine;
  before(async () => {
    database = await createTestDatabase();
    test = await startTestEngine({
      actions,
      steps: [looksStep, scatterStep, gatherStep],
      tables: [branchTable],
      database,
      definitions,
      through: (hot) =>
        faultyPool(hot, ({ name, text, values, run }) => {
          if (name !== '') statements.set(name, { text, parameters: values.length });
          counted.set(name, (counted.get(name) ?? 0) + 1);
          return run();
        }),
    });
  });
  after(async () => {
    await test.stop({ keep: true });
    await database.drop();
  });

  const total = () => [...counted.values()].reduce((sum, n) => sum + n, 0);

  it('are at most two a step for a run of ten actions', async () => {
    const id = test.define(ten);
    await test.ended(await test.start(id));
    // A sweep now and then is not the run's.
    const background = (name: string) =>
      /^(overdue|renew_lease|orphans|write_progress|unmatched_events|events_to_start_again|pending_look_backs)$/.test(
        name,
      );
    counted.clear();
    const runId = await test.start(id);
    await test.ended(runId);
    const own = [...counted].filter(([name]) => !background(name)).reduce((sum, [, n]) => sum + n, 0);
    expect(own, JSON.stringify([...counted])).to.be.within(11, 20);
  });

  it('are at most two a second when there is nothing to do', async () => {
    counted.clear();
    await delay(3_000);
    expect(total(), JSON.stringify([...counted])).to.be.at.most(6);
  });

  it('that run every kind of run are known to this test', async () => {
    const retry = { initial_interval_ms: 5 };
    const id = test.define({
      ...chainOf([
        { ref: 'a', type: 'ACTION', action: 'test.once', retry },
        { ref: 'b', type: 'ACTION', action: 'test.echo', args: 'x'.repeat(70_000) },
      ]),
      settings: { run_timeout: 'PT1H' },
    });
    const runs = await Promise.all(Array.from({ length: 40 }, () => test.start(id)));
    for (const runId of runs) await test.ended(runId);
    const startAt = new Date(Date.parse(test.clock.now()) + 300).toISOString();
    await test.ended(await test.start(id, {}, { startAt, idempotency: { key: 'k', scope: id, requestHash: 'h' } }));
    await test.start(id, {}, { idempotency: { key: 'k', scope: id, requestHash: 'h' } });
    const [attempt] = await test.query<{ run_id: string; id: string; token: string }>(
      'select * from eec_workflow_step_attempt limit 1',
    );
    const at = test.clock.now();
    const { run_id: runId, id: attemptId, token } = attempt!;
    await test.engine.store.record([
      {
        runId,
        attempt: { id: attemptId, token, number: 1 },
        outcome: { status: 'completed', output: 1 },
        report: { startedAt: at, endedAt: at, tier: 'thread' },
      },
    ]);
    await test.engine.store.progress([{ runId, id: attemptId, startedAt: at, heartbeat: 1 }]);
    const [state] = await test.engine.store.load([runId, runs[0]!]);
    await test.engine.store.keep(state!);
    const each = test.define({
      steps: [
        { ref: 'each', type: 'SCATTER', items: 'input', max_in_flight: 2 },
        { ref: 'do', type: 'ACTION', action: 'test.echo', args: '${item}' },
        { ref: 'all', type: 'GATHER', scatter: 'each' },
      ],
      edges: [
        { from: 'each', to: 'do' },
        { from: 'do', to: 'all' },
      ],
    });
    const fanned = await test.start(each, [1, 2, 3]);
    await test.ended(fanned);
    const page = { node: 'each', generation: 1, from: 0, count: 2 };
    await test.engine.store.inputs([{ runId: fanned, attempts: [], needs: [], branches: [page] }]);
    await test.engine.store.tickAt(runId, 1);
    const waits = test.define({
      steps: [
        { ref: 'w', type: 'WAIT', event: { event_name: 'e', correlation_key: "'k'" } },
        { ref: 'l', type: 'LOOKS' },
        { ref: 'e', type: 'EMIT', event_name: 'other', correlation_key: "'k'" },
      ],
    });
    const event = { eventName: 'e', correlationKey: 'k', eventId: null, payload: {} };
    await test.engine.events.publish('default', event);
    const waiting = await test.start(waits);
    await until(() => statements.has('looked_back'), 'the look back');
    await test.engine.events.publish('default', event);
    await test.ended(waiting);
    await until(() => statements.has('orphans') && statements.has('renew_lease'), 'the services');
    expect([...statements.keys()].filter((name) => !name.startsWith('commit_'))).to.include.members([
      ...['load_headers', 'load_history', 'load_attempts', 'load_payloads', 'load_inputs', 'keep_state'],
      ...['branch_pages', 'facts_eec_workflow_branch'],
      ...['overdue', 'orphans', 'kept_signals', 'record_outcomes', 'write_progress', 'tick_at', 'renew_lease'],
      ...[
        'insert_event',
        'find_events',
        'unmatched_events',
        'events_to_start_again',
        'waiting_for',
        'event_triggers',
        'deliver_event',
      ],
      ...['pending_look_backs', 'look_back_rows', 'earlier_events', 'looked_back'],
    ]);
    const commits = [...statements.values()].map(({ text }) => text).join();
    expect(commits).to.include('insert into eec_workflow_branch').and.to.include('update eec_workflow_branch');
    expect([...statements.keys()].filter((name) => /^commit_\d/.test(name)).length).to.be.greaterThan(5);
  });

  /** Which indexes each statement may use, of the tables that grow. */
  const INDEXES: readonly [RegExp, RegExp][] = [
    [/^commit_winners$/, /^eec_workflow_run_idempotency$/],
    [/^(commit_|record|write_progress|tick_at)/, /_pkey$/],
    [/^(load_(headers|history|attempts)|keep_state|branch_pages)$/, /_pkey$/],
    [/^(load_payloads|facts_eec_workflow_branch)$/, /_pkey$|^eec_payload_id/],
    [/^load_inputs$/, /_pkey$|^eec_workflow_inbox_pending$|^eec_payload_id/],
    [/^overdue$/, /^eec_workflow_(wait_due|inbox_overdue|wait_credential|run_pkey)|^eec_credential_name$/],
    [/^orphans$/, /^eec_workflow_run_open$|_pkey$/],
    [/^kept_signals$/, /^eec_workflow_inbox_kept$|^eec_workflow_wait_pkey$/],
    [/^(insert_event|find_events|event_triggers|look_back_rows|looked_back)$/, /_pkey$/],
    [/^deliver_event$/, /^eec_workflow_(event|wait)_pkey$/],
    [/^unmatched_events$/, /^eec_workflow_event_unmatched$/],
    [/^events_to_start_again$/, /^eec_workflow_event_start_again$/],
    [/^waiting_for$/, /^eec_workflow_wait_(event|pkey)$/],
    [/^pending_look_backs$/, /^eec_workflow_wait_look_back$/],
    [/^earlier_events$/, /^eec_workflow_event_key$/],
  ];

  async function checkPlans(client: pg.Client, size: string): Promise<void> {
    for (const [name, { text, parameters }] of statements) {
      await client.query(`prepare explained as ${text}`);
      const nothing = Array.from({ length: parameters }, () => 'null').join(', ');
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (format json) execute explained${parameters === 0 ? '' : `(${nothing})`}`,
      );
      await client.query('deallocate explained');
      const nodes = nodesOf(rows[0]!['QUERY PLAN'][0].Plan);
      const allowed = INDEXES.find(([pattern]) => pattern.test(name))?.[1] ?? /^$/;
      for (const node of nodes) {
        const where = `${size}, ${name}: ${node['Node Type']} ${node['Relation Name'] ?? ''} ${node['Index Name'] ?? ''}`;
        // There are few hosts: it may as well read them all.
        if (node['Relation Name'] === 'eec_host') continue;
        // No index is searched by a clock that may say something else for each row.
        expect(node.Filter ?? '', where).not.to.match(/clock_timestamp/);
        expect(node['Node Type'], where).not.to.match(/Seq Scan|Hash Join|Merge Join/);
        const index = node['Index Name']?.replace(/_(\d{6}|other)_/, '_');
        if (index !== undefined) expect(index, where).to.match(allowed);
      }
      // A CTE has no index: two of them in one loop would be quadratic.
      for (const node of nodes) {
        if (!/Nested Loop/.test(node['Node Type'])) continue;
        const joined = (node.Plans ?? []).filter((child) => /Outer|Inner/.test(child['Parent Relationship'] ?? ''));
        const scans = joined.filter((child) => /CTE Scan|Function Scan/.test(child['Node Type']));
        expect(scans.length, `${name}: ${scans.map(({ Alias }) => Alias).join(' with ')}`).to.be.lessThan(2);
      }
    }
  }

  it('are planned by index on empty tables and on large ones', async function () {
    this.timeout(120_000);
    const empty = await createTestDatabase();
    const options =
      '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c plan_cache_mode=force_generic_plan -c jit=off';
    for (const { url, isLarge } of [
      { url: empty.url, isLarge: false },
      { url: database.url, isLarge: true },
    ]) {
      const client = await openSession(url, { options });
      try {
        if (isLarge) await fill(client);
        await checkPlans(client, isLarge ? 'large' : 'empty');
      } finally {
        await client.end();
      }
    }
    await empty.drop();
  });
});

/** Many runs, with an attempt, a transition and a wait each, of which every tenth has ended. */
async function fill(client: pg.Client): Promise<void> {
  await client.query(
    `insert into eec_workflow_run (id, tenant_id, chain_id, definition_id, kind, partition, status, db_record_version, node_states,
       run_context, attributes, fields, lineage, root_run_id, priority, created_at, ended_at, final_status)
     select id, 'default', id, gen_random_uuid(), 'workflow', i % 16, 'waiting', 1, '{}', '{}', '{}', '{}', '{}', id, 'normal', now(),
       case when i % 10 = 0 then now() end, case when i % 10 = 0 then 'completed' end
     from (select i, gen_random_uuid() id from generate_series(1, ${LARGE}) i) r`,
  );
  await client.query(
    `insert into eec_workflow_step_attempt (tenant_id, run_id, id, step_ref, branch, generation, attempt, token, status, host_id, action,
       input, task, scheduled_at, folded, ended_at)
     select 'default', id, gen_random_uuid(), 'a', '{}', 1, 1, gen_random_uuid(), 'completed', gen_random_uuid(), 'x.y', '{}', '{}', now(),
       true, now() from eec_workflow_run`,
  );
  await client.query(
    `insert into eec_workflow_transition (tenant_id, run_id, version, tick_id, at, changes)
     select 'default', id, 100, gen_random_uuid(), now(), '[]' from eec_workflow_run on conflict do nothing`,
  );
  await client.query(
    `insert into eec_workflow_branch (tenant_id, run_id, node, generation, index, variables)
     select 'default', id, 'other', 1, i, '{}' from eec_workflow_run, generate_series(1, 3) i`,
  );
  await client.query(
    `insert into eec_workflow_kept_state (tenant_id, run_id, version, state) select 'default', id, 1, '{}' from eec_workflow_run
     on conflict do nothing`,
  );
  await client.query(
    `insert into eec_workflow_wait (tenant_id, run_id, chain_id, version, node, name, kind, partition, due_at)
     select 'default', id, id, 1, 'a', '', 'timer', partition, now() + interval '1 day' from eec_workflow_run where ended_at is null`,
  );
  await client.query(
    `insert into eec_workflow_wait (tenant_id, run_id, chain_id, version, node, name, kind, partition, event_name, correlation_key)
     select 'default', id, id, 1, 'e', 'event', 'event', partition, 'e', 'k' || random() from eec_workflow_run where ended_at is null`,
  );
  await client.query(
    `insert into eec_workflow_event (id, tenant_id, event_name, correlation_key, event_id, payload, matched_at)
     select id, 'default', 'e', 'k' || random(), id::text, '{}', now() from eec_workflow_run`,
  );
  await client.query(
    `insert into eec_workflow_inbox (id, tenant_id, chain_id, run_id, kind, node, body, is_wanted)
     select gen_random_uuid(), 'default', id, id, 'signal', 'b', '{}', false from eec_workflow_run`,
  );
  await client.query('analyze');
}

describe('The rows of a run', () => {
  it('are updated in place, but for its end', async () => {
    const database = await createTestDatabase();
    const test = await startTestEngine({ actions, database });
    const id = test.define(ten);
    // A few at a time: a page that is updated faster than its dead rows can be pruned says nothing of the layout.
    for (let group = 0; group < 20; group++) {
      const runs = await Promise.all(Array.from({ length: 5 }, () => test.start(id)));
      for (const runId of runs) await test.ended(runId);
    }
    // The numbers are told when their sessions end.
    await test.stop({ keep: true });
    const client = await openSession(database.url);
    try {
      const stats = await until(async () => {
        const { rows } = await client.query<{ name: string; updates: number; hot: number }>(
          `select case when relname like '%attempt%' then 'attempts' else 'runs' end as name, sum(n_tup_upd)::int updates, sum(n_tup_hot_upd)::int hot
           from pg_stat_user_tables where relname = 'eec_workflow_run' or relname like 'eec_workflow_step_attempt%'
           group by 1 order by 1`,
        );
        return rows.every(({ updates }) => updates >= 1_000) ? rows : null;
      }, 'the numbers');
      const [attempts, ofRuns] = stats;
      expect(attempts?.updates).to.equal(1_000);
      expect(attempts!.hot / attempts!.updates, 'attempts').to.be.greaterThan(0.95);
      expect(ofRuns?.updates).to.equal(1_000);
      // The end changes what lists are sorted by.
      expect(ofRuns!.hot / 900, 'runs').to.be.greaterThan(0.9);
    } finally {
      await client.end();
      await database.drop();
    }
  });
});
