/** What a step type answers, done to its node in a draft: it starts, parks, tries again, ends. */
import { deadlines } from '../definition/actions.ts';
import { resolvePlan } from '../definition/config.ts';
import { evaluateFolded } from '../expression/index.ts';
import type { Instant, Json } from '../json.ts';
import type { Facts } from '../plugin/table.ts';
import type { Deadlines } from '../run/attempt.ts';
import {
  isEnded,
  type NextAttempt,
  type NodeAddress,
  nodeKey,
  type RunningNode,
  type WaitingNode,
  type Work,
} from '../run/node.ts';
import { plus } from '../run/time.ts';
import type { Cause } from '../run/transition.ts';
import type { Evaluate } from '../schema.ts';
import type { InputContext, Inputs, StartContext } from '../steps/step-type.ts';
import { perform } from './commands.ts';
import type { Draft } from './draft.ts';
import { type AnyMove, complete, fail, type Moving, merge } from './ends.ts';
import { attempted, isTimeout, timedOut } from './failures.ts';
import { placeOf, variablesAt } from './variables.ts';

const evaluate: Evaluate = (expression, variables) => evaluateFolded(expression, variables) as never;

export function startNode(draft: Draft, at: NodeAddress, cause: Cause): void {
  const step = draft.step(at.ref);
  const timeoutMs = step.deadlines.startToCloseMs;
  const moving: Moving = {
    step,
    at,
    generation: generationOf(draft, at),
    startedAt: draft.now,
    deadlineAt: timeoutMs === undefined ? null : plus(draft.now, timeoutMs),
    last: null,
    cause,
  };
  const move = attempted<AnyMove>(() => {
    const config = resolvePlan(step.config, variablesAt(draft, placeOf(draft, at)));
    return step.type.start(Object.assign(context(draft, moving), { config, exitOf: exitOf(draft, at) }));
  });
  makeMove(draft, moving, move.ok ? move.value : { to: 'failed', error: move.error });
}

/** A step that its owner starts anew has ended before. */
function generationOf(draft: Draft, at: NodeAddress): number {
  const before = draft.node(nodeKey(at));
  return before === undefined ? draft.firstGeneration(at) : before.generation + (isEnded(before) ? 1 : 0);
}

function exitOf(draft: Draft, { ref, branch }: NodeAddress): StartContext<unknown>['exitOf'] {
  const { exitOf: owner } = draft.step(ref);
  if (owner === null) return null;
  const at = { ref: owner, branch };
  const node = draft.node(nodeKey(at));
  const fan = draft.branches.fan(at);
  return {
    output: node?.status === 'completed' ? node.output : null,
    fan: fan && fan.generation === node?.generation ? fan : null,
  };
}

/** Hands an input to the step type of a running or parked node. */
export function tellNode<Kind extends keyof Inputs>(
  draft: Draft,
  node: RunningNode | WaitingNode,
  told: Told<Kind>,
): void {
  const { kind, input, cause } = told;
  const moving = Object.assign(movingOf(draft, node, cause), answer({ kind, input, cause } as AnyTold));
  const facts: Facts = draft.given.inputs.facts.get(nodeKey(node.at)) ?? new Map();
  const handler = moving.step.type.on?.[kind] as
    | ((context: InputContext<Json>, input: Inputs[Kind]) => AnyMove | null)
    | undefined;
  const said = attempted(() =>
    handler
      ? handler(Object.assign(context(draft, moving), { memo: node.memo, facts }), input)
      : byDefault({ kind, input, cause } as AnyTold),
  );
  const move: AnyMove | null = said.ok ? said.value : { to: 'failed', error: said.error };
  if (move?.to === 'same') {
    draft.set({ ...node, memo: move.memo }, cause);
    perform(draft, move.commands ?? [], { cause, by: node });
  } else if (move !== null) {
    makeMove(draft, moving, move);
  }
}

/** One input, and what brought it. */
export type Told<Kind extends keyof Inputs> = { [K in Kind]: { kind: K; input: Inputs[K]; cause: Cause } }[Kind];
type AnyTold = Told<keyof Inputs>;

/** An operator's word on an outcome is on no attempt's row. */
const answer = ({ kind, input, cause }: AnyTold): Pick<Moving, 'answered'> =>
  kind === 'outcome' && input.ok && cause.kind === 'arrival' ? { answered: input.output } : {};

/** What a step type that has no handler for it answers. */
function byDefault(told: AnyTold): AnyMove | null {
  switch (told.kind) {
    case 'outcome':
      if (told.input.ok) return { to: 'completed', outcome: 'SUCCESS', output: told.input.output };
      return { to: 'failed', error: told.input.error, outcome: isTimeout(told.input.error) ? 'TIMEOUT' : 'ERROR' };
    case 'signal':
      return told.input.verb === 'resolve' ? { to: 'completed', outcome: 'SUCCESS', output: told.input.payload } : null;
    case 'event':
      return { to: 'completed', outcome: 'SUCCESS', output: told.input.payload };
    case 'wake':
      return { to: 'completed', outcome: 'SUCCESS', output: null };
    case 'timeout':
      return { to: 'failed', outcome: 'TIMEOUT', error: timedOut('The step took longer than its timeout.') };
    case 'child':
    case 'message':
      return null;
  }
}

/** A node that runs or is parked, about to move. */
function movingOf(draft: Draft, node: RunningNode | WaitingNode, cause: Cause): Moving {
  const { at, generation, startedAt, deadlineAt, work } = node;
  const last = work === undefined ? null : { id: work.attempt.id, number: work.attempt.number };
  return { step: draft.step(at.ref), at, generation, startedAt, deadlineAt, last, cause };
}

/** To be added to by `Object.assign`: a spread object gets each further property the slow way, a microsecond apiece. */
const context = (draft: Draft, { at, generation }: Moving) => ({
  at,
  run: draft.view(),
  now: draft.now,
  evaluate,
  executionKey: draft.executionKey(at, generation),
  after: (durationMs: number): Instant => plus(draft.now, durationMs),
});

function makeMove(draft: Draft, moving: Moving, move: AnyMove): void {
  const { step, at, generation, startedAt, deadlineAt, cause } = moving;
  switch (move.to) {
    case 'running': {
      const { task, memo } = move;
      const node = { at, generation, startedAt, deadlineAt, memo };
      openAttempt(draft, node, { task, number: 1, losses: 0, firstScheduledAt: draft.now, cause });
      break;
    }
    case 'waiting':
      park(draft, { at, generation, startedAt, deadlineAt, memo: move.memo, wait: move.wait }, cause);
      break;
    case 'same':
      throw new Error(`${step.step.type} cannot stay as it is when it starts.`);
    case 'completed':
      // What it asks for goes with its completion.
      if (!complete(draft, moving, move)) return;
      break;
    case 'failed':
      fail(draft, moving, move.error, move.outcome);
      break;
    case 'merged':
      merge(draft, moving, move.into);
      break;
  }
  perform(draft, move.commands ?? [], { cause, by: moving });
}

type Base = Pick<RunningNode, 'at' | 'generation' | 'startedAt' | 'deadlineAt' | 'memo'>;

/** Opens the next attempt of a node's task; while its credential does not exist, the node waits for that instead. */
export function openAttempt(
  draft: Draft,
  { at, generation, startedAt, deadlineAt, memo }: Base,
  { cause, task, number, losses, returned, unknown, firstScheduledAt }: NextAttempt & { readonly cause: Cause },
): void {
  const { credential: name } = task;
  const more = { ...(returned !== undefined && { returned }), ...(unknown !== undefined && { unknown }) };
  if (name !== undefined && draft.given.inputs.missingCredentials.has(name)) {
    const next = { task, number, losses, firstScheduledAt, ...more };
    park(draft, { at, generation, startedAt, deadlineAt, memo, wait: { kind: 'credential', name, next } }, cause);
    return;
  }
  const id = draft.newId();
  const token = draft.newId();
  draft.closeWaits(at);
  const work: Work = {
    task,
    attempt: { id, token, number },
    firstScheduledAt,
    losses,
    ...more,
  };
  draft.set({ at, generation, startedAt, deadlineAt, memo, status: 'running', work }, cause);
  const limits = deadlines(draft.given.compiled, draft.step(at.ref), task);
  draft.opened.push({
    id,
    token,
    number,
    ref: at.ref,
    branch: at.branch,
    generation,
    task,
    deadlines: limits.scheduleToCloseMs === undefined ? limits : lessTime(limits, draft.now, firstScheduledAt),
    scheduledAt: draft.now,
  });
}

/** Attempts share the time from the first one's schedule to the last one's close. */
function lessTime(limits: Deadlines, now: Instant, firstScheduledAt: Instant): Deadlines {
  const spentMs = Date.parse(now) - Date.parse(firstScheduledAt);
  return { ...limits, scheduleToCloseMs: (limits.scheduleToCloseMs ?? 0) - spentMs };
}

/** Parks a node, with the rows that wake it. */
export function park(draft: Draft, node: Omit<WaitingNode, 'status' | 'parkedAt'>, cause: Cause): void {
  draft.closeWaits(node.at);
  const parked: WaitingNode = { ...node, status: 'waiting', parkedAt: draft.now };
  draft.set(parked, cause);
  draft.openWaits(parked);
}
