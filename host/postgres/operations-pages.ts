/** The statements by which operations go on: each within, or instead of, the transaction of a page. */
import type { Actor, Json, JsonObject, TenantId } from '@ductor/core';
import type { Knex } from 'knex';
import type { OperationFailure, OperationStatus } from './operations.ts';
import { rowsOf } from './reads/rows.ts';

export interface DueOperation {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly kind: string;
  readonly params: JsonObject;
  readonly actor: Actor;
  readonly status: OperationStatus;
  /** `null`: it has not begun. */
  readonly cursor: Json;
  readonly failures: readonly OperationFailure[];
  readonly faults: number;
}

const DUE = `
  select id, tenant_id as "tenantId", kind, params, actor, status, cursor, failures, faults from eec_operation
   where ended_at is null and next_at <= clock_timestamp() and kind = any(:kinds)
   order by next_at limit 1 for update skip locked`;

/** The one that has waited longest, locked until the transaction ends. */
export async function lockDueOperation(
  transaction: Knex.Transaction,
  kinds: readonly string[],
): Promise<DueOperation | null> {
  const [due] = await rowsOf<DueOperation>(transaction, DUE, { kinds });
  return due ?? null;
}

const TOTAL = 'update eec_operation set total = :total where id = :id';

export async function saveTotal(transaction: Knex.Transaction, id: string, total: number | null): Promise<void> {
  await rowsOf(transaction, TOTAL, { id, total });
}

const PROGRESS = `
  update eec_operation set
    cursor = :cursor, done = done + :done, failed = failed + :failed, failures = :failures, faults = 0,
    status = case when :isOver then 'done' else 'running' end,
    started_at = coalesce(started_at, clock_timestamp()), next_at = clock_timestamp(),
    ended_at = case when :isOver then clock_timestamp() end
   where id = :id`;

export interface Progress {
  /** `null`: that was the last page. */
  readonly cursor: Json;
  readonly done: number;
  readonly failed: number;
  readonly failures: readonly OperationFailure[];
}

export async function saveProgress(
  transaction: Knex.Transaction,
  id: string,
  { cursor, done, failed, failures }: Progress,
): Promise<void> {
  const texts = { cursor: cursor === null ? null : JSON.stringify(cursor), failures: JSON.stringify(failures) };
  await rowsOf(transaction, PROGRESS, { id, done, failed, isOver: cursor === null, ...texts });
}

const AGAIN = `
  update eec_operation set faults = faults + 1, next_at = clock_timestamp() + :inMs * interval '1 ms'
   where id = :id and ended_at is null`;

/** Its page came to nothing, and is tried again later. */
export async function tryAgain(knex: Knex, id: string, inMs: number): Promise<void> {
  await rowsOf(knex, AGAIN, { id, inMs });
}

const FAIL = `
  update eec_operation set status = 'failed', error = :error, ended_at = clock_timestamp()
   where id = :id and ended_at is null`;

export async function failOperation(knex: Knex, id: string, error: JsonObject): Promise<void> {
  await rowsOf(knex, FAIL, { id, error: JSON.stringify(error) });
}
