/** How a node ends in a draft: output, then effects, then edges, in one tick. */
import type { CompiledStep } from '../definition/compiled.ts';
import { resolvePlan } from '../definition/config.ts';
import type { Outcome } from '../definition/graph.ts';
import type { Failure } from '../errors.ts';
import { type Instant, isObject, type Json, type JsonObject, type Ref, type RunId } from '../json.ts';
import type { CompletedNode, FailedNode, NodeAddress } from '../run/node.ts';
import type { Cause } from '../run/transition.ts';
import type { Move } from '../steps/move.ts';
import { failBranch, isInFlight } from './branches.ts';
import type { Draft } from './draft.ts';
import { attempted } from './failures.ts';
import { followEdges, type Routed, route } from './routing.ts';
import { tellSettled } from './settled.ts';
import { stopChildren, stopNode, stopRegion } from './stops.ts';
import { placeOf, variablesAt } from './variables.ts';

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
  const keptBy = node.outputIn === 'attempt' ? (last?.id ?? null) : null;
  tellSettled(draft, { at, generation, outcome: { status: 'completed', output: move.output }, keptBy }, cause);
  const before = { context: draft.context, attributes: draft.attributes };
  const ended = attempted(() => {
    const effects = evaluateEffects(draft, moving, move.output);
    if (effects.context) draft.context = { ...draft.context, ...effects.context };
    if (effects.attributes) draft.attributes = { ...draft.attributes, ...effects.attributes };
    return { effects, routed: draft.isHeld ? null : routeOf(draft, step, node) };
  });
  const instead = (error: Failure) => {
    Object.assign(draft, before);
    fail(draft, moving, error);
    return false;
  };
  if (!ended.ok) return instead(ended.error);
  const { effects, routed } = ended.value;
  const failure = unrouted(step, { ...node, otherwise: move.unrouted }, routed);
  if (failure) return instead(failure);
  draft.set(routed ? { ...node, taken: routed.taken } : held(node, move.unrouted), cause);
  if (effects.context) draft.changes.push({ type: 'context', set: effects.context, cause });
  if (effects.attributes) draft.changes.push({ type: 'attributes', set: effects.attributes, cause });
  stopRegion(draft, node, cause);
  if (routed) leave(draft, { ...node, taken: routed.taken }, cause);
  return true;
}

/** A step beside its owner has no edges: the owner hears of its end. */
const routeOf = (draft: Draft, step: CompiledStep, node: CompletedNode | FailedNode): Routed =>
  besideOwner(draft, step) === null ? route(draft, step, node) : { taken: [], outcomeTaken: true };

const besideOwner = (draft: Draft, { owner }: CompiledStep): Ref | null =>
  owner === null || draft.step(owner).region?.exit !== null ? null : owner;

/** What follows from an end whose edges are decided. */
function leave(draft: Draft, node: CompletedNode | FailedNode, cause: Cause): void {
  const step = draft.step(node.at.ref);
  const { ref } = step;
  const owner = besideOwner(draft, step);
  if (owner !== null) {
    const end =
      node.status === 'completed'
        ? ({ status: 'completed', output: node.output } as const)
        : ({ status: 'failed', error: node.error } as const);
    const child = { kind: 'node', ref } as const;
    draft.childEnds.push({ owner: { ref: owner, branch: node.at.branch }, child, end, cause });
    return;
  }
  if (node.status === 'failed' && node.taken.length === 0) failAround(draft, node, cause);
  // Nothing follows in a branch that has failed or is given up: a join there would wait for ever.
  if (!isInFlight(draft, node.at)) return;
  followEdges(draft, { edges: step.outgoing, taken: node.taken, branch: node.at.branch });
}

/** Nothing has handled a failure: it is that of the branch around it, or else of the run. */
function failAround(draft: Draft, { at, error }: FailedNode, cause: Cause): void {
  const step = draft.step(at.ref);
  if (at.branch.length === 0) return failRun(draft, step, error);
  failBranch(draft, at, located(step, error), cause);
  for (const ref of siblings(draft, step)) stopNode(draft, { ref, branch: at.branch }, cause);
}

/** The steps of the branches that it is in. */
function siblings(draft: Draft, { around }: CompiledStep): readonly Ref[] {
  const owner = around.at(-1);
  return (owner !== undefined && draft.step(owner).region?.nearest) || [];
}

const held = (node: CompletedNode, otherwise: string | undefined): CompletedNode => ({
  ...node,
  unrouted: true,
  ...(otherwise !== undefined && { otherwise }),
});

/** Takes the edges of a node that ended while its run was held. */
export function takeEdges(draft: Draft, ended: CompletedNode | FailedNode, cause: Cause): void {
  const step = draft.step(ended.at.ref);
  const { unrouted: _, ...node } = ended;
  draft.suppose(node);
  const routed = attempted(() => routeOf(draft, step, node));
  const failure = routed.ok ? unrouted(step, node, routed.value) : routed.error;
  if (!routed.ok || failure) {
    const { at, generation, startedAt, attempt: last } = node;
    const moving = { step, at, generation, startedAt: startedAt ?? draft.now, deadlineAt: null, last, cause };
    if (failure) fail(draft, moving, failure);
    return;
  }
  const { taken } = routed.value;
  draft.set({ ...node, taken }, cause);
  leave(draft, { ...node, taken }, cause);
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
  { ref }: CompiledStep,
  node: { readonly outcome: Outcome; readonly case?: string; readonly otherwise?: string | undefined },
  routed: { readonly outcomeTaken: boolean } | null,
): Failure | null {
  if (node.otherwise === undefined || routed === null || routed.outcomeTaken) return null;
  const message =
    node.case === undefined
      ? `No edge of ${ref} takes ${node.outcome}.`
      : `No CASE edge of ${ref} takes ${JSON.stringify(node.case)}, and no DEFAULT edge does.`;
  return { code: node.otherwise, message, party: 'user' };
}

const evaluateEffects = (draft: Draft, { step: { effects }, at }: Moving, output: Json): Effects =>
  effects === null ? {} : ((resolvePlan(effects, variablesAt(draft, placeOf(draft, at), { output })) ?? {}) as Effects);

export function fail(draft: Draft, moving: Moving, error: Failure, outcome: 'ERROR' | 'TIMEOUT' = 'ERROR'): void {
  const { step, at, generation, startedAt, last, cause } = moving;
  const ended = { at, generation, startedAt, endedAt: draft.now, attempt: last, taken: [] };
  const node: FailedNode = { ...ended, status: 'failed', outcome, error };
  draft.closeWaits(at);
  if (draft.isHeld) {
    draft.set({ ...node, unrouted: true }, cause);
    stopChildren(draft, node, cause);
    return;
  }
  draft.suppose(node);
  const { taken } = routeOf(draft, step, node);
  draft.set({ ...node, taken }, cause);
  stopChildren(draft, node, cause);
  leave(draft, { ...node, taken }, cause);
}

const failRun = (draft: Draft, step: CompiledStep, error: Failure): void =>
  draft.end(
    { status: 'failed', error: located(step, error) },
    { abort: draft.given.compiled.failurePolicy === 'fail_fast' },
  );

/** The run's error says which step it came from. */
const located = ({ ref }: CompiledStep, error: Failure): Failure => ({
  ...error,
  details: {
    step_ref: ref,
    ...(isObject(error.details) ? error.details : error.details === undefined ? {} : { cause: error.details }),
  },
});

/** Another run has taken over what this one had to do. One that is ending anyhow ends as it would. */
export function merge(draft: Draft, { at, generation, startedAt, last, cause }: Moving, into: RunId): void {
  if (draft.ending !== null) return;
  const ended = { at, generation, startedAt, endedAt: draft.now, attempt: last, taken: [], unrouted: true } as const;
  draft.closeWaits(at);
  draft.set({ ...ended, status: 'completed', outcome: 'SUCCESS', output: null, outputIn: 'transition' }, cause);
  draft.end({ status: 'merged', into }, { abort: true });
}
