import { type NodeAddress, nodeKey } from '../../run/node.ts';
import { startBranches } from '../branch-starts.ts';
import { closeBranches, isInFlight } from '../branches.ts';
import { releaseFromCredentials } from '../credentials.ts';
import type { Draft, OwnedEnd } from '../draft.ts';
import { startNode, tellNode } from '../moves.ts';
import type { RunStart } from '../payload.ts';

const STARTED = { kind: 'started' } as const;

/** Starts what may start: the entries of a run that begins, and every step whose edges let it. */
export function advancePhase(draft: Draft): void {
  const { start, state, compiled } = draft.given;
  if (start) admit(draft, start);
  const { startAt } = state.header;
  const mayBegin =
    draft.status === 'pending' &&
    draft.ending === null &&
    !start?.isHeldBack &&
    (startAt === null || startAt <= draft.now);
  if (mayBegin) {
    draft.begin();
    draft.ready.push(...compiled.entries.map((ref) => ({ ref, cause: STARTED })));
  }
  releaseFromCredentials(draft);
  // Starting a step may end it at once and make further ones ready, which join the list.
  for (let i = 0; ; ) {
    for (const ended of draft.childEnds.splice(0)) tellOwner(draft, ended);
    const next = draft.ready[i];
    if (draft.ending !== null) return;
    if (!next) {
      if (!moveBranches(draft)) return;
      continue;
    }
    i += 1;
    const at = { ref: next.ref, branch: next.branch ?? [] };
    if (isWanted(draft, at)) startNode(draft, at, next.cause);
  }
}

/** Ends the branches that have nothing open, and starts others in their place. `false`: there was nothing to do. */
function moveBranches(draft: Draft): boolean {
  if (draft.isHeld) return closeBranches(draft, 'given up');
  // Their owners hear of them first: they may be over by that.
  return closeBranches(draft, 'all') || startBranches(draft);
}

/** Its owner, or the branch around it, may be over already by another of its steps. */
function isWanted(draft: Draft, at: NodeAddress): boolean {
  const { owner, around } = draft.step(at.ref);
  if (!isInFlight(draft, at)) return false;
  if (owner === null || owner === around.at(-1)) return true;
  return draft.node(nodeKey({ ref: owner, branch: at.branch }))?.status === 'waiting';
}

function tellOwner(draft: Draft, { owner, child, end, cause }: OwnedEnd): void {
  const node = draft.node(nodeKey(owner));
  if (node?.status !== 'waiting') return;
  tellNode(draft, node, { kind: 'child', input: { child, end }, cause });
}

function admit(draft: Draft, { fields, attributes, rows }: RunStart): void {
  const cause = STARTED;
  if (Object.keys(fields).length > 0) draft.changes.push({ type: 'fields', set: fields, cause });
  if (Object.keys(attributes).length > 0) draft.changes.push({ type: 'attributes', set: attributes, cause });
  draft.rows.push(...rows);
}
