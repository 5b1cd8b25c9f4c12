import { derivedUuid, isFinal, type RunStart, type TickPayload } from '@ductor/core';
import { partitionOf } from '../../partition.ts';
import type { CoreRelations } from './core-relations.ts';
import { kept } from './payloads.ts';

/** Answers with how much text it wrote. `parentId`: the run whose tick has to be committed for this one to be. */
export function pushStart(
  relations: CoreRelations,
  {
    payload,
    start,
    parentId,
  }: { readonly payload: TickPayload; readonly start: RunStart; readonly parentId: string | null },
): number {
  const { header, idempotency } = start;
  const input = JSON.stringify(header.input);
  const { after, transition } = payload;
  const row = {
    id: header.id,
    tenant_id: header.tenantId,
    chain_id: header.chainId,
    definition_id: header.definitionId,
    kind: header.kind,
    partition: partitionOf(header.chainId),
    run_context: JSON.stringify(after.context ?? {}),
    attributes: JSON.stringify(after.attributes ?? {}),
    fields: JSON.stringify(after.fields ?? start.fields),
    input,
    lineage: JSON.stringify(header.lineage),
    root_run_id: header.lineage.rootRunId,
    subject_type: start.subjectType,
    subject_id: start.subjectId,
    external_deployment_id: start.externalDeploymentId,
    priority: header.priority,
    idempotency_scope: idempotency?.scope ?? null,
    idempotency_key: idempotency?.key ?? null,
    request_hash: idempotency?.requestHash ?? null,
    start_at: header.startAt,
    traceparent: header.traceparent,
    created_at: header.createdAt,
    ...summaryColumns(relations, payload),
    replies: after.replies && JSON.stringify(after.replies),
    ended_at: isFinal(after.status) ? transition.at : null,
  };
  if (parentId === null) relations.starts.push(row);
  else relations.children.push({ ...row, parent_id: parentId });
  return input.length;
}

/** A run that moves: what was read of it, and what it becomes. */
export function pushTick(relations: CoreRelations, payload: TickPayload): void {
  const { after, attempts, waits, consumed, rows, transition } = payload;
  relations.ticks.push({
    run_id: payload.runId,
    expected_version: payload.expectedVersion,
    folds: attempts.folded.length,
    waits: waits.closed.reduce((sum, { rows: count }) => sum + count, 0),
    wait_arrivals: waits.closed.reduce((sum, { arrivals }) => sum + arrivals, 0),
    waits_moved: waits.moved.length,
    inbox: consumed.length,
    plugin_rows: rows.filter(({ expect }) => expect !== undefined).length,
    run_context: after.context && JSON.stringify(after.context),
    attributes: after.attributes && JSON.stringify(after.attributes),
    fields: after.fields && JSON.stringify(after.fields),
    replies: after.replies && JSON.stringify(after.replies),
    ...summaryColumns(relations, payload),
    ended_at: isFinal(after.status) ? transition.at : null,
  });
}

function summaryColumns(relations: CoreRelations, payload: TickPayload) {
  const { after, transition, runId } = payload;
  const { status, ending, currentStep, nodes, startedAt } = after;
  const id = derivedUuid(transition.at, `${runId}/${transition.version}/output`);
  return {
    status,
    current_step: currentStep,
    node_states: JSON.stringify(nodes),
    output:
      status === 'completed' && ending?.status === 'completed'
        ? kept(relations, payload, { id, value: ending.output, ofTransition: true })
        : null,
    error: status === 'failed' && ending?.status === 'failed' ? JSON.stringify(ending.error) : null,
    ending: ending && JSON.stringify(ending.status === 'completed' ? { status: ending.status } : ending),
    started_at: startedAt,
    final_status: isFinal(status) ? status : null,
  };
}
