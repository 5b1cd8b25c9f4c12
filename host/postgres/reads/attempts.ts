import type { AttemptFacts, AttemptId, AttemptStatus, Instant, Json, RunId, TenantId } from '@ductor/core';
import type { Knex } from 'knex';
import { rowsOf } from './rows.ts';

/** Large values are references to payloads, as they are stored. */
export interface AttemptRow {
  readonly id: AttemptId;
  readonly step_ref: string;
  readonly branch: readonly number[];
  readonly generation: number;
  readonly attempt: number;
  readonly status: AttemptStatus;
  readonly host_id: string;
  readonly tier: string | null;
  readonly action: string;
  readonly input: Json;
  readonly output: Json;
  readonly error: Json;
  readonly heartbeat: Json;
  readonly heartbeat_at: Instant | null;
  readonly scheduled_at: Instant;
  readonly started_at: Instant | null;
  readonly ended_at: Instant | null;
  readonly superseded: boolean;
  readonly finished_anyway: boolean;
  readonly outcome_unknown: boolean;
}

const list = (beyond: '>' | '<', order: 'asc' | 'desc') => `
  select id, step_ref, branch, generation, attempt, status, host_id, tier, action, input, output, error, heartbeat, heartbeat_at,
         scheduled_at, started_at, ended_at, superseded, finished_anyway, outcome_unknown
    from eec_workflow_step_attempt
   where tenant_id = :tenantId and run_id = :runId and (cast(:after as uuid) is null or id ${beyond} :after)
   order by id ${order} limit :limit`;
const LISTS = { asc: list('>', 'asc'), desc: list('<', 'desc') };

/** Attempts of a run in the order in which they were scheduled. */
export function listAttempts(
  knex: Knex,
  query: {
    readonly tenantId: TenantId;
    readonly runId: RunId;
    readonly order: 'asc' | 'desc';
    readonly after: AttemptId | null;
    readonly limit: number;
  },
): Promise<readonly AttemptRow[]> {
  const { order, ...bindings } = query;
  return rowsOf<AttemptRow>(knex, LISTS[order], bindings);
}

const FACTS = `
  select id, scheduled_at as "scheduledAt", started_at as "startedAt", heartbeat_at as "heartbeatAt", ended_at as "endedAt"
    from eec_workflow_step_attempt
   where tenant_id = :tenantId and run_id = :runId and id = any(:ids)`;

/** What `why` needs to know of the attempts in flight. */
export async function readAttemptFacts(
  knex: Knex,
  of: { readonly tenantId: TenantId; readonly runId: RunId; readonly ids: readonly AttemptId[] },
): Promise<ReadonlyMap<AttemptId, AttemptFacts>> {
  if (of.ids.length === 0) return new Map();
  const rows = await rowsOf<AttemptFacts & { id: AttemptId }>(knex, FACTS, { ...of });
  return new Map(rows.map(({ id, ...facts }) => [id, facts]));
}

const EXISTS = 'select from eec_workflow_step_attempt where tenant_id = :tenantId and run_id = :runId and id = :id';

export async function hasAttempt(
  knex: Knex,
  of: { readonly tenantId: TenantId; readonly runId: RunId; readonly id: AttemptId },
): Promise<boolean> {
  return (await rowsOf(knex, EXISTS, { ...of })).length > 0;
}
