import type { TenantId } from '@ductor/core';
import type { Knex } from 'knex';
import type { DefinitionRow } from './definition-row.ts';

/** What an address stands for, without the definitions themselves. */
export type Resolved = Pick<DefinitionRow, 'id' | 'family_id' | 'status'> & { readonly latest: string | null };

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

export const isUuid = (text: string): boolean => UUID.test(text);

/**
 * Asked by every trigger. Plan: the primary key or the family's part of the two unique indexes by slug, and from its
 * end the latest published version. No graph is read.
 */
const text = `
  select found.id, found.family_id, found.status, (
    select id from eec_workflow_definition
    where tenant_id = found.tenant_id and family_slug = found.family_slug and status = 'published'
    order by version desc limit 1
  ) as latest
  from (
    select 1 as choice, tenant_id, id, family_id, family_slug, status
    from eec_workflow_definition where id = :id and tenant_id = :tenantId
    union all
    select 2, tenant_id, id, family_id, family_slug, status
    from eec_workflow_definition where tenant_id = :tenantId and family_slug = :address and status = 'draft'
    union all
    (select 3, tenant_id, id, family_id, family_slug, status
     from eec_workflow_definition where tenant_id = :tenantId and family_slug = :address and status <> 'draft'
     order by version desc limit 1)
  ) found
  order by choice limit 1`;

/** By a version's id, a draft's id, or a slug. */
export async function resolveDefinition(knex: Knex, tenantId: TenantId, address: string): Promise<Resolved | null> {
  const id = isUuid(address) ? address : null;
  const { rows } = await knex.raw<{ readonly rows: readonly Resolved[] }>(text, { id, tenantId, address });
  return rows[0] ?? null;
}
