import { plus, type TickPayload } from '@ductor/core';
import { partitionOf } from '../../partition.ts';
import type { CoreRelations } from './core-relations.ts';

export function pushWaits(
  relations: CoreRelations,
  { runId, tenantId, waits, transition, chainId }: TickPayload,
): void {
  const partition = partitionOf(chainId);
  for (const { node, name, kind, dueAt, subscription, credential } of waits.opened) {
    relations.waitsOpened.push({
      run_id: runId,
      tenant_id: tenantId,
      chain_id: chainId,
      version: transition.version,
      node,
      name,
      kind,
      partition,
      due_at: dueAt,
      event_name: subscription?.eventName ?? null,
      correlation_key: subscription?.correlationKey ?? credential ?? null,
      subscription: subscription ? JSON.stringify(subscription) : null,
      look_back_from: subscription?.lookbackMs === undefined ? null : plus(transition.at, -subscription.lookbackMs),
    });
  }
  for (const { node, name, dueAt } of waits.moved) {
    relations.waitsMoved.push({ run_id: runId, node, name, due_at: dueAt });
  }
  for (const { node } of waits.closed) relations.waitsClosed.push({ run_id: runId, node });
}
