import { expect } from 'chai';
import { pino } from 'pino';
import { type Database, openDatabase } from '#host/postgres/connection.js';
import { BY_INDEX, ROLL_UP } from '#host/postgres/stats-roll-up.js';
import { createTestDatabase } from '../../support/database.ts';

const RUNS = 5_000;

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly Plan[];
}

const nodesOf = (plan: Plan): readonly Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

describe('The statement that rolls minutes up', () => {
  it('reads runs and attempts by index, on empty tables and on large ones', async function () {
    this.timeout(60_000);
    const database = await createTestDatabase();
    const db = openDatabase({ connection: database.url, poolSize: 1, log: pino({ level: 'silent' }) });
    try {
      await checkPlan(db.knex, 'empty');
      await fill(db.knex);
      await checkPlan(db.knex, 'large');
    } finally {
      await db.close();
      await database.drop();
    }
  });
});

async function checkPlan(knex: Database['knex'], size: string): Promise<void> {
  const now = Date.now();
  const range = { from: new Date(now - 60_000).toISOString(), to: new Date(now).toISOString() };
  await knex.transaction(async (transaction) => {
    await transaction.raw(BY_INDEX);
    const { rows } = await transaction.raw<{ rows: { 'QUERY PLAN': [{ Plan: Plan }] }[] }>(
      `explain (format json) ${ROLL_UP}`,
      range,
    );
    const nodes = nodesOf(rows[0]!['QUERY PLAN'][0].Plan);
    const read = nodes.filter((node) => node['Relation Name'] !== undefined && node['Node Type'] !== 'ModifyTable');
    expect(read.length, size).to.be.greaterThan(3);
    for (const node of read) {
      const where = `${size}: ${node['Node Type']} ${node['Relation Name']} ${node['Index Name'] ?? ''}`;
      expect(node['Node Type'], where).to.match(/^Index (Only )?Scan$/);
      // There are few definitions: any of their indexes will do.
      if (node['Relation Name'] === 'eec_workflow_definition') continue;
      expect(node['Index Name'], where).to.match(/^eec_workflow_run_ended$|_pkey$/);
    }
    const indexes = read.map((node) => node['Index Name']);
    expect(indexes, size).to.include.members(['eec_workflow_run_ended', 'eec_workflow_run_pkey']);
  });
}

/** Runs of ten hours, with an attempt each. */
async function fill(knex: Database['knex']): Promise<void> {
  await knex.raw(
    `insert into eec_workflow_run (id, tenant_id, chain_id, definition_id, kind, partition, status, db_record_version, node_states,
       run_context, attributes, fields, lineage, root_run_id, priority, created_at, started_at, ended_at, final_status)
     select id, 'default', id, gen_random_uuid(), 'workflow', 0, 'completed', 1, '{}', '{}', '{}', '{}', '{}', id, 'normal', at, at,
       at, 'completed'
     from (select at, cast(left(cast(eec_uuid_floor(at) as text), 24) || substr(md5(cast(at as text)), 1, 12) as uuid) id
       from (select now() - i * interval '1.8 s' as at from generate_series(1, ?) i) t) r`,
    [RUNS],
  );
  await knex.raw(
    `insert into eec_workflow_step_attempt (tenant_id, run_id, id, step_ref, branch, generation, attempt, token, status, host_id, action,
       input, task, scheduled_at, folded, ended_at)
     select 'default', id, gen_random_uuid(), 'a', '{}', 1, 1, gen_random_uuid(), 'completed', gen_random_uuid(), 'x.y', '{}', '{}', now(),
       true, now() from eec_workflow_run`,
  );
  await knex.raw('analyze');
}
