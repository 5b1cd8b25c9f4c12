import type { Actor, ChainId, Control, Json, RunId, TenantId } from '@ductor/core';
import type { Knex } from 'knex';
import { rowsOf } from './reads/rows.ts';

/** A control's own words, without what its row's columns say. */
type Distribute<T> = T extends unknown ? Omit<T, 'id' | 'requestId' | 'actor' | 'reason' | 'receivedAt'> : never;
export type ControlBody = Distribute<Control>;

export interface OfferedControl {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly chainId: ChainId;
  readonly runId: RunId;
  readonly requestId: string;
  readonly actor: Actor;
  readonly reason: string | null;
  readonly body: ControlBody;
}

const INSERT = `
  insert into eec_workflow_inbox (id, tenant_id, chain_id, run_id, kind, request_id, actor, reason, body)
  values (:id, :tenantId, :chainId, :runId, 'control', :requestId, :actor, :reason, :body)
  on conflict (chain_id, request_id) where request_id is not null do nothing
  returning id`;

/** Keeps a control for the run's next tick; `known`: this request id is taken, and nothing was written. */
export async function offerControl(knex: Knex, control: OfferedControl): Promise<'kept' | 'known'> {
  const rows = await rowsOf(knex, INSERT, { ...control, body: JSON.stringify(control.body) });
  return rows.length > 0 ? 'kept' : 'known';
}

const KNOWN = `
  select kind = 'control' and run_id = :runId and reason is not distinct from :reason
         and cast(body as jsonb) = cast(:body as jsonb) as "isSame"
    from eec_workflow_inbox where tenant_id = :tenantId and chain_id = :chainId and request_id = :requestId`;

/** Whether this request id was used before, and whether for the same. */
export async function findControl(
  knex: Knex,
  control: Pick<OfferedControl, 'tenantId' | 'chainId' | 'runId' | 'requestId' | 'reason'> & { readonly body: Json },
): Promise<'same' | 'other' | null> {
  const { tenantId, chainId, runId, requestId, reason, body } = control;
  const bindings = { tenantId, chainId, runId, requestId, reason, body: JSON.stringify(body) };
  const [row] = await rowsOf<{ isSame: boolean }>(knex, KNOWN, bindings);
  return row === undefined ? null : row.isSame ? 'same' : 'other';
}
