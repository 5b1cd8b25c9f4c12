import type { Draft } from '../draft.ts';

/** What is parked is given up at once; what is in flight gets `cancel_grace`. A cancel overrules how the run was ending. */
export function cancelRun(draft: Draft): void {
  draft.status = 'cancelling';
  draft.ending = { status: 'cancelled' };
  draft.inFlight = 'stops';
}

/** Over at once: nobody waits for what is in flight. */
export function terminate(draft: Draft): void {
  draft.ending = { status: 'terminated' };
  draft.inFlight = 'closes';
}
