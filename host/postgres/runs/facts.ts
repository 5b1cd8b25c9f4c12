import type { Facts, FactsByNode, InputQuery, Json } from '@ductor/core';
import type pg from 'pg';
import { groupBy } from './group-by.ts';

/** A plugin's table that nodes may ask for rows of. */
export interface LoadableTable {
  readonly name: string;
  readonly load: string;
}

/** The rows that parked nodes and controls asked for: one statement a table, for all runs of the batch. */
export async function factsOf(
  hot: pg.Pool,
  queries: readonly InputQuery[],
  tables: ReadonlyMap<string, LoadableTable>,
): Promise<ReadonlyMap<string, FactsByNode>> {
  const needed = queries.flatMap(({ runId, needs }) => needs.map(({ node, need }) => ({ runId, node, ...need })));
  const facts = new Map<string, Map<string, Map<string, Json[]>>>();
  await Promise.all(
    [...groupBy(needed, ({ table }) => table)].map(async ([name, needs]) => {
      const table = tables.get(name);
      if (!table) throw new Error(`No plugin loads rows of ${name}.`);
      const { rows } = await hot.query<{ run_id: string; node: string; row: Json }>({
        name: `facts_${name}`,
        text: `with needed as materialized (select * from unnest($1::uuid[], $2::text[], $3::json[]) n (run_id, node, key)) ${table.load}`,
        values: [
          needs.map(({ runId }) => runId),
          needs.map(({ node }) => node),
          needs.map(({ key }) => JSON.stringify(key)),
        ],
      });
      for (const { run_id, node, row } of rows) rowsFor(facts, run_id, node, name).push(row);
    }),
  );
  return facts satisfies Map<string, Map<string, Facts>>;
}

function rowsFor(
  facts: Map<string, Map<string, Map<string, Json[]>>>,
  runId: string,
  node: string,
  table: string,
): Json[] {
  const nodes = facts.get(runId) ?? new Map<string, Map<string, Json[]>>();
  const tables = nodes.get(node) ?? new Map<string, Json[]>();
  const rows = tables.get(table) ?? [];
  facts.set(runId, nodes.set(node, tables.set(table, rows)));
  return rows;
}
