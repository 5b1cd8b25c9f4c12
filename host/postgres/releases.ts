import type { Actor, Instant, TenantId } from '@ductor/core';
import type { Knex } from 'knex';
import type pg from 'pg';
import { randomIds } from '../engine/random-ids.ts';
import { type Author, writeAudit } from './audit-log.ts';
import { rowsOf } from './reads/rows.ts';

/** A row of eec_caller_release. */
export interface ReleaseRow {
  readonly id: string;
  readonly external_deployment_id: string;
  readonly declared_by: Actor;
  readonly declared_at: Instant;
  /** `null`: it is the live one. */
  readonly superseded_at: Instant | null;
}

const COLUMNS = 'id, external_deployment_id, declared_by, declared_at, superseded_at';
const LOCK = 'select from eec_tenant where id = :tenantId for no key update';
const LIVE = `select ${COLUMNS} from eec_caller_release where tenant_id = :tenantId and superseded_at is null`;
const SUPERSEDE = `
  update eec_caller_release set superseded_at = clock_timestamp()
   where tenant_id = :tenantId and superseded_at is null`;
const INSERT = `
  insert into eec_caller_release (id, tenant_id, external_deployment_id, declared_by)
  values (:id, :tenantId, :externalDeploymentId, :actor) returning ${COLUMNS}`;

export async function liveRelease(knex: Knex, tenantId: TenantId): Promise<ReleaseRow | null> {
  const [row] = await rowsOf<ReleaseRow>(knex, LIVE, { tenantId });
  return row ?? null;
}

/** Makes it the live one; what is live already stays as it is. One declaration of a tenant after another. */
export function declareRelease(
  knex: Knex,
  { tenantId, actor }: Author,
  externalDeploymentId: string,
): Promise<ReleaseRow> {
  return knex.transaction(async (transaction) => {
    await rowsOf(transaction, LOCK, { tenantId });
    const live = await liveRelease(transaction, tenantId);
    if (live?.external_deployment_id === externalDeploymentId) return live;
    await rowsOf(transaction, SUPERSEDE, { tenantId });
    const id = randomIds.uuidv7();
    const [row] = await rowsOf<ReleaseRow>(transaction, INSERT, { id, tenantId, externalDeploymentId, actor });
    if (row === undefined) throw new Error('An insert answers with its row.');
    await writeAudit(transaction, {
      tenantId,
      actor,
      action: 'caller_release.declare',
      target: externalDeploymentId,
      details: { previous: live?.external_deployment_id ?? null },
    });
    return row;
  });
}

export function listReleases(
  knex: Knex,
  page: {
    readonly tenantId: TenantId;
    readonly order: 'asc' | 'desc';
    readonly after: string | null;
    readonly limit: number;
  },
): Promise<readonly ReleaseRow[]> {
  const { order, ...bindings } = page;
  const beyond = page.after === null ? '' : `and id ${order === 'desc' ? '<' : '>'} :after`;
  const sql = `
    select ${COLUMNS} from eec_caller_release where tenant_id = :tenantId ${beyond} order by id ${order} limit :limit`;
  return rowsOf<ReleaseRow>(knex, sql, bindings);
}

/** Asked by every trigger of a tenant whose policy is `required`. Plan: eec_caller_release_live. */
export async function liveDeployment(hot: pg.Pool, tenantId: TenantId): Promise<string | null> {
  const { rows } = await hot.query<{ external_deployment_id: string }>({
    name: 'live_deployment',
    text: 'select external_deployment_id from eec_caller_release where tenant_id = $1 and superseded_at is null',
    values: [tenantId],
  });
  return rows[0]?.external_deployment_id ?? null;
}
