import type { ControlOutcome, Instant, RunId, TenantId } from '@ductor/core';
import type { Knex } from 'knex';
import { rowsOf } from './rows.ts';

export interface ControlRow {
  readonly request_id: string | null;
  readonly control: string;
  readonly actor: string | null;
  readonly reason: string | null;
  /** `null`: no tick has applied it yet. */
  readonly outcome: ControlOutcome | null;
  readonly at: Instant;
}

const CONTROLS = `
  select i.request_id, i.body ->> 'control' as control, i.actor, i.reason, i.outcome, i.received_at as at
    from eec_workflow_inbox i
    join eec_workflow_run r on r.tenant_id = :tenantId and r.id = :runId and r.chain_id = i.chain_id
   where i.tenant_id = :tenantId and i.run_id = :runId and i.kind = 'control' and i.request_id is not null
     and (cast(:until as timestamptz) is null or i.received_at <= :until)
   order by i.received_at, i.id`;

/** The controls that a run was sent, oldest first. `until`: received by then. */
export const readControls = (
  knex: Knex,
  of: { readonly tenantId: TenantId; readonly runId: RunId; readonly until: Instant | null },
): Promise<readonly ControlRow[]> => rowsOf<ControlRow>(knex, CONTROLS, { ...of });
