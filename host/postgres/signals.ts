import type { ChainId, NodeAddress, RunId, Signal, TenantId } from '@ductor/core';
import { nodeKey } from '@ductor/core';
import type { Knex } from 'knex';
import { rowsOf } from './reads/rows.ts';

export interface OfferedSignal {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly chainId: ChainId;
  readonly runId: RunId;
  readonly at: NodeAddress;
  readonly signal: Signal;
}

const bodyOf = ({ at, signal }: Pick<OfferedSignal, 'at' | 'signal'>): string => JSON.stringify({ at, signal });

/** Who sends it again does not matter. */
const KNOWN = `
  select kind = 'signal' and run_id = :runId
         and cast(body as jsonb) #- '{signal,actor}' = cast(:body as jsonb) #- '{signal,actor}' as "isSame"
    from eec_workflow_inbox where tenant_id = :tenantId and chain_id = :chainId and request_id = :requestId`;

/** Whether this request id was used before, and whether for the same. */
export async function findSignal(knex: Knex, offered: OfferedSignal): Promise<'same' | 'other' | null> {
  const { tenantId, chainId, runId, signal } = offered;
  const bindings = { tenantId, chainId, runId, requestId: signal.requestId, body: bodyOf(offered) };
  const [row] = await rowsOf<{ isSame: boolean }>(knex, KNOWN, bindings);
  return row === undefined ? null : row.isSame ? 'same' : 'other';
}

const LOCK = `
  select db_record_version as version from eec_workflow_run
   where tenant_id = :tenantId and id = :runId for no key update`;

/** Until the transaction ends no tick of the run is committed. Answers with the version that it stays at. */
export async function lockRun(
  transaction: Knex.Transaction,
  { tenantId, runId }: Pick<OfferedSignal, 'tenantId' | 'runId'>,
): Promise<number | null> {
  const [row] = await rowsOf<{ version: number }>(transaction, LOCK, { tenantId, runId });
  return row?.version ?? null;
}

const PENDING = `
  select count(*)::int as pending from eec_workflow_inbox
   where run_id = :runId and applied_at is null and kind = 'signal'`;

/** How many signals of the run no tick has applied yet. */
export async function pendingSignals(transaction: Knex.Transaction, runId: RunId): Promise<number> {
  const [row] = await rowsOf<{ pending: number }>(transaction, PENDING, { runId });
  return row?.pending ?? 0;
}

const INSERT = `
  insert into eec_workflow_inbox (id, tenant_id, chain_id, run_id, kind, node, request_id, actor, body, is_wanted)
  values (:id, :tenantId, :chainId, :runId, 'signal', :node, :requestId, :actor, :body, :isWanted)
  on conflict (chain_id, request_id) where request_id is not null do nothing
  returning id`;

/** One of the node's rows will do: a tick adds them up. */
const ARRIVED = `
  update eec_workflow_wait set arrivals = arrivals + 1 where (run_id, node, name, version) in (
    select run_id, node, name, version from eec_workflow_wait
     where run_id = :runId and node = :node order by name, version limit 1 for update)`;

/**
 * Keeps a signal for its node; a tick that is about to close the node finds that something has come. `isWanted`: the
 * node waits now. The run must be locked. `known`: this request id is taken, and nothing was written.
 */
export async function keepSignal(
  transaction: Knex.Transaction,
  offered: OfferedSignal & { readonly isWanted: boolean },
): Promise<'kept' | 'known'> {
  const { id, tenantId, chainId, runId, at, signal, isWanted } = offered;
  const node = nodeKey(at);
  const { requestId, actor } = signal;
  const bindings = { id, tenantId, chainId, runId, node, requestId, actor, body: bodyOf(offered), isWanted };
  const rows = await rowsOf(transaction, INSERT, bindings);
  if (rows.length === 0) return 'known';
  await rowsOf(transaction, ARRIVED, { runId, node });
  return 'kept';
}
