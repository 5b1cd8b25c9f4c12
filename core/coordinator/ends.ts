/** How a node ends in a draft: output, then effects, then edges, in one tick. */

import type { CompiledStep } from '../definition/compiled.ts';
import { resolvePlan } from '../definition/config.ts';
import type { Outcome } from '../definition/graph.ts';
import type { Failure } from '../errors.ts';
import { type Instant, isObject, type Json, type JsonObject } from '../json.ts';
import type { AttemptOutcome } from '../run/attempt.ts';
import {
  type CompletedNode,
  type FailedNode,
  isEnded,
  type NodeAddress,
  nodeKey,
  type RunningNode,
} from '../run/node.ts';
import type { Cause } from '../run/transition.ts';
import type { Move } from '../steps/move.ts';
import type { Draft } from './draft.ts';
import { attempted } from './failures.ts';
import { followEdges, route } from './routing.ts';

export type AnyMove = Move<Json, Exclude<Outcome, 'ERROR' | 'TIMEOUT'>>;

/** A node while it moves: what all its states share. */
export interface Moving {
  readonly step: CompiledStep;
  readonly at: NodeAddress;
  readonly generation: number;
  readonly startedAt: Instant;
  readonly deadlineAt: Instant | null;
  /** Its last attempt. */
  readonly last: { readonly id: string; readonly number: number } | null;
  /** What its attempt has answered with in this tick, and so keeps on its row. */
  readonly answered?: Json;
  readonly cause: Cause;
}

type Effects = { readonly context?: JsonObject; readonly attributes?: JsonObject };

/** `false`: its effects or edges could not be evaluated, and it has failed instead. */
export function complete(draft: Draft, moving: Moving, move: Extract<AnyMove, { to: 'completed' }>): boolean {
  const { step, at, generation, startedAt, last, cause } = moving;
  const node: CompletedNode = {
    at,
    generation,
    startedAt,
    endedAt: draft.now,
    attempt: last,
    status: 'completed',
    outcome: outcomeOf(step, move),
    ...(move.case !== undefined && { case: move.case }),
    output: move.output,
    outputIn: moving.answered !== undefined && moving.answered === move.output ? 'attempt' : 'transition',
    taken: [],
  };
  draft.closeWaits(at);
  draft.suppose(node);
  const before = { context: draft.context, attributes: draft.attributes };
  const ended = attempted(() => {
    const effects = evaluateEffects(draft, step, move.output);
    if (effects.context) draft.context = { ...draft.context, ...effects.context };
    if (effects.attributes) draft.attributes = { ...draft.attributes, ...effects.attributes };
    return { effects, routed: draft.isHeld ? null : route(draft, step, node) };
  });
  const instead = (error: Failure) => {
    Object.assign(draft, before);
    fail(draft, moving, error);
    return false;
  };
  if (!ended.ok) return instead(ended.error);
  const { effects, routed } = ended.value;
  const failure = unrouted(step, move, routed);
  if (failure) return instead(failure);
  draft.set(routed ? { ...node, taken: routed.taken } : { ...node, unrouted: true }, cause);
  if (effects.context) draft.changes.push({ type: 'context', set: effects.context, cause });
  if (effects.attributes) draft.changes.push({ type: 'attributes', set: effects.attributes, cause });
  if (routed) followEdges(draft, step, routed.taken);
  return true;
}

/** A SWITCH whose value no CASE has goes by DEFAULT. */
const outcomeOf = (
  { outgoing }: CompiledStep,
  move: Extract<AnyMove, { to: 'completed' }>,
): CompletedNode['outcome'] =>
  move.outcome === 'CASE' && !outgoing.some(({ type, ...edge }) => type === 'CASE' && edge.case === move.case)
    ? 'DEFAULT'
    : move.outcome;

function unrouted(
  step: CompiledStep,
  move: Extract<AnyMove, { to: 'completed' }>,
  routed: { readonly outcomeTaken: boolean } | null,
): Failure | null {
  if (move.unrouted === undefined || routed === null || routed.outcomeTaken) return null;
  const message =
    move.case === undefined
      ? `No edge of ${step.ref} takes ${move.outcome}.`
      : `No CASE edge of ${step.ref} takes ${JSON.stringify(move.case)}, and no DEFAULT edge does.`;
  return { code: move.unrouted, message, party: 'user' };
}

const evaluateEffects = (draft: Draft, { effects }: CompiledStep, output: Json): Effects =>
  effects === null ? {} : ((resolvePlan(effects, draft.variables({ output })) ?? {}) as Effects);

export function fail(draft: Draft, moving: Moving, error: Failure, outcome: 'ERROR' | 'TIMEOUT' = 'ERROR'): void {
  const { step, at, generation, startedAt, last, cause } = moving;
  const ended = { at, generation, startedAt, endedAt: draft.now, attempt: last, taken: [] };
  const node: FailedNode = { ...ended, status: 'failed', outcome, error };
  draft.closeWaits(at);
  if (draft.isHeld) {
    draft.set({ ...node, unrouted: true }, cause);
    return;
  }
  draft.suppose(node);
  const { taken } = route(draft, step, node);
  draft.set({ ...node, taken }, cause);
  if (taken.length === 0) {
    draft.end(
      { status: 'failed', error: located(step, error) },
      { abort: draft.given.compiled.failurePolicy === 'fail_fast' },
    );
  }
  followEdges(draft, step, taken);
}

/** The run's error says which step it came from. */
const located = ({ ref }: CompiledStep, error: Failure): Failure => ({
  ...error,
  details: {
    step_ref: ref,
    ...(isObject(error.details) ? error.details : error.details === undefined ? {} : { cause: error.details }),
  },
});

/** Nothing more is wanted of it. */
export function cancel(draft: Draft, at: NodeAddress, cause: Cause): void {
  const node = draft.node(nodeKey(at));
  if (!node || isEnded(node)) return;
  draft.closeWaits(at);
  const attempt = 'work' in node && node.work ? { id: node.work.attempt.id, number: node.work.attempt.number } : null;
  const startedAt = 'startedAt' in node ? node.startedAt : null;
  draft.set(
    { at, generation: node.generation, startedAt, endedAt: draft.now, attempt, status: 'cancelled', taken: [] },
    cause,
  );
}

/** Plugins hear of every execution that is over. */
export function tellSettled(draft: Draft, node: RunningNode, outcome: AttemptOutcome, cause: Cause): void {
  const { step } = draft.step(node.at.ref);
  const { hooks, stepFields } = draft.given.registry;
  if (!hooks.some(({ settle }) => settle)) return;
  const fields = Object.fromEntries(
    stepFields.flatMap((name) => (step[name] === undefined ? [] : [[name, step[name]]])),
  );
  const executionKey = draft.executionKey(node.at, node.generation);
  for (const { settle } of hooks) {
    if (settle) draft.perform(settle({ run: draft.view(), at: node.at, executionKey, outcome, fields }), cause);
  }
}
