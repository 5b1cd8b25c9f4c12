import type { Idempotency, Reply, RunId, RunStatus, TenantId } from '@ductor/core';
import type pg from 'pg';

/** The run that holds an idempotency key. Plan: eec_workflow_run_idempotency. */
export async function runByKey(
  hot: pg.Pool,
  tenantId: TenantId,
  { scope, key }: Pick<Idempotency, 'scope' | 'key'>,
): Promise<{ readonly runId: RunId; readonly requestHash: string } | null> {
  const { rows } = await hot.query<{ id: string; request_hash: string }>({
    name: 'run_by_key',
    text: `select id, request_hash from eec_workflow_run
      where tenant_id = $1 and idempotency_scope = $2 and idempotency_key = $3`,
    values: [tenantId, scope, key],
  });
  return rows[0] ? { runId: rows[0].id, requestHash: rows[0].request_hash } : null;
}

/** How a run stands, for whoever waits for it. Plan: primary key. */
export async function runStanding(
  hot: pg.Pool,
  runId: RunId,
): Promise<{ readonly status: RunStatus; readonly replies: readonly Reply[] }> {
  const { rows } = await hot.query<{ status: RunStatus; replies: Reply[] | null }>({
    name: 'run_standing',
    text: 'select status, replies from eec_workflow_run where id = $1',
    values: [runId],
  });
  if (!rows[0]) throw new Error(`There is no run ${runId}.`);
  return { status: rows[0].status, replies: rows[0].replies ?? [] };
}
