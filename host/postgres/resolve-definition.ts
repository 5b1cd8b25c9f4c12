import type { TenantId } from '@ductor/core';
import type pg from 'pg';
import type { DefinitionRow } from './definition-row.ts';

/** What an address stands for, without the definitions themselves. */
export type Resolved = Pick<DefinitionRow, 'id' | 'family_id' | 'status'> & {
  /** The latest published version. */
  readonly latest: string | null;
  /** The family has versions that were archived. */
  readonly retired: boolean;
};

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

export const isUuid = (text: string): boolean => UUID.test(text);

/**
 * Asked by every trigger. Plan: for each address the primary key or the family's part of the two unique indexes by slug,
 * and from its end the latest published version. No graph is read.
 */
const text = `
  select found.id, found.family_id, found.status, (
    select id from eec_workflow_definition
    where tenant_id = asked.tenant_id and family_slug = found.family_slug and status = 'published'
    order by version desc limit 1
  ) as latest, exists (
    select from eec_workflow_definition
    where tenant_id = asked.tenant_id and family_slug = found.family_slug and status = 'archived'
  ) as retired
  from unnest($1::text[], $2::text[], $3::uuid[]) with ordinality asked (tenant_id, address, id, place)
  left join lateral (
    select choice, id, family_id, family_slug, status from (
      select 1 as choice, id, family_id, family_slug, status
      from eec_workflow_definition where id = asked.id and tenant_id = asked.tenant_id and status <> 'unlisted'
      union all
      select 2, id, family_id, family_slug, status
      from eec_workflow_definition where tenant_id = asked.tenant_id and family_slug = asked.address and status = 'draft'
      union all
      (select 3, id, family_id, family_slug, status
       from eec_workflow_definition
       where tenant_id = asked.tenant_id and family_slug = asked.address and status in ('published', 'archived')
       order by version desc limit 1)
    ) choices
    order by choice limit 1
  ) found on true
  order by place`;

/** Each by a version's id, a draft's id, or a slug. */
export async function resolveDefinitions(
  hot: pg.Pool,
  asked: readonly { readonly tenantId: TenantId; readonly address: string }[],
): Promise<readonly (Resolved | null)[]> {
  const values = [
    asked.map(({ tenantId }) => tenantId),
    asked.map(({ address }) => address),
    asked.map(({ address }) => (isUuid(address) ? address : null)),
  ];
  const { rows } = await hot.query<Resolved | { readonly id: null }>({ name: 'resolve_definitions', text, values });
  return rows.map((row) => (row.id === null ? null : row));
}
