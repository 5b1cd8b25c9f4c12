import type { Database } from '#host/postgres/connection.js';
import { publishGraph, type TestHost } from '../../../support/host.ts';
import { until } from '../../../support/until.ts';
import { examplesOf, type OpenApi } from '../../api-docs/document.ts';
import { prepare } from '../../api-docs/world.ts';
import type { Sound } from './arbitrary-call.ts';

type Knex = Database['knex'];

/** A key of a tenant, which is made, without the scope that stands above tenants. */
export async function keyOfTenant(host: TestHost, tenantId: string, scopes: readonly string[]): Promise<string> {
  await host.call('POST', '/api/tenants', { id: tenantId });
  const asked = { name: tenantId, tenant_id: tenantId, scopes };
  const { status, body } = await host.call<{ key: string }>('POST', '/api/api-keys', asked);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.key;
}

/** The host as a key sees it. */
export const hostAs = (host: TestHost, own: string): TestHost => ({
  ...host,
  call: (method, path, body, key = own) => host.call(method, path, body, key),
});

/** A call of each operation that has an example, with what it needs where somebody has said that. */
export async function soundCalls(host: TestHost, document: OpenApi): Promise<ReadonlyMap<string, Sound>> {
  const calls = examplesOf(document).map(async (example): Promise<readonly [string, Sound]> => {
    const sent = await prepare(host, example).catch(() => ({}));
    const { params, query, body } = { ...example, ...sent };
    const [operationId = ''] = example.key.split('/');
    return [operationId, { params, query, body: body === undefined ? undefined : withoutWaiting(body) }];
  });
  return new Map(await Promise.all(calls));
}

/** A trigger that waits for a checkpoint is answered late, as it should be. */
const withoutWaiting = (body: unknown) =>
  JSON.parse(JSON.stringify(body, (key, value) => (key === 'wait_for_checkpoint' ? undefined : value)));

/** Rows of many kinds, with a text in each that can be told anywhere. */
export async function markedData(host: TestHost, secret: string): Promise<void> {
  const answers = [
    await host.call('POST', '/api/credentials', {
      ...{ name: `c-${secret}`, connector: 'http', auth: 'bearer', values: { token: `${secret}-token-of-them` } },
    }),
    await host.call('POST', '/api/v2/workflow-events:publish', {
      ...{ event_name: `e.${secret}`, correlation_key: secret, payload: { secret } },
    }),
  ];
  const steps = [
    { ref: 'say', type: 'TRANSFORM', value: { secret, input: '${input}' } },
    { ref: 'wait', type: 'WAIT', duration: 'PT1H' },
  ];
  await publishGraph(host, 'theirs', {
    graph: { steps, edges: [{ from: 'say', to: 'wait', type: 'SUCCESS' }] },
  });
  answers.push(
    await host.call('POST', '/api/v2/workflow-definitions/theirs:trigger', {
      input: { secret },
      correlation_labels: [{ key: 'secret', id: secret }],
      idempotency_key: secret,
    }),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  if (refused.length > 0) throw new Error(JSON.stringify(refused));
}

/** All but the counts of minutes, which the host itself rolls up. */
async function tenantTables(
  knex: Knex,
): Promise<readonly { readonly name: string; readonly columns: readonly string[] }[]> {
  const { rows } = await knex.raw<{ rows: { name: string; columns: string[] }[] }>(`
    select c.table_name as name, array_agg(c.column_name::text order by c.column_name) as columns
      from information_schema.columns c join pg_class k on k.relname = c.table_name and not k.relispartition
     where c.table_schema = 'public' and c.table_name like 'eec%' and c.table_name <> 'eec_stats_minute'
     group by 1 having bool_or(c.column_name = 'tenant_id') order by 1`);
  return rows;
}

/** Ids, slugs and names of a tenant's things: a few of each table and column. */
export async function idsOf(knex: Knex, tenantId: string): Promise<readonly string[]> {
  const ids = new Set<string>();
  for (const { name, columns } of await tenantTables(knex)) {
    for (const column of columns.filter((each) => /(^|_)(id|slug|ref)$/.test(each) && each !== 'tenant_id')) {
      const { rows } = await knex.raw<{ rows: { id: string }[] }>(
        `select distinct ??::text as id from ?? where tenant_id = ? and length(??::text) between 1 and 100 limit 3`,
        [column, name, tenantId, column],
      );
      for (const { id } of rows) ids.add(id);
    }
  }
  return [...ids];
}

/** Every row of a tenant, as one text for each table: the same if and only if nothing has changed. */
export async function rowsOf(knex: Knex, tenantId: string): Promise<{ readonly [table: string]: string }> {
  const sums: { [table: string]: string } = {};
  for (const { name } of await tenantTables(knex)) {
    const { rows } = await knex.raw<{ rows: { sum: string }[] }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as sum
         from ?? t where tenant_id = ?`,
      [name, tenantId],
    );
    sums[name] = rows[0]?.sum ?? '';
  }
  return sums;
}

/** Pauses all runs of the tenant, whose `host` it is, and waits until nothing of it moves any more. */
export async function untilQuiet(host: TestHost, knex: Knex, tenantId: string): Promise<void> {
  const asked = { filter: { active_only: true }, control: 'pause' };
  const { status, body } = await host.call('POST', '/api/v2/workflow-runs:batch', asked);
  if (status !== 200) throw new Error(JSON.stringify(body));
  await until(async () => {
    const before = JSON.stringify(await rowsOf(knex, tenantId));
    await new Promise((resolve) => setTimeout(resolve, 300));
    return JSON.stringify(await rowsOf(knex, tenantId)) === before;
  }, 'the other tenant to be quiet');
}
