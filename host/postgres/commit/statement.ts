/**
 * The commit: one statement for many ticks. It locks, decides, then writes.
 *
 * - Lock: every row that a tick read and now closes or moves, `skip locked`: what is being moved by somebody else counts
 *   as a conflict, so nobody waits and nothing deadlocks.
 * - Decide: a run is `ok` only if all of its rows were locked as they were read.
 * - Write: only for runs that are ok. The one exception is attempts' outcomes: they are appends, and stay.
 *
 * Plan: nested loops from each relation into a primary key. CTEs are never joined with each other (they have no index,
 * and it would be quadratic): columns are carried through the lock, and membership is asked by hashed `in`, which
 * `is true` keeps PostgreSQL from turning into a join.
 */
import { type Columns, unnest } from '../binary-arrays.ts';
import * as relations from './relations.ts';

/** A plugin's table as far as the commit is concerned; `place` tells its relations apart. */
export interface PluginTable {
  readonly place: number;
  readonly lock: string | null;
  readonly write: string | null;
}

/** Which relations have rows: the statement is made of the parts that these need. */
export interface Shape {
  readonly starts: boolean;
  readonly children: boolean;
  readonly ticks: boolean;
  readonly folds: boolean;
  readonly attempts: boolean;
  readonly branches: boolean;
  readonly branchEnds: boolean;
  readonly payloads: boolean;
  readonly waitsOpened: boolean;
  readonly waitsClosed: boolean;
  readonly waitsMoved: boolean;
  readonly consumed: boolean;
  readonly told: boolean;
  readonly events: boolean;
  readonly written: readonly PluginTable[];
  readonly expected: readonly PluginTable[];
}

/** `$1` is the host's id, `$2` the clock's offset; relations follow in the order of `parameters`. */
export interface Statement {
  readonly text: string;
  readonly parameters: readonly string[];
}

const MOVED = '(select id from moved)';

export function commitStatement(shape: Shape): Statement {
  const parameters: string[] = [];
  let next = 3;
  const relation = (name: string, columns: Columns, alias: string) => {
    parameters.push(name);
    const first = next;
    next += Object.keys(columns).length;
    return unnest(alias, columns, first);
  };
  const parts: string[] = [];

  // lock
  if (shape.folds) {
    parts.push(
      `la as materialized (
        select f.* from ${relation('folds', relations.folds, 'f')}
        join eec_workflow_step_attempt a on a.run_id = f.run_id and a.id = f.id
        where a.token = f.token and not a.folded and (a.ended_at is not null) = f.recorded
        order by a.run_id, a.id for no key update of a skip locked)`,
      'las as materialized (select run_id, count(*)::int n from la group by run_id)',
    );
  }
  if (shape.waitsClosed) {
    parts.push(
      `lw as materialized (
        select w.run_id, w.node, w.name, w.version, w.arrivals from ${relation('waitsClosed', relations.waitsClosed, 'c')}
        join eec_workflow_wait w on w.run_id = c.run_id and w.node = c.node
        order by w.run_id, w.node, w.name for update of w skip locked)`,
      'lws as materialized (select run_id, count(*)::int n, sum(arrivals)::int arrivals from lw group by run_id)',
    );
  }
  if (shape.waitsMoved) {
    parts.push(
      `lm as materialized (
        select w.run_id, w.node, w.name, w.version, c.due_at from ${relation('waitsMoved', relations.waitsMoved, 'c')}
        join eec_workflow_wait w on w.run_id = c.run_id and w.node = c.node and w.name = c.name
        order by w.run_id, w.node, w.name for update of w skip locked)`,
      'lms as materialized (select run_id, count(*)::int n from lm group by run_id)',
    );
  }
  if (shape.consumed) {
    parts.push(
      `li as materialized (
        select c.* from ${relation('consumed', relations.consumed, 'c')}
        join eec_workflow_inbox i on i.id = c.id
        -- written so that no partial index seems to fit: the primary key does
        where num_nulls(i.applied_at) = 1 order by i.id for update of i skip locked)`,
      'lis as materialized (select run_id, count(*)::int n from li group by run_id)',
    );
  }
  for (const { place, lock } of shape.expected) {
    parts.push(
      `expected_${place} as materialized (select * from ${relation(`expected_${place}`, relations.expected, 'e')})`,
      `lp_${place} as materialized (${named(lock ?? 'select run_id, ord from expected where false', 'expected', place)})`,
    );
  }
  if (shape.expected.length > 0) {
    const all = shape.expected.map(({ place }) => `select run_id from lp_${place}`).join(' union all ');
    parts.push(`lps as materialized (select run_id, count(*)::int n from (${all}) rows group by run_id)`);
  }
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
      // decide
      `ok as materialized (select run_id from lr where ${conditions.join(' and ')})`,
      // write
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
  parts.push(
    `t as (
      insert into eec_workflow_transition (tenant_id, run_id, version, tick_id, at, changes)
      select tenant_id, run_id, version, tick_id, at::timestamptz, changes
      from ${relation('transitions', relations.transitions, 't')} where (run_id in ${MOVED}) is true)`,
  );
  if (shape.folds) {
    parts.push(
      `fa as (
        update eec_workflow_step_attempt a set
          status = case when la.recorded then a.status else la.status end,
          output = case when la.recorded then a.output else la.output end,
          error = case when la.recorded then a.error else la.error end,
          tier = coalesce(la.tier, a.tier),
          started_at = coalesce(a.started_at, la.started_at::timestamptz),
          ended_at = coalesce(a.ended_at, la.ended_at::timestamptz, clock_timestamp() + $2::interval),
          superseded = la.superseded, finished_anyway = la.finished_anyway, outcome_unknown = la.outcome_unknown,
          folded = (la.run_id in ${MOVED}) is true
        from la where a.run_id = la.run_id and a.id = la.id)`,
    );
  }
  if (shape.attempts) {
    parts.push(
      `x as (
        insert into eec_workflow_step_attempt
          (tenant_id, run_id, id, step_ref, branch, generation, attempt, token, status, host_id, action, input, task, scheduled_at)
        select tenant_id, run_id, id, step_ref, branch::int[], generation, attempt, token, 'scheduled', $1::uuid, action, input, task,
          scheduled_at::timestamptz
        from ${relation('attempts', relations.attempts, 'x')} where (run_id in ${MOVED}) is true)`,
    );
  }
  if (shape.branches) {
    parts.push(
      `b as (
        insert into eec_workflow_branch
          (tenant_id, run_id, node, generation, index, variables, status, output, payload_id, error, branch_run_id,
          ended_at)
        select tenant_id, run_id, node, generation, index, variables, status, output, payload_id, error, branch_run_id,
          ended_at::timestamptz
        from ${relation('branches', relations.branches, 'b')} where (run_id in ${MOVED}) is true)`,
    );
  }
  if (shape.branchEnds) {
    parts.push(
      `be as (
        update eec_workflow_branch b set
          status = e.status, output = e.output, payload_id = e.payload_id, error = e.error, branch_run_id = e.branch_run_id,
          ended_at = e.ended_at::timestamptz
        from ${relation('branchEnds', relations.branchEnds, 'e')}
        where b.run_id = e.run_id and b.node = e.node and b.generation = e.generation and b.index = e.index
          and (e.run_id in ${MOVED}) is true)`,
    );
  }
  if (shape.payloads) {
    parts.push(
      `p as (
        insert into eec_payload (tenant_id, run_id, id, bytes, value)
        select tenant_id, run_id, id, bytes, value from ${relation('payloads', relations.payloads, 'p')}
        where not of_transition or (run_id in ${MOVED}) is true
        on conflict do nothing)`,
    );
  }
  if (shape.waitsOpened) {
    parts.push(
      `wo as (
        insert into eec_workflow_wait
          (tenant_id, run_id, chain_id, version, node, name, kind, partition, due_at, event_name, correlation_key, subscription,
           look_back_from)
        select tenant_id, run_id, chain_id, version, node, name, kind, partition, due_at::timestamptz, event_name, correlation_key,
          subscription, look_back_from::timestamptz
        from ${relation('waitsOpened', relations.waitsOpened, 'w')} where (run_id in ${MOVED}) is true)`,
    );
  }
  if (shape.waitsClosed) {
    parts.push(
      `wc as (
        delete from eec_workflow_wait w using lw
        where w.run_id = lw.run_id and w.node = lw.node and w.name = lw.name and w.version = lw.version
          and (lw.run_id in ${MOVED}) is true)`,
    );
  }
  if (shape.waitsMoved) {
    parts.push(
      `wm as (
        update eec_workflow_wait w set due_at = lm.due_at::timestamptz from lm
        where w.run_id = lm.run_id and w.node = lm.node and w.name = lm.name and w.version = lm.version
          and (lm.run_id in ${MOVED}) is true)`,
    );
  }
  if (shape.consumed) {
    parts.push(
      `ic as (
        update eec_workflow_inbox i set applied_at = clock_timestamp() + $2::interval, outcome = li.outcome
        from li where i.id = li.id and li.outcome is not null and (li.run_id in ${MOVED}) is true)`,
      `id as (delete from eec_workflow_inbox i using li
        where i.id = li.id and li.outcome is null and (li.run_id in ${MOVED}) is true)`,
    );
  }
  if (shape.told) {
    parts.push(
      `io as (
        insert into eec_workflow_inbox (id, tenant_id, chain_id, run_id, kind, node, request_id, actor, reason, body, received_at)
        select o.id, o.tenant_id, o.chain_id, coalesce(r.id, o.run_id), o.kind, o.node, o.request_id, o.actor, o.reason, o.body,
          clock_timestamp() + $2::interval
        from ${relation('told', relations.told, 'o')}
        left join eec_workflow_run r on r.id = o.chain_id and r.tenant_id = o.tenant_id
        where (o.is_own or r.id is not null) and (o.run_id in ${MOVED}) is true
        on conflict (chain_id, request_id) where request_id is not null do nothing)`,
    );
  }
  if (shape.events) {
    parts.push(
      `ev as (
        insert into eec_workflow_event (id, tenant_id, event_name, correlation_key, event_id, payload, run_id, published_at)
        select e.id, e.tenant_id, e.event_name, e.correlation_key, e.id::text, e.payload, e.run_id,
          clock_timestamp() + $2::interval
        from ${relation('events', relations.events, 'e')} where (e.run_id in ${MOVED}) is true)`,
    );
  }
  for (const { place, write } of shape.written) {
    if (write === null) continue;
    parts.push(
      `written_${place} as (select tenant_id, run_id, row from ${relation(`written_${place}`, relations.written, 'v')}
        where (run_id in ${MOVED}) is true)`,
      `pw_${place} as (${named(write, 'written', place)})`,
    );
  }
  const text = `with ${parts.join(',\n')}\nselect id, $1::uuid host, clock_timestamp() + $2::interval now from moved`;
  return { text, parameters };
}

/** A plugin's statement over the relation of its own table. */
const named = (text: string, name: string, place: number) =>
  text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `${name}_${place}`);

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
