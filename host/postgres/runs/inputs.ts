import {
  type Arrival,
  type AttemptOutcome,
  type Control,
  type InputQuery,
  type Json,
  type LoadedInputs,
  NO_INPUTS,
  type NodeAddress,
} from '@ductor/core';
import type pg from 'pg';
import type { ControlBody } from '../offer-control.ts';
import { branchPages } from './branches.ts';
import { factsOf, type LoadableTable } from './facts.ts';

interface AttemptRow {
  readonly id: string;
  readonly token: string;
  readonly attempt: number;
  readonly step_ref: string;
  readonly branch: readonly number[];
  readonly status: string;
  readonly output: Json;
  readonly error: Json;
  /** Its worker has spoken, and not of a start. */
  readonly is_untouched: boolean;
  /** Seconds since 1970; `null` where nobody lives to end it. */
  readonly at: number | null;
}
interface InboxRow {
  readonly id: string;
  readonly kind: 'control' | 'message' | 'signal' | 'event' | 'late';
  readonly node: string;
  readonly request_id: string | null;
  readonly actor: string | null;
  readonly reason: string | null;
  readonly received_at: string;
  readonly body: never;
  readonly at: number;
}
interface WaitRow {
  readonly node: string;
  readonly name: string;
  readonly arrivals: number;
  readonly is_due: boolean;
  readonly at: number | null;
}
interface Row {
  readonly run_id: string;
  readonly version: number;
  readonly now: string;
  readonly attempts: readonly AttemptRow[] | null;
  readonly inbox: readonly InboxRow[] | null;
  readonly waits: readonly WaitRow[] | null;
}

/**
 * Plan: per run one look into the run's key, then each subselect by a key that starts with run_id; attempts only those in
 * flight. The clock is read once: what is due is due by the tick's own time. An attempt that is open although its host's lease has ended is lost, unless that host is the one that asks.
 */
const INPUTS = `
with clock as materialized (select clock_timestamp() + $3::interval as now)
select r.id run_id, r.db_record_version as version, (select now from clock) as now,
  (select json_agg(json_build_object('id', a.id, 'token', a.token, 'attempt', a.attempt, 'step_ref', a.step_ref, 'branch', a.branch,
      'status', a.status, 'error', a.error, 'is_untouched', a.started_at is null and a.tier is not null,
      'output', coalesce((select p.value from eec_payload p where p.run_id = a.run_id and p.id = a.id), a.output),
      'at', extract(epoch from a.ended_at)::float8))
    from eec_workflow_step_attempt a
    where a.run_id = q.run_id and a.id = any(q.attempts::uuid[]) and not a.folded
      and (a.ended_at is not null
        or a.host_id <> $4
          and not exists (select from eec_host h where h.id = a.host_id and h.lease_until > (select now from clock)))) as attempts,
  (select json_agg(json_build_object('id', i.id, 'kind', i.kind, 'node', i.node, 'request_id', i.request_id, 'actor', i.actor,
      'reason', i.reason, 'received_at', i.received_at, 'body', i.body, 'at', extract(epoch from i.received_at)::float8)
      order by i.received_at, i.id)
    from (select * from eec_workflow_inbox i where i.run_id = q.run_id and i.applied_at is null
      order by i.kind <> 'control', not i.is_wanted, i.received_at, i.id limit 2000) i) as inbox,
  (select json_agg(json_build_object('node', w.node, 'name', w.name, 'arrivals', w.arrivals,
      'is_due', coalesce(w.due_at <= (select now from clock), false), 'at', extract(epoch from w.due_at)::float8))
    from eec_workflow_wait w where w.run_id = q.run_id) as waits
from unnest($1::uuid[], $2::text[]) q (run_id, attempts)
join eec_workflow_run r on r.id = q.run_id`;

/** What has come for each run; `null` for one that does not exist. */
export async function loadInputs(
  hot: pg.Pool,
  {
    hostId,
    queries,
    offset,
    tables,
  }: {
    readonly hostId: string;
    readonly queries: readonly InputQuery[];
    readonly offset: string;
    readonly tables: ReadonlyMap<string, LoadableTable>;
  },
): Promise<readonly (LoadedInputs | null)[]> {
  const values = [
    queries.map(({ runId }) => runId),
    queries.map(({ attempts }) => `{${attempts.join(',')}}`),
    offset,
    hostId,
  ];
  const [{ rows }, facts, branches] = await Promise.all([
    hot.query<Row>({ name: 'load_inputs', text: INPUTS, values }),
    factsOf(hot, queries, tables),
    branchPages(hot, queries),
  ]);
  const byRun = new Map(rows.map((row) => [row.run_id, row]));
  return queries.map(({ runId }) => {
    const row = byRun.get(runId);
    if (!row) return null;
    const { waits: waitRows, attempts, inbox, version, now } = row;
    const waits = new Map<string, number>();
    for (const { node, arrivals } of waitRows ?? []) waits.set(node, (waits.get(node) ?? 0) + arrivals);
    const arrivals = [
      ...(attempts ?? []).map((attempt) => ({ at: attempt.at ?? 0, arrival: outcomeArrival(attempt) })),
      ...(inbox ?? []).flatMap((item) =>
        item.kind === 'control' ? [] : [{ at: item.at, arrival: inboxArrival(item) }],
      ),
      ...(waitRows ?? []).flatMap(({ node, name, is_due, at }) =>
        is_due ? [{ at: at ?? 0, arrival: { kind: 'due', node, name } as const }] : [],
      ),
    ];
    const control = (inbox ?? []).find(({ kind }) => kind === 'control');
    return {
      version,
      now,
      inputs: {
        ...NO_INPUTS,
        branches: branches.get(runId) ?? NO_INPUTS.branches,
        control: control ? controlOf(control) : null,
        arrivals: arrivals.sort((a, b) => a.at - b.at).map(({ arrival }) => arrival),
        facts: facts.get(runId) ?? new Map(),
        waits,
      },
    };
  });
}

function outcomeArrival(row: AttemptRow): Arrival {
  return {
    kind: 'outcome',
    at: { ref: row.step_ref, branch: row.branch },
    attempt: { id: row.id, token: row.token, number: row.attempt },
    outcome: row.at === null ? { status: 'lost' } : outcomeOf(row),
    report: null,
    recorded: row.at !== null,
  };
}

function outcomeOf({ status, output, error, is_untouched }: AttemptRow): AttemptOutcome {
  const untouched: { readonly neverStarted?: true } = is_untouched ? { neverStarted: true } : {};
  switch (status) {
    case 'completed':
      return { status, output };
    case 'failed':
      return { status, error: error as never };
    case 'timed_out':
      return { status, deadline: (error as { deadline: 'startToCloseMs' }).deadline, ...untouched };
    default:
      return { status: status === 'stopped' ? 'stopped' : 'lost', ...untouched };
  }
}

/** The door wrote the body in the shape of what it stands for. */
function inboxArrival({ id, kind, body }: InboxRow): Arrival {
  const { at, ...what } = body as { at: NodeAddress };
  return { kind, id, at, ...what } as Arrival;
}

const controlOf = ({ id, request_id, actor, reason, received_at, body }: InboxRow): Control => ({
  ...(body as object as ControlBody),
  id,
  requestId: request_id ?? id,
  actor: actor ?? 'engine',
  reason,
  receivedAt: received_at,
});
