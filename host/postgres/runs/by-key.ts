import type { Idempotency, Reply, RunId, RunStatus, TenantId } from '@ductor/core';
import type pg from 'pg';

/** The runs that hold idempotency keys, in order; `null` where none does. Plan: eec_workflow_run_idempotency. */
export async function runsByKey(
  hot: pg.Pool,
  asked: readonly ({ readonly tenantId: TenantId } & Pick<Idempotency, 'scope' | 'key'>)[],
): Promise<readonly ({ readonly runId: RunId; readonly requestHash: string; readonly status: RunStatus } | null)[]> {
  const { rows } = await hot.query<{ id: string | null; request_hash: string; status: RunStatus }>({
    name: 'runs_by_key',
    text: `select found.* from unnest($1::text[], $2::text[], $3::text[]) with ordinality asked (tenant_id, scope, key, place)
      left join lateral (
        select id, request_hash, status from eec_workflow_run
        where tenant_id = asked.tenant_id and idempotency_scope = asked.scope and idempotency_key = asked.key
      ) found on true
      order by place`,
    values: [asked.map(({ tenantId }) => tenantId), asked.map(({ scope }) => scope), asked.map(({ key }) => key)],
  });
  return rows.map(({ id, request_hash: requestHash, status }) =>
    id === null ? null : { runId: id, requestHash, status },
  );
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
