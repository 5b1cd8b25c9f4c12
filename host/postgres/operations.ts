import type { Actor, Instant, Json, JsonObject, TenantId } from '@ductor/core';
import type { Knex } from 'knex';
import { rowsOf } from './reads/rows.ts';

export const OPERATION_STATUSES = ['pending', 'running', 'done', 'failed', 'cancelled'] as const;
export type OperationStatus = (typeof OPERATION_STATUSES)[number];

/** One thing of many that could not be done; `id` names it. */
export type OperationFailure = { readonly id: string; readonly code: string; readonly message: string };

export interface OperationRow {
  readonly id: string;
  readonly kind: string;
  readonly params: JsonObject;
  readonly actor: Actor;
  readonly status: OperationStatus;
  readonly total: number | null;
  readonly done: number;
  readonly failed: number;
  readonly failures: readonly OperationFailure[];
  readonly error: Json;
  readonly created_at: Instant;
  readonly started_at: Instant | null;
  readonly ended_at: Instant | null;
}

const COLUMNS =
  'id, kind, params, actor, status, total, done, failed, failures, error, created_at, started_at, ended_at';

const INSERT = `
  insert into eec_operation (id, tenant_id, kind, params, actor, status)
  values (:id, :tenantId, :kind, :params, :actor, 'pending') returning ${COLUMNS}`;

export interface NewOperation extends Pick<OperationRow, 'id' | 'kind' | 'actor' | 'params'> {
  readonly tenantId: TenantId;
}

export async function insertOperation(knex: Knex, operation: NewOperation): Promise<void> {
  await rowsOf(knex, INSERT, { ...operation, params: JSON.stringify(operation.params) });
}

const READ = `select ${COLUMNS} from eec_operation where tenant_id = :tenantId and id = :id`;

export async function readOperation(
  knex: Knex,
  of: { readonly tenantId: TenantId; readonly id: string },
): Promise<OperationRow | null> {
  const [row] = await rowsOf<OperationRow>(knex, READ, { ...of });
  return row ?? null;
}

const list = (beyond: '>' | '<', order: 'asc' | 'desc') => `
  select ${COLUMNS} from eec_operation
   where tenant_id = :tenantId and (cast(:after as uuid) is null or id ${beyond} :after)
     and (cast(:kind as text) is null or kind = :kind) and (cast(:status as text) is null or status = :status)
   order by id ${order} limit :limit`;
const LISTS = { asc: list('>', 'asc'), desc: list('<', 'desc') };

export function listOperations(
  knex: Knex,
  query: {
    readonly tenantId: TenantId;
    readonly kind: string | null;
    readonly status: OperationStatus | null;
    readonly order: 'asc' | 'desc';
    readonly after: string | null;
    readonly limit: number;
  },
): Promise<readonly OperationRow[]> {
  const { order, ...bindings } = query;
  return rowsOf<OperationRow>(knex, LISTS[order], bindings);
}

const CANCEL = `
  update eec_operation set status = 'cancelled', ended_at = clock_timestamp()
   where tenant_id = :tenantId and id = :id and ended_at is null`;

/** Waits for the page under way; none follows it. One that has ended stays as it is. */
export async function cancelOperation(
  knex: Knex,
  of: { readonly tenantId: TenantId; readonly id: string },
): Promise<void> {
  await rowsOf(knex, CANCEL, { ...of });
}
