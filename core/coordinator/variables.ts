/** What expressions see in the middle of a tick. */
import type { VariableSource } from '../definition/config.ts';
import type { Ref } from '../json.ts';
import { type NodeAddress, type NodeState, nodeKey } from '../run/node.ts';
import type { Branch } from '../run/run.ts';
import { runVariables } from '../run/variables.ts';
import type { Draft } from './draft.ts';

/** Where an expression stands: which branches it sees. */
export interface Place {
  readonly around: readonly Ref[];
  readonly branch: readonly number[];
}
const OUTSIDE: Place = { around: [], branch: [] };

export const placeOf = (draft: Draft, { ref, branch }: NodeAddress): Place => ({
  around: draft.step(ref).around,
  branch,
});

/** With what the place adds. */
export const variablesAt =
  (draft: Draft, place: Place = OUTSIDE, extra: { readonly [name: string]: unknown } = {}): VariableSource =>
  (reads) => {
    const { header, startedAt, context, fields } = draft;
    const around = place.around.map((owner, depth) => ({
      owner,
      variables: branchAt(draft, place, depth)?.variables ?? {},
    }));
    const node = (ref: Ref) => seenFrom(draft, place, ref);
    const run = { header, startedAt, context, fields, around, node };
    return Object.assign(runVariables(draft.given.compiled, run, draft.now, reads), extra);
  };

/** The branch around a place that the owner at this depth has begun. */
function branchAt(draft: Draft, { around, branch }: Place, depth: number): Branch | undefined {
  const ref = around[depth];
  return ref === undefined
    ? undefined
    : draft.branches.get({ ref, branch: branch.slice(0, depth) }, branch[depth] ?? 0);
}

/** A step's node in the branches that the place is in too; one in others is not to be seen. */
function seenFrom(draft: Draft, { around, branch }: Place, ref: Ref): NodeState | undefined {
  const its = draft.given.compiled.steps.get(ref)?.around ?? [];
  if (its.some((owner, depth) => owner !== around[depth])) return undefined;
  return draft.node(nodeKey({ ref, branch: branch.slice(0, its.length) }));
}
