import { fileURLToPath } from 'node:url';
import plugin from '@ductor/plugin-correlation-labels';
import { expect } from 'chai';
import type pg from 'pg';
import { pino } from 'pino';
import { openDatabase } from '#host/postgres/connection.js';
import type { MigrationSet } from '#host/postgres/migrate.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openSession } from '../../support/session.ts';

const migrations: MigrationSet = {
  folder: fileURLToPath(new URL('../../../../plugins/correlation-labels/migrations', import.meta.url)),
  historyTable: 'eec_migration_correlation_labels',
};
const [table] = plugin.contribute({}, { max_labels: 16 }).tables ?? [];
const write = table?.write ?? '';
const filter = table?.filters?.label ?? '';

const runs = [1, 2, 3].map((n) => `0198f2a4-7c1e-7d3a-9b1f-00000000000${n}`);

describe('the table of correlation labels', () => {
  let database: TestDatabase;
  let client: pg.Client;

  before(async () => {
    database = await createTestDatabase([migrations]);
    client = await openSession(database.url);
  });
  after(async () => {
    await client.end();
    await database.drop();
  });
  afterEach(() => client.query(`truncate ${table?.name}`));

  type Written = { tenant: string; run: string | undefined; row: { key: string; id: string } };

  /** As the commit does: one statement for many runs, of which this is a part. */
  const insert = (rows: readonly Written[]) =>
    client.query(
      `with moved (tenant_id, run_id, row) as materialized (
         select * from unnest($1::text[], $2::uuid[], $3::json[])
       ), labels as (
         with written as (select tenant_id, run_id, row from moved) ${write} returning run_id
       ) select count(*)::int as written from labels`,
      [rows.map(({ tenant }) => tenant), rows.map(({ run }) => run), rows.map(({ row }) => JSON.stringify(row))],
    );

  /** As the run list does, with its own parameters for the named ones. */
  const find = async (tenant: string, key: string, value: string): Promise<readonly string[]> => {
    const text = filter.replaceAll(':tenant_id', '$1').replaceAll(':key', '$2').replaceAll(':value', '$3');
    const { rows } = await client.query<{ run_id: string }>(text, [tenant, key, value]);
    return rows.map(({ run_id }) => run_id).sort();
  };

  it('is written for a whole batch of runs and finds them by key and id, literally, in their tenant', async () => {
    const odd = `x') OR 1=1 --%_\\"`;
    const { rows } = await insert([
      { tenant: 'a', run: runs[0], row: { key: 'order', id: 'o-1' } },
      { tenant: 'a', run: runs[0], row: { key: 'ticket', id: 'o-1' } },
      { tenant: 'a', run: runs[1], row: { key: 'order', id: 'o-1' } },
      { tenant: 'a', run: runs[1], row: { key: 'ticket', id: odd } },
      { tenant: 'b', run: runs[2], row: { key: 'order', id: 'o-1' } },
    ]);
    expect(rows).to.eql([{ written: 5 }]);
    expect(await find('a', 'order', 'o-1')).to.eql([runs[0], runs[1]]);
    expect(await find('a', 'ticket', odd)).to.eql([runs[1]]);
    expect(await find('a', 'ticket', '%')).to.eql([]);
    expect(await find('b', 'order', 'o-1')).to.eql([runs[2]]);
  });

  it('writes nothing for a batch without labels', async () => {
    expect((await insert([])).rows).to.eql([{ written: 0 }]);
  });

  it('takes the longest key and id there may be', async () => {
    const row = { key: 'k'.repeat(63), id: '😀'.repeat(256) };
    await insert([{ tenant: 't'.repeat(63), run: runs[0], row }]);
    expect(await find('t'.repeat(63), row.key, row.id)).to.eql([runs[0]]);
  });

  it('is read by its key alone, however many runs there are', async () => {
    await client.query(
      `insert into eec_workflow_label (tenant_id, run_id, key, id)
       select 'a', gen_random_uuid(), 'order', 'o-' || n from generate_series(1, 5000) n`,
    );
    await client.query('analyze eec_workflow_label');
    const text = filter.replace(':tenant_id', `'a'`).replace(':key', `'order'`).replace(':value', `'o-77'`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan)
      .to.match(/Index (Only )?Scan using eec_workflow_label_pkey/)
      .and.not.contain('Filter');
  });

  it('can be migrated by a host, beside the tables of the core', async () => {
    const opened = openDatabase({ connection: database.url, poolSize: 1, log: pino({ level: 'silent' }) });
    try {
      expect(await opened.knex(migrations.historyTable).pluck('name')).to.eql(['0001_labels.sql (compatible)']);
    } finally {
      await opened.close();
    }
  });
});
