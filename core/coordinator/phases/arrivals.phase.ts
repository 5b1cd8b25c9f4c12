import type { Arrival } from '../../run/arrival.ts';
import { nodeKey } from '../../run/node.ts';
import type { Cause } from '../../run/transition.ts';
import type { Draft } from '../draft.ts';
import { openAttempt, type Told, tellNode } from '../moves.ts';
import { foldOutcome } from '../outcomes.ts';

/** Applies what has come from outside, in the order in which the database took it. */
export function arrivalsPhase(draft: Draft): void {
  for (const arrival of draft.given.inputs.arrivals) {
    const cause = { kind: 'arrival', of: arrival.kind } as const;
    switch (arrival.kind) {
      case 'outcome':
        foldOutcome(draft, arrival, cause);
        break;
      case 'due':
        comeDue(draft, arrival, cause);
        break;
      case 'signal':
        tellParked(draft, arrival, { kind: 'signal', input: arrival.signal, cause });
        break;
      case 'event':
        tellParked(draft, arrival, { kind: 'event', input: arrival.event, cause });
        break;
      case 'message':
        tellParked(draft, arrival, { kind: 'message', input: arrival.message, cause });
        break;
    }
  }
}

type Sent = Exclude<Arrival, { kind: 'outcome' | 'due' }>;

/** A signal for a step that is not parked yet is kept until it is; events and messages are for those who listen now. */
function tellParked<Kind extends Sent['kind']>(draft: Draft, { id, at }: Sent, told: Told<Kind>): void {
  const node = draft.node(nodeKey(at));
  const isParked = node?.status === 'waiting' && node.wait.kind !== 'operator';
  if (isParked) tellNode(draft, node, told);
  if (isParked || told.kind !== 'signal') draft.consumed.push({ id, outcome: null });
}

function comeDue(draft: Draft, { node: key, name }: Extract<Arrival, { kind: 'due' }>, cause: Cause): void {
  if (key === '') {
    if (name === 'run_timeout') runTimedOut(draft);
    return;
  }
  const node = draft.node(key);
  if (node?.status === 'backoff') {
    openAttempt(draft, node, { ...node.work, number: node.work.attempt.number + 1, cause });
  } else if (node?.status === 'waiting') {
    const isOver = node.deadlineAt !== null && node.deadlineAt <= draft.now;
    tellNode(draft, node, isOver ? { kind: 'timeout', input: null, cause } : { kind: 'wake', input: null, cause });
  }
}

const RUN_TIMEOUT = {
  code: 'run_timeout',
  message: 'The run took longer than its run_timeout.',
  party: 'user',
} as const;

/** Its wait stays until the run has ended. A run that drains has no more time for that either. */
function runTimedOut(draft: Draft): void {
  const { ending, given } = draft;
  const isDraining = given.compiled.failurePolicy === 'drain' && ending?.status === 'failed';
  if (isDraining && ending.error.code !== RUN_TIMEOUT.code) draft.ending = null;
  draft.end({ status: 'failed', error: RUN_TIMEOUT }, { abort: true });
}
