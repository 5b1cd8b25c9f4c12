/** After a node has ended: which of its edges are taken, and what becomes of the steps they lead to. */
import type { CompiledEdge, CompiledStep } from '../definition/compiled.ts';
import type { Failure } from '../errors.ts';
import { ExpressionError, evaluateExpression } from '../expression/index.ts';
import { type CompletedNode, type FailedNode, type NodeAddress, nodeKey } from '../run/node.ts';
import type { Draft } from './draft.ts';
import { attempted } from './failures.ts';
import { type Place, placeOf, variablesAt } from './variables.ts';

export interface Routed {
  /** Indexes of the edges that are taken. */
  readonly taken: readonly number[];
  /** Whether one of them was there for this very outcome, not ALWAYS. */
  readonly outcomeTaken: boolean;
}

/**
 * Decides the edges of a node that the draft already supposes to have ended. Throws `ExpressionError` where a completed
 * node's condition cannot be evaluated; a failed node's edge is dead then.
 */
export function route(draft: Draft, step: CompiledStep, node: CompletedNode | FailedNode): Routed {
  const place = placeOf(draft, node.at);
  const taken = step.outgoing.filter((edge) => {
    if (!fits(step, edge, node)) return false;
    if (node.status === 'completed') return holds(draft, edge, place, { output: node.output });
    const held = attempted(() => holds(draft, edge, place));
    return held.ok && held.value;
  });
  return { taken: taken.map(({ index }) => index), outcomeTaken: taken.some(({ type }) => type !== 'ALWAYS') };
}

function fits(step: CompiledStep, edge: CompiledEdge, node: CompletedNode | FailedNode): boolean {
  if (edge.type === 'ALWAYS') return true;
  if (node.status === 'completed')
    return edge.type === node.outcome && (edge.type !== 'CASE' || edge.case === node.case);
  // A TIMEOUT edge, where there is one, is taken instead of ERROR.
  const instead = node.outcome === 'TIMEOUT' && step.outgoing.some(({ type }) => type === 'TIMEOUT');
  return edge.type === (instead ? 'TIMEOUT' : 'ERROR');
}

function holds(
  draft: Draft,
  { when }: CompiledEdge,
  place: Place,
  extra?: { readonly [name: string]: unknown },
): boolean {
  if (when === null) return true;
  const value = evaluateExpression(when, variablesAt(draft, place, extra)(when));
  if (typeof value === 'boolean') return value;
  throw new ExpressionError({ message: 'A condition must yield true or false.', source: when.source });
}

/** The edges with which a branch begins. Answers with what keeps it from beginning: a condition that cannot be evaluated. */
export function routeInto(
  draft: Draft,
  owner: NodeAddress,
  { edges, branch }: { readonly edges: readonly CompiledEdge[]; readonly branch: readonly number[] },
): Failure | null {
  const place = { around: [...draft.step(owner.ref).around, owner.ref], branch };
  const taken = attempted(() => edges.filter((edge) => holds(draft, edge, place)));
  if (!taken.ok) return taken.error;
  const indexes = taken.value.map(({ index }) => index);
  followEdges(draft, { edges, taken: indexes, branch });
  return null;
}

/** Resolves the edges that leave a node; a target that none takes is skipped, and its own edges are dead in turn. */
export function followEdges(
  draft: Draft,
  from: {
    readonly edges: readonly CompiledEdge[];
    readonly taken: readonly number[];
    readonly branch: readonly number[];
  },
): void {
  const { branch } = from;
  const edges = from.edges.map((edge) => ({ edge, isTaken: from.taken.includes(edge.index) }));
  for (let i = 0; i < edges.length; i++) {
    const { edge, isTaken } = edges[i]!;
    if (edge.leaves) continue;
    const target = draft.step(edge.to);
    const at = { ref: edge.to, branch };
    const before = draft.node(nodeKey(at));
    // It has started already, at an earlier edge: `join: any`.
    if (before && before.status !== 'pending') continue;
    const resolved = (before?.resolved ?? 0) + 1;
    const count = (before?.taken ?? 0) + (isTaken ? 1 : 0);
    const generation = before?.generation ?? draft.firstGeneration(at);
    const cause = { kind: 'edge', from: edge.from } as const;
    const starts = target.join === 'any' ? isTaken && count === 1 : resolved === target.incoming && count > 0;
    if (count === 0 && resolved === target.incoming) {
      const ended = { at, generation, startedAt: null, endedAt: draft.now, attempt: null, taken: [] };
      draft.set({ ...ended, status: 'skipped' }, cause);
      edges.push(...target.outgoing.map((dead) => ({ edge: dead, isTaken: false })));
      continue;
    }
    if (target.incoming > 1) draft.set({ at, generation, status: 'pending', resolved, taken: count }, cause);
    if (starts) draft.ready.push({ ref: edge.to, branch, cause });
  }
}
