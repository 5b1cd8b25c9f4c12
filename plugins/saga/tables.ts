import { defineTable, type Expression, type Failure, type Instant, type Json, type JsonObject } from '@ductor/core';
import type { FailurePolicy } from './fields.ts';

/** An execution that has to be undone, or of which nobody knows whether it has. */
export type Duty = {
  readonly execution: string;
  readonly chain: string;
  readonly ref: string;
  readonly branch: readonly number[];
  readonly generation: number;
  readonly action: string;
  readonly credential: string | null;
  readonly args: Expression<'output', Json> | null;
  readonly endings: readonly string[];
  readonly retry: JsonObject | null;
  readonly policy: FailurePolicy;
  readonly attempt: string | null;
  /** Where no attempt has it. */
  readonly output: Json;
  readonly at: Instant;
  readonly version: number;
  readonly ordinal: number;
  readonly state: 'owed' | 'unknown';
};

/** Written where an execution settles. One that was unknown may turn out to have completed; its arguments stay as they were then. */
export const duties = defineTable<Duty>({
  name: 'eec_workflow_duty',
  write: `
    insert into eec_workflow_duty as d (execution, tenant_id, run_id, chain_id, step_ref, branch, generation, action, credential,
      args, endings, retry, failure_policy, attempt_id, output, completed_at, version, ordinal, state, opened_at)
    select distinct on (row ->> 'execution') row ->> 'execution', tenant_id, run_id, (row ->> 'chain')::uuid, row ->> 'ref',
      array(select json_array_elements_text(row -> 'branch')::int), (row ->> 'generation')::int, row ->> 'action',
      row ->> 'credential', row -> 'args', array(select json_array_elements_text(row -> 'endings')), row -> 'retry',
      row ->> 'policy', (row ->> 'attempt')::uuid, row -> 'output', (row ->> 'at')::timestamptz, (row ->> 'version')::bigint,
      (row ->> 'ordinal')::int, row ->> 'state', case when row ->> 'state' = 'unknown' then (row ->> 'at')::timestamptz end
    from written order by row ->> 'execution', row ->> 'state'
    on conflict (execution) do update set state = 'owed', attempt_id = excluded.attempt_id,
      output = excluded.output, completed_at = excluded.completed_at, version = excluded.version, ordinal = excluded.ordinal,
      opened_at = null
    where d.state = 'unknown' and excluded.state = 'owed'`,
});

/** What an undo has to know of the duty that comes next. */
export type NextDuty = Pick<
  Duty,
  'execution' | 'ref' | 'action' | 'credential' | 'args' | 'retry' | 'policy' | 'output'
>;

/** `only`: that execution, whatever the ending. Else the last to have completed of those that `ending` calls for. */
export type NextDutyKey = { readonly chain: string; readonly ending: string; readonly only: string | null };

/** Owed, or left behind by a run that has ended over it or begins anew. */
const isFree = (undoRun: string) => `(d.state = 'owed' or d.state = 'undoing' and (d.undo_run_id = ${undoRun}
  or exists (select from eec_workflow_run u where u.id = d.undo_run_id and u.ended_at is not null)))`;

/** As it is kept. */
type Trouble = Pick<Failure, 'code' | 'message' | 'party' | 'details'>;

type Progress = {
  readonly execution: string;
  readonly state: 'undoing' | 'undone' | 'owed' | 'repair' | 'ignored';
  /** By an operator's word: also what was left for repair, or passed over. */
  readonly isAsked?: boolean;
  readonly error: Trouble | null;
  readonly at: Instant;
};

const LEFT = "d.state in ('repair', 'unknown', 'ignored')";

/** What becomes of duties, written by the run that undoes them; only one can begin to. */
export const progress = defineTable<Progress>({
  name: 'eec_workflow_duty_progress',
  // The chain's part of eec_workflow_duty_chain from its end, then the attempt and its payload by their keys.
  load: `
    select needed.run_id, needed.node, json_build_object('execution', d.execution, 'ref', d.step_ref, 'action', d.action,
      'credential', d.credential, 'args', d.args, 'retry', d.retry, 'policy', d.failure_policy,
      'output', coalesce(p.value, a.output, d.output)) as row
    from needed cross join lateral (
      select * from eec_workflow_duty d
      where d.chain_id = (needed.key ->> 'chain')::uuid
        and case when needed.key ->> 'only' is null then needed.key ->> 'ending' = any (d.endings) and ${isFree('needed.run_id')}
            else d.execution = needed.key ->> 'only' and (${LEFT} or ${isFree('needed.run_id')}) end
      order by d.completed_at desc, d.version desc, d.ordinal desc limit 1) d
    left join eec_workflow_step_attempt a on a.run_id = d.run_id and a.id = d.attempt_id
    left join eec_payload p on p.run_id = d.run_id and p.id = d.attempt_id`,
  lock: `
    select expected.run_id, expected.ord
    from expected join eec_workflow_duty d on d.execution = expected.row ->> 'execution' 
    where ${isFree('expected.run_id')} or expected.row ->> 'isAsked' = 'true' and ${LEFT}
    order by d.execution for no key update of d skip locked`,
  write: `
    update eec_workflow_duty d set state = written.row ->> 'state', undo_run_id = written.run_id,
      error = case json_typeof(written.row -> 'error') when 'null' then null else written.row -> 'error' end,
      settled_at = case when written.row ->> 'state' in ('undone', 'ignored') then (written.row ->> 'at')::timestamptz end,
      opened_at = case when written.row ->> 'state' = 'repair' then (written.row ->> 'at')::timestamptz else d.opened_at end
    from written where d.execution = written.row ->> 'execution'`,
});

/** The duty that comes next, as it was asked for. */
export const nextDuty = (facts: Parameters<typeof progress.of>[0]): NextDuty | undefined =>
  (facts.get(progress.name) as readonly NextDuty[] | undefined)?.[0];

export type End = { readonly run: string; readonly number: number; readonly claim: 'undo' | 'redrive' | null };

/** A row per end that owes something; `load` without a number finds the last. */
export const ends = defineTable<End>({
  name: 'eec_workflow_end',
  load: `
    select needed.run_id, needed.node, json_build_object('run', e.run_id, 'number', e.number, 'claim', e.claim) as row
    from needed cross join lateral (
      select * from eec_workflow_end e where e.run_id = (needed.key ->> 'run')::uuid
        and (needed.key ->> 'number' is null or e.number = (needed.key ->> 'number')::int)
      order by e.number desc limit 1) e`,
  write: `
    insert into eec_workflow_end (tenant_id, run_id, number)
    select tenant_id, (row ->> 'run')::uuid, (row ->> 'number')::int from written on conflict do nothing`,
});

/** An end is claimed once. */
export const claims = defineTable<End>({
  name: 'eec_workflow_end_claim',
  lock: `
    select expected.run_id, expected.ord
    from expected join eec_workflow_end e on e.run_id = (expected.row ->> 'run')::uuid and e.number = (expected.row ->> 'number')::int
    where e.claim is null order by e.run_id, e.number for no key update of e skip locked`,
  write: `
    update eec_workflow_end e set claim = written.row ->> 'claim'
    from written where e.run_id = (written.row ->> 'run')::uuid and e.number = (written.row ->> 'number')::int`,
});

type Ignored = { readonly execution: string; readonly action: string; readonly error: Trouble };

/** Failures that are passed over stand in the audit log. The id is a UUIDv7 of now. */
export const passedOver = defineTable<Ignored>({
  name: 'eec_workflow_compensation_ignored',
  write: `
    insert into eec_audit_log (id, tenant_id, actor, action, target, details)
    select (left(eec_uuid_floor(clock_timestamp())::text, 15) || substr(gen_random_uuid()::text, 16))::uuid, written.tenant_id,
      'engine', 'compensation.ignore', d.id::text, json_build_object('run_id', d.run_id, 'step_ref', d.step_ref,
        'execution', d.execution, 'action', written.row ->> 'action', 'error', written.row -> 'error')
    from written join eec_workflow_duty d on d.execution = written.row ->> 'execution'`,
});
