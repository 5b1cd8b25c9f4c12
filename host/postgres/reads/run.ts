import type { RunId, RunStatus, TenantId } from '@ductor/core';
import type { Knex } from 'knex';
import { rowsOf } from './rows.ts';
import { RUN_COLUMNS, type WholeRunRow } from './run-rows.ts';

const RUN = `
  select ${RUN_COLUMNS}, r.chain_id, r.input, r.output, r.error, r.run_context, r.fields, d.family_slug, d.version
    from eec_workflow_run r left join eec_workflow_definition d on d.tenant_id = r.tenant_id and d.id = r.definition_id
   where r.tenant_id = :tenantId and r.id = :runId`;

/** One run of the tenant's; `null` for another's too. */
export async function readRun(knex: Knex, of: { tenantId: TenantId; runId: RunId }): Promise<WholeRunRow | null> {
  const [row] = await rowsOf<WholeRunRow>(knex, RUN, { ...of });
  return row ?? null;
}

const HEAD = `
  select chain_id as "chainId", definition_id as "definitionId", status, ended_at is not null as "isEnded", db_record_version as version
    from eec_workflow_run where tenant_id = :tenantId and id = :runId`;

/** As much of a run as the reads of its parts need. */
export interface RunHead {
  readonly chainId: string;
  readonly definitionId: string;
  readonly status: RunStatus;
  readonly isEnded: boolean;
  readonly version: number;
}

export async function readRunHead(knex: Knex, of: { tenantId: TenantId; runId: RunId }): Promise<RunHead | null> {
  const [head] = await rowsOf<RunHead>(knex, HEAD, { ...of });
  return head ?? null;
}
