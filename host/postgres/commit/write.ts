import * as relations from './relations.ts';
import { named, type Relation, type Shape } from './shape.ts';

const MOVED = '(select id from moved)';

/** Writes what the ticks that hold have made. */
export function writeParts(shape: Shape, relation: Relation): readonly string[] {
  const parts: string[] = [];
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
  return parts;
}
