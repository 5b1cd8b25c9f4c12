import type { Actor, Instant, Json, TenantId } from '@ductor/core';
import type { Knex } from 'knex';
import { randomIds } from '../engine/random-ids.ts';
import { type Bindings, rowsOf } from './reads/rows.ts';

/** On whose behalf something is changed. */
export interface Author {
  readonly tenantId: TenantId;
  readonly actor: Actor;
}

export interface AuditEntry {
  /** `null`: of no tenant, but of the installation. */
  readonly tenantId: TenantId | null;
  readonly actor: Actor;
  /** What was changed and how: `workflow_definition.publish`. */
  readonly action: string;
  /** The id of what was changed. */
  readonly target: string;
  /** No secrets. */
  readonly details?: { readonly [name: string]: unknown };
}

const INSERT = `
  insert into eec_audit_log (id, tenant_id, actor, action, target, details)
  values (:id, :tenantId, :actor, :action, :target, :details)`;

/** Notes a change in the transaction that makes it, so that neither is there without the other. */
export async function writeAudit(transaction: Knex, { details, ...entry }: AuditEntry): Promise<void> {
  const written = details === undefined ? null : JSON.stringify(details);
  await rowsOf(transaction, INSERT, { id: randomIds.uuidv7(), ...entry, details: written });
}

export interface AuditRow {
  readonly id: string;
  readonly tenant_id: TenantId | null;
  readonly at: Instant;
  readonly actor: Actor;
  readonly action: string;
  readonly target: string;
  readonly details: Json;
}

/** Everything given must hold. */
export interface AuditFilter {
  readonly tenantId?: TenantId;
  readonly actor?: Actor;
  readonly action?: string;
  readonly target?: string;
  readonly from?: Instant;
  /** Before it. */
  readonly to?: Instant;
}

const CONDITIONS: { readonly [Name in keyof Required<AuditFilter>]: string } = {
  tenantId: 'tenant_id = :tenantId',
  actor: 'actor = :actor',
  action: 'action = :action',
  target: 'target = :target',
  from: 'at >= :from',
  to: 'at < :to',
};

/** Both are read backwards or forwards by (tenant_id, id), or by id alone. A control's row gets its outcome by a tick. */
const SOURCES = [
  'select id, tenant_id, at, actor, action, target, details from eec_audit_log',
  `select id, tenant_id, received_at, actor, 'workflow_run.' || (body ->> 'control'), cast(run_id as text),
          json_build_object('request_id', request_id, 'reason', reason, 'outcome', outcome)
     from eec_workflow_inbox where kind = 'control' and request_id is not null`,
];

/** Entries by id, which is by time: what was noted, and the controls that runs were sent. */
export function listAudit(
  knex: Knex,
  {
    filter,
    order,
    after,
    limit,
  }: {
    readonly filter: AuditFilter;
    readonly order: 'asc' | 'desc';
    readonly after: string | null;
    readonly limit: number;
  },
): Promise<readonly AuditRow[]> {
  const given = Object.keys(filter) as (keyof AuditFilter)[];
  const conditions = given.map((name) => CONDITIONS[name]);
  if (after !== null) conditions.push(`id ${order === 'desc' ? '<' : '>'} :after`);
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
  const page = `order by id ${order} limit :limit`;
  const selects = SOURCES.map(
    (source) => `(select * from (${source}) s (id, tenant_id, at, actor, action, target, details) ${where} ${page})`,
  );
  const bindings: Bindings = { ...filter, after, limit };
  return rowsOf<AuditRow>(knex, `${selects.join(' union all ')} ${page}`, bindings);
}
