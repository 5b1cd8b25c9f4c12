import * as relations from './relations.ts';
import { named, type Relation, type Shape } from './shape.ts';

/** Locks what the ticks have read beside their runs, and counts for each run what was found as it was read. */
export function lockParts(shape: Shape, relation: Relation): readonly string[] {
  const parts: string[] = [];
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
  return parts;
}
