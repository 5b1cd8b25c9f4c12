import type { Arrival } from '../../run/arrival.ts';
import { type Branched, branchPlace } from '../../run/branch-place.ts';
import { isEnded, type NodeAddress, nodeKey } from '../../run/node.ts';
import { drains } from '../../run/stopping.ts';
import type { Cause } from '../../run/transition.ts';
import { isInFlight } from '../branches.ts';
import type { Draft } from '../draft.ts';
import { openAttempt, type Told, tellNode } from '../moves.ts';
import { foldOutcome } from '../outcomes.ts';
import { tellSettled } from '../settled.ts';
import { cancel } from '../stops.ts';

/**
 * Applies what has come from outside, in the order in which the database took it. A paused run only hears what its
 * attempts came to: the rest is kept.
 */
export function arrivalsPhase(draft: Draft): void {
  const keeps = keepsTheRest(draft);
  for (const arrival of draft.given.inputs.arrivals) {
    if (keeps && arrival.kind !== 'outcome' && arrival.kind !== 'late') continue;
    const cause = { kind: 'arrival', of: arrival.kind } as const;
    switch (arrival.kind) {
      case 'outcome':
        foldOutcome(draft, arrival, cause);
        break;
      case 'late':
        completedLate(draft, arrival, cause);
        break;
      case 'due':
        comeDue(draft, arrival, cause);
        break;
      case 'child':
        childEnded(draft, arrival, cause);
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

/**
 * Also in the tick that resumes it: what fell due meanwhile has its instant again from then on, and the next tick hears
 * of both, in order. One that is stopped instead hears all there is.
 */
function keepsTheRest({ given, status, isPaused, inFlight }: Draft): boolean {
  if (inFlight === 'closes' || status === 'cancelling') return false;
  return isPaused || given.state.status === 'paused';
}

/** It moves nothing: only what it did is to be known. */
function completedLate(draft: Draft, { id, ...late }: Extract<Arrival, { kind: 'late' }>, cause: Cause): void {
  const { at, generation, attemptId: keptBy, output } = late;
  draft.consumed.push({ id, outcome: null });
  tellSettled(draft, { at, generation, outcome: { status: 'completed', output }, keptBy }, cause);
}

type Sent = Exclude<Arrival, { kind: 'outcome' | 'late' | 'due' | 'child' }>;

/**
 * A signal for a step that is not parked yet is kept until it is; one for a step that is over comes too late, and must
 * not be taken by its next generation. Events and messages are for those who listen now.
 */
function tellParked<Kind extends Sent['kind']>(draft: Draft, { id, at }: Sent, told: Told<Kind>): void {
  const node = draft.node(nodeKey(at));
  const isParked =
    node?.status === 'waiting' &&
    node.wait.kind !== 'operator' &&
    (node.wait.kind !== 'credential' || told.kind === 'signal');
  if (isParked) tellNode(draft, node, told);
  if (told.kind !== 'signal') draft.consumed.push({ id, outcome: null });
  else if (isParked) draft.consumed.push({ id, outcome: { outcome: 'applied' } });
  else if (node === undefined ? isNeverReached(draft, at) : isEnded(node))
    draft.consumed.push({ id, outcome: { outcome: 'no_effect' } });
}

function isNeverReached(draft: Draft, { ref, branch }: NodeAddress): boolean {
  const { branches } = draft;
  const branched: Branched = {
    node: (key) => draft.node(key),
    fan: (owner) => branches.fan(owner),
    branch: (owner, index) => branches.get(owner, index),
  };
  const place = branchPlace(branched, draft.step(ref).around, branch);
  return place === 'over' || place === 'none';
}

/** Its node may have gone on without it, or run again since, with another. */
function childEnded(draft: Draft, { id, runId, end }: Extract<Arrival, { kind: 'child' }>, cause: Cause): void {
  draft.consumed.push({ id, outcome: null });
  const child = draft.children.get(runId);
  if (!child) return;
  if (end.status === 'refused') draft.children.refuse(runId);
  if (end.status !== 'checkpoint') draft.setChild(runId, null, cause);
  const node = draft.node(nodeKey(child.at));
  if (node?.status !== 'waiting' || node.generation !== child.generation) return;
  // It was given up already, and has waited for this, whatever it is.
  if (child.isStopping && !isInFlight(draft, child.at)) return cancel(draft, child.at, cause);
  tellNode(draft, node, { kind: 'child', input: { child: { kind: 'run', runId }, end }, cause });
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
    // That more of its branches may start needs nobody's word.
    if (!isOver && draft.branches.fan(node.at)?.generation === node.generation) return;
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
  if (draft.ending !== null && drains(draft.ending, draft.given.compiled.failurePolicy)) draft.ending = null;
  draft.end({ status: 'failed', error: RUN_TIMEOUT }, { abort: true });
}
