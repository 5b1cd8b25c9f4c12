import type { Instant, Json, JsonObject, RunId, TenantId } from '@ductor/core';
import type { Knex } from 'knex';
import { rowsOf } from './rows.ts';

export const BRANCH_STATUSES = ['pending', 'in_flight', 'completed', 'failed', 'cancelled'] as const;
export type BranchStatus = (typeof BRANCH_STATUSES)[number];

export interface BranchRow {
  readonly index: number;
  readonly status: BranchStatus;
  readonly variables: JsonObject;
  readonly output: Json;
  readonly error: Json;
  readonly branch_run_id: RunId | null;
  readonly ended_at: Instant | null;
}

/** What its row does not say of a branch stands in the run's state: whether it has started, and whether it still may. */
const list = (beyond: '>' | '<', order: 'asc' | 'desc') => `
  select * from (
    select index, variables, output, error, branch_run_id, ended_at, coalesce(status,
        case when index = any(cast(:inFlight as int[])) then 'in_flight' when :mayStart then 'pending' else 'cancelled' end) as status
      from eec_workflow_branch
     where tenant_id = :tenantId and run_id = :runId and node = :node and generation = :generation
       and (cast(:after as int) is null or index ${beyond} :after)) branch
   where cast(:status as text) is null or status = :status
   order by index ${order} limit :limit`;
const LISTS = { asc: list('>', 'asc'), desc: list('<', 'desc') };

/** The branches of a node in the order of what they were made of. */
export function listBranches(
  knex: Knex,
  query: {
    readonly tenantId: TenantId;
    readonly runId: RunId;
    readonly node: string;
    readonly generation: number;
    readonly inFlight: readonly string[];
    readonly mayStart: boolean;
    readonly status: BranchStatus | null;
    readonly order: 'asc' | 'desc';
    readonly after: number | null;
    readonly limit: number;
  },
): Promise<readonly BranchRow[]> {
  const { order, ...bindings } = query;
  return rowsOf<BranchRow>(knex, LISTS[order], bindings);
}
