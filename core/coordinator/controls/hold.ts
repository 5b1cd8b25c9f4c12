import type { Cause } from '../../run/transition.ts';
import type { Draft } from '../draft.ts';
import { takeEdges } from '../ends.ts';

/** Nothing new starts; what is in flight ends and is folded. */
export function pause(draft: Draft): void {
  draft.status = 'paused';
}

/** Goes on where it stood, with all that has come meanwhile. */
export function resume(draft: Draft, cause: Cause): void {
  draft.status = draft.given.state.startedAt === null ? 'pending' : 'running';
  routeHeld(draft, cause);
}

/** Takes the edges of all that ended while the run was held, in the order in which it did. */
export function routeHeld(draft: Draft, cause: Cause): void {
  const held = [...draft.given.state.ended.values()].flatMap((node) =>
    node.unrouted && (node.status === 'completed' || node.status === 'failed') ? [node] : [],
  );
  held.sort((a, b) => (a.endedAt < b.endedAt ? -1 : a.endedAt > b.endedAt ? 1 : 0));
  // A redrive has set some of them back.
  for (const node of held) if (draft.isAsRead(node.at)) takeEdges(draft, node, cause);
}
