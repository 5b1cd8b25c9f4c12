import { randomUUID } from 'node:crypto';
import type { ChainId, Message, NodeAddress, RunId } from '@ductor/core';
import { nodeKey } from '@ductor/core';
import type pg from 'pg';

/** Leaves a message for a node; answers with the run to wake, or `null` where the chain has none. Plan: primary key. */
export async function tellInbox(
  hot: pg.Pool,
  { chainId, at, message }: { readonly chainId: ChainId; readonly at: NodeAddress; readonly message: Message },
): Promise<RunId | null> {
  const { rows } = await hot.query<{ run_id: string }>({
    name: 'tell_inbox',
    text: `insert into eec_workflow_inbox (id, tenant_id, chain_id, run_id, kind, node, body)
      select $1, r.tenant_id, r.chain_id, r.id, 'message', $3, $4 from eec_workflow_run r where r.id = $2
      returning run_id`,
    values: [randomUUID(), chainId, nodeKey(at), JSON.stringify({ at, message })],
  });
  return rows[0]?.run_id ?? null;
}
