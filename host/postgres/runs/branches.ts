import type { BranchPage, InputQuery, JsonObject } from '@ductor/core';
import type pg from 'pg';
import { groupBy } from './group-by.ts';

/** Plan: for each page one range of the primary key. */
const PAGES = `
select q.run_id, q.node, q.generation, q.from_index as from, json_agg(b.variables order by b.index) as variables
from unnest($1::uuid[], $2::text[], $3::int[], $4::int[], $5::int[]) q (run_id, node, generation, from_index, size)
join eec_workflow_branch b on b.run_id = q.run_id and b.node = q.node and b.generation = q.generation
  and b.index >= q.from_index and b.index < q.from_index + q.size
group by q.run_id, q.node, q.generation, q.from_index`;

interface Row {
  readonly run_id: string;
  readonly node: string;
  readonly generation: number;
  readonly from: number;
  readonly variables: readonly JsonObject[];
}

/** The branches that may start next, by run and owner. */
export async function branchPages(
  hot: pg.Pool,
  queries: readonly InputQuery[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, BranchPage>>> {
  const pages = queries.flatMap(({ runId, branches }) => branches.map((page) => ({ runId, ...page })));
  if (pages.length === 0) return new Map();
  const values = [
    pages.map(({ runId }) => runId),
    pages.map(({ node }) => node),
    pages.map(({ generation }) => generation),
    pages.map(({ from }) => from),
    pages.map(({ count }) => count),
  ];
  const { rows } = await hot.query<Row>({ name: 'branch_pages', text: PAGES, values });
  return new Map(
    [...groupBy(rows, ({ run_id }) => run_id)].map(([runId, own]) => [
      runId,
      new Map(own.map(({ node, generation, from, variables }) => [node, { generation, from, variables }])),
    ]),
  );
}
