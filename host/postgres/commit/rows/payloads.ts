import { derivedUuid, type Json, type TickPayload } from '@ductor/core';
import { withoutRepeats } from '../columns.ts';
import type { CoreRelations } from './core-relations.ts';

/** Larger values are kept in eec_payload, and referred to. */
export const INLINE_BYTES = 65_536;

interface Kept {
  readonly id: string;
  readonly value: Json;
  readonly ofTransition: boolean;
}

/** The value's text, or that of a reference to it where it is too large for its row. */
export function kept(relations: CoreRelations, run: Pick<TickPayload, 'runId' | 'tenantId'>, value: Kept): string {
  return keptAt(relations, run, value).text;
}

export function keptAt(
  relations: CoreRelations,
  { runId, tenantId }: Pick<TickPayload, 'runId' | 'tenantId'>,
  { id, value, ofTransition }: Kept,
): { readonly text: string; readonly isApart: boolean } {
  const text = JSON.stringify(value);
  const bytes = text.length > INLINE_BYTES / 3 ? Buffer.byteLength(text) : 0;
  if (bytes <= INLINE_BYTES) return { text, isApart: false };
  const row = { run_id: runId, tenant_id: tenantId, id, bytes, value: text, of_transition: ofTransition };
  relations.payloads.push(row);
  return { text: JSON.stringify({ $payload: { id, bytes } }), isApart: true };
}

/** A transition without what stands elsewhere already: tasks and outputs of attempts, the run's own output. */
export function encodeChanges(relations: CoreRelations, { transition, runId, tenantId }: TickPayload): string {
  const { changes } = transition;
  const text = JSON.stringify(changes.map(withoutRepeats));
  if (text.length <= INLINE_BYTES / 3) return text;
  const small = changes.map((change, i) => {
    if (change.type !== 'node' || change.node.status !== 'completed' || change.node.outputIn !== 'transition')
      return withoutRepeats(change);
    const value = JSON.stringify(change.node.output);
    const bytes = Buffer.byteLength(value);
    if (bytes <= INLINE_BYTES) return change;
    const id = derivedUuid(transition.at, `${runId}/${transition.version}/payload/${i}`);
    relations.payloads.push({ run_id: runId, tenant_id: tenantId, id, bytes, value, of_transition: true });
    return { ...change, node: { ...change.node, output: { $payload: { id, bytes } }, outputIn: 'payload' } };
  });
  return JSON.stringify(small);
}
