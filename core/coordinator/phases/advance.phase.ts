import { plus } from '../../run/time.ts';
import type { Draft } from '../draft.ts';
import { startNode } from '../moves.ts';

/** Starts what may start: the entries of a run that begins, and every step whose edges let it. */
export function advancePhase(draft: Draft): void {
  const { state, compiled } = draft.given;
  if (state.startedAt === null) begin(draft);
  // Starting a step may end it at once and make further ones ready, which join the list.
  for (let i = 0; i < draft.ready.length && draft.ending === null; i++) {
    const { ref, cause } = draft.ready[i]!;
    startNode(draft, { ref, branch: [] }, cause);
  }
  if (state.startedAt === null && draft.status === 'running' && compiled.runTimeoutMs !== null) {
    const dueAt = plus(draft.now, compiled.runTimeoutMs);
    draft.waitsOpened.push({ node: '', name: 'run_timeout', kind: 'run_timeout', dueAt });
  }
}

function begin(draft: Draft): void {
  const { state, compiled, start } = draft.given;
  const { startAt } = state.header;
  const cause = { kind: 'started' } as const;
  if (start) {
    const { fields, attributes } = start;
    if (Object.keys(fields).length > 0) draft.changes.push({ type: 'fields', set: fields, cause });
    if (Object.keys(attributes).length > 0) draft.changes.push({ type: 'attributes', set: attributes, cause });
    draft.rows.push(...start.rows);
  }
  if (startAt !== null && startAt > draft.now) {
    if (start) draft.waitsOpened.push({ node: '', name: 'start', kind: 'start', dueAt: startAt });
    return;
  }
  if (!start) draft.waitsClosed.set('', 1);
  draft.status = 'running';
  draft.ready.push(...compiled.entries.map((ref) => ({ ref, cause })));
}
