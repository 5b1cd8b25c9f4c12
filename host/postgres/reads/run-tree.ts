import type { Instant, Lineage, RunId, RunStatus, TenantId } from '@ductor/core';
import type { Knex } from 'knex';
import { rowsOf } from './rows.ts';

/** A run as a part of its family. */
export interface FamilyRow {
  readonly id: RunId;
  readonly family_slug: string | null;
  readonly version: number | null;
  readonly kind: string;
  readonly status: RunStatus;
  readonly lineage: Lineage;
  readonly created_at: Instant;
  readonly started_at: Instant | null;
  readonly ended_at: Instant | null;
}

const ROOT = 'select root_run_id as "rootId" from eec_workflow_run where tenant_id = :tenantId and id = :runId';

/** The root of a run's family; `null`: the tenant has no such run. */
export async function readRoot(
  knex: Knex,
  of: { readonly tenantId: TenantId; readonly runId: RunId },
): Promise<RunId | null> {
  const [row] = await rowsOf<{ rootId: RunId }>(knex, ROOT, { ...of });
  return row?.rootId ?? null;
}

const COLUMNS = 'r.id, r.definition_id, r.kind, r.status, r.lineage, r.created_at, r.started_at, r.ended_at';

// The root is put first, not sorted first: its id comes from a host's clock, those of its children from the database's.
const FAMILY = `
  select r.*, d.family_slug, d.version
    from ((select ${COLUMNS}, 0 as place from eec_workflow_run r
            where r.tenant_id = :tenantId and r.id = :rootId and cast(:after as uuid) is null)
          union all
          (select ${COLUMNS}, 1 as place from eec_workflow_run r
            where r.tenant_id = :tenantId and r.root_run_id = :rootId and r.id <> :rootId
              and (cast(:after as uuid) is null or cast(:after as uuid) = :rootId or r.id > :after)
            order by r.id limit :limit)) r
    left join eec_workflow_definition d on d.tenant_id = :tenantId and d.id = r.definition_id
   order by r.place, r.id limit :limit`;

/** The runs of a family, the root first and the others by id, beyond the run `after`. */
export const listFamily = (
  knex: Knex,
  query: { readonly tenantId: TenantId; readonly rootId: RunId; readonly after: RunId | null; readonly limit: number },
): Promise<readonly FamilyRow[]> => rowsOf<FamilyRow>(knex, FAMILY, { ...query });
