/** What an attempt's outcome does to its node: complete it, try again, ask an operator, or fail it. */
import { deadlines, onUnknown, retryPolicy } from '../definition/actions.ts';
import type { AttemptFailure } from '../errors.ts';
import type { Arrival } from '../run/arrival.ts';
import type { AttemptOutcome } from '../run/attempt.ts';
import { type BackoffNode, isEnded, nodeKey, type RunningNode, type WaitingNode, type Work } from '../run/node.ts';
import { backoffMs, isRetried } from '../run/retry.ts';
import { drains } from '../run/stopping.ts';
import { plus } from '../run/time.ts';
import type { Cause } from '../run/transition.ts';
import type { Draft } from './draft.ts';
import { timedOut } from './failures.ts';
import { openAttempt, park, tellNode } from './moves.ts';
import { tellSettled } from './settled.ts';
import { cancel } from './stops.ts';

/** Losses of one node in one generation before it is given up. */
const MOST_LOSSES = 6;
/** The worker was gone before it could say: the action may have done its work. */
const UNKNOWN_FAILURES = ['worker_exited', 'out_of_memory'];

type OutcomeArrival = Extract<Arrival, { kind: 'outcome' }>;

export function foldOutcome(
  draft: Draft,
  { at, attempt, outcome, report, recorded }: OutcomeArrival,
  cause: Cause,
): void {
  const node = draft.node(nodeKey(at));
  if (node?.status !== 'running' || node.work.attempt.id !== attempt.id) return;
  const { compiled, state } = draft.given;
  const isLast = draft.ending !== null || node.isStopping === true;
  const asks = leavesUnknown(outcome) && (isLast || onUnknown(compiled, node.work.task) === 'park');
  const wasToldToStop = state.ending !== null && !drains(state.ending, compiled.failurePolicy);
  draft.folded.push({
    attempt,
    outcome: recorded ? null : outcome,
    report,
    superseded: false,
    finishedAnyway: (wasToldToStop || node.isStopping === true) && outcome.status === 'completed',
    outcomeUnknown: asks,
  });
  const work = leavesUnknown(outcome) ? { ...node.work, unknown: outcome } : node.work;
  applyOutcome(draft, { ...node, work }, { outcome, asks }, cause);
  // Of one that completed they hear as it completes.
  if (outcome.status === 'completed') return;
  const after = draft.node(nodeKey(at));
  const isUnknown = work.unknown !== undefined && !refuses(outcome) && after !== undefined && isEnded(after);
  tellSettled(draft, { at, generation: node.generation, outcome, isUnknown }, cause);
}

function applyOutcome(
  draft: Draft,
  node: RunningNode,
  { outcome, asks }: { readonly outcome: AttemptOutcome; readonly asks: boolean },
  cause: Cause,
): void {
  if (node.isStopping) return keepOrCancel(draft, node, outcome, cause);
  switch (outcome.status) {
    case 'completed':
      return tellNode(draft, node, { kind: 'outcome', input: { ok: true, output: outcome.output }, cause });
    case 'stopped':
    case 'lost':
      return goneWithoutWord(draft, node, outcome, cause);
    case 'failed':
    case 'timed_out':
      if (asks && draft.ending === null) return askOperator(draft, node, outcome, cause);
      return failed(draft, node, failureOf(outcome), cause);
  }
}

/** Nobody waits for it any more: what it has come to is kept. */
function keepOrCancel(draft: Draft, node: RunningNode, outcome: AttemptOutcome, cause: Cause): void {
  if (outcome.status !== 'completed') return cancel(draft, node.at, cause);
  const { at, generation, startedAt, work } = node;
  const attempt = { id: work.attempt.id, number: work.attempt.number };
  const ended = { at, generation, startedAt, endedAt: draft.now, attempt, taken: [], wasStopping: true } as const;
  const { output } = outcome;
  tellSettled(draft, { at, generation, outcome, keptBy: attempt.id }, cause);
  draft.set({ ...ended, status: 'completed', outcome: 'SUCCESS', output, outputIn: 'attempt' }, cause);
}

function leavesUnknown(outcome: AttemptOutcome): boolean {
  switch (outcome.status) {
    case 'lost':
    case 'stopped':
      return outcome.neverStarted !== true;
    case 'timed_out':
      return outcome.neverStarted !== true && outcome.deadline !== 'scheduleToStartMs';
    case 'failed':
      return UNKNOWN_FAILURES.includes(outcome.error.code);
    case 'completed':
      return false;
  }
}

/** The action's own last word, which is the same for its key: then it has not done its work before either. */
const refuses = (outcome: AttemptOutcome): boolean =>
  outcome.status === 'failed' && !outcome.error.retryable && !leavesUnknown(outcome);

const failureOf = (outcome: Extract<AttemptOutcome, { status: 'failed' | 'timed_out' }>): AttemptFailure =>
  outcome.status === 'failed'
    ? outcome.error
    : {
        ...timedOut(`The attempt passed its ${DEADLINE_NAMES[outcome.deadline]} deadline.`),
        retryable: outcome.deadline !== 'scheduleToCloseMs',
      };

const DEADLINE_NAMES = {
  scheduleToStartMs: 'schedule_to_start',
  startToCloseMs: 'start_to_close',
  heartbeatMs: 'heartbeat',
  scheduleToCloseMs: 'schedule_to_close',
} as const;

type Gone = Extract<AttemptOutcome, { status: 'stopped' | 'lost' }>;

/** Its worker died, or was told to stop. Not the step's fault, so it does not count. */
function goneWithoutWord(draft: Draft, node: RunningNode, outcome: Gone, cause: Cause): void {
  const { work } = node;
  if (draft.ending !== null) {
    cancel(draft, node.at, cause);
  } else if (outcome.neverStarted) {
    tryAgain(draft, node, { ...work, returned: (work.returned ?? 0) + 1 }, cause);
  } else if (onUnknown(draft.given.compiled, work.task) === 'park') {
    askOperator(draft, node, outcome, cause);
  } else if (work.losses + 1 >= MOST_LOSSES) {
    const message = `Its worker was lost ${MOST_LOSSES} times.`;
    tellNode(draft, node, {
      kind: 'outcome',
      input: { ok: false, error: { code: 'worker_lost', message, party: 'engine' } },
      cause,
    });
  } else {
    tryAgain(draft, node, { ...work, losses: work.losses + 1 }, cause);
  }
}

const again = (code: string, message: string): AttemptFailure => ({ code, message, party: 'engine', retryable: true });
const LOST = again('worker_lost', 'Its worker was lost.');
const UNKNOWN = again('outcome_unknown', 'Nobody knows what its last attempt came to.');

/** At once, or, since a paused run starts nothing, when it is resumed. `waiting`: an operator says that it shall. */
export function tryAgain(draft: Draft, node: RunningNode | WaitingNode, work: Work, cause: Cause): void {
  if (!draft.isPaused) return openAttempt(draft, node, { ...work, number: work.attempt.number + 1, cause });
  const { at, generation, startedAt, deadlineAt, memo, status } = node;
  const error = status === 'waiting' ? UNKNOWN : LOST;
  draft.closeWaits(at);
  const waiting: BackoffNode = {
    ...{ at, generation, startedAt, deadlineAt, memo, work, error },
    ...{ status: 'backoff', retryAt: draft.now },
  };
  draft.set(waiting, cause);
  draft.openWaits(waiting);
}

function askOperator(draft: Draft, node: RunningNode, unknown: AttemptOutcome, cause: Cause): void {
  const { at, generation, startedAt, deadlineAt, memo, work } = node;
  park(draft, { at, generation, startedAt, deadlineAt, memo, work, wait: { kind: 'operator', unknown } }, cause);
}

function failed(draft: Draft, node: RunningNode, error: AttemptFailure, cause: Cause): void {
  const { work, at, generation } = node;
  const { compiled } = draft.given;
  const step = draft.step(at.ref);
  const policy = retryPolicy(compiled, step, work.task);
  const executions = work.attempt.number - work.losses - (work.returned ?? 0);
  const { retryable: _, retryAfterMs, ...failure } = error;
  if (draft.ending === null && isRetried(policy, error, executions)) {
    const seed = `${draft.executionKey(at, generation)}/${work.attempt.number}`;
    const retryAt = plus(draft.now, retryAfterMs ?? backoffMs(policy, executions, seed));
    const { scheduleToCloseMs } = deadlines(compiled, step, work.task);
    if (scheduleToCloseMs === undefined || retryAt <= plus(work.firstScheduledAt, scheduleToCloseMs)) {
      const waiting: BackoffNode = { ...node, status: 'backoff', retryAt, error };
      draft.set(waiting, cause);
      draft.openWaits(waiting);
      return;
    }
    const late = timedOut('No retry fits into its schedule_to_close deadline.', {
      last_error: { code: error.code, message: error.message },
    });
    tellNode(draft, node, { kind: 'outcome', input: { ok: false, error: late }, cause });
    return;
  }
  tellNode(draft, node, { kind: 'outcome', input: { ok: false, error: failure }, cause });
}
