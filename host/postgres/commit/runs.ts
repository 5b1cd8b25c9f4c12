import * as relations from './relations.ts';
import type { Relation, Shape } from './shape.ts';

/** Decides which ticks hold, moves and starts their runs, and tells by `moved` for which runs all else is written. */
export function runParts(shape: Shape, relation: Relation): readonly string[] {
  const parts: string[] = [];
  if (shape.ticks) {
    const all = (column: string, from: string) =>
      `(${column} = 0 or ((run_id, ${column}) in (select run_id, n from ${from})) is true)`;
    const conditions = [
      shape.folds ? all('folds', 'las') : 'folds = 0',
      shape.waitsClosed
        ? '(waits = 0 or ((run_id, waits, wait_arrivals) in (select run_id, n, arrivals from lws)) is true)'
        : 'waits = 0',
      shape.waitsMoved ? all('waits_moved', 'lms') : 'waits_moved = 0',
      shape.consumed ? all('inbox', 'lis') : 'inbox = 0',
      shape.expected.length > 0 ? all('plugin_rows', 'lps') : 'plugin_rows = 0',
    ];
    parts.push(
      `lr as materialized (
        select t.* from ${relation('ticks', relations.ticks, 't')}
        join eec_workflow_run r on r.id = t.run_id
        where r.db_record_version = t.expected_version
        order by r.id for no key update of r skip locked)`,
      `ok as materialized (select run_id from lr where ${conditions.join(' and ')})`,
      `m as (
        update eec_workflow_run r set
          db_record_version = r.db_record_version + 1, status = lr.status, node_states = lr.node_states,
          current_step = coalesce(lr.current_step, r.current_step), run_context = coalesce(lr.run_context, r.run_context),
          attributes = coalesce(lr.attributes::jsonb, r.attributes), fields = coalesce(lr.fields, r.fields), replies = coalesce(lr.replies, r.replies),
          output = lr.output, error = lr.error, ending = lr.ending, started_at = lr.started_at::timestamptz,
          -- a control on an ended run moves its version, not its end
          ended_at = case when lr.ended_at is null then null else coalesce(r.ended_at, lr.ended_at::timestamptz) end,
          final_status = lr.final_status
        from lr where r.id = lr.run_id and (lr.run_id in (select run_id from ok)) is true
        returning r.id)`,
    );
  }
  if (shape.starts) parts.push(`nn as (${insertRuns(relation('starts', relations.starts, 'n'))})`);
  const here = [...(shape.ticks ? ['select id from m'] : []), ...(shape.starts ? ['select id from nn'] : [])];
  if (shape.children) {
    const children = relation('children', relations.children, 'n');
    parts.push(
      `parents as materialized (${here.join(' union all ')})`,
      `nc as (${insertRuns(children, 'where (n.parent_id in (select id from parents)) is true')})`,
    );
  }
  const moved = [...here, ...(shape.children ? ['select id from nc'] : [])];
  parts.push(`moved as materialized (${moved.join(' union all ')})`);
  return parts;
}

const RUN_COLUMNS = Object.keys(relations.starts);
const CASTS: { readonly [column: string]: string } = {
  attributes: 'jsonb',
  partition: 'smallint',
  ...Object.fromEntries(['start_at', 'created_at', 'started_at', 'ended_at'].map((column) => [column, 'timestamptz'])),
};

/** Sorted by key: two hosts that insert the same keys take them in the same order. */
const insertRuns = (rows: string, where = '') => `
  insert into eec_workflow_run (db_record_version, ${RUN_COLUMNS.join(', ')})
  select 1, ${RUN_COLUMNS.map((column) => (CASTS[column] ? `n.${column}::${CASTS[column]}` : `n.${column}`)).join(', ')}
  from ${rows} ${where}
  order by n.tenant_id, n.idempotency_scope, n.idempotency_key, n.id
  on conflict do nothing returning id`;
