import type { Ref } from '../json.ts';
import { isEnded, type NodeAddress, type NodeKey, type NodeState, nodeKey } from './node.ts';
import { type Branch, branchKey, type Fan, nodeOf, type RunState } from './run.ts';

/** What it takes to find a branch: a run's state, or a draft over it. */
export interface Branched {
  node(key: NodeKey): NodeState | undefined;
  fan(owner: NodeAddress): Fan | undefined;
  branch(owner: NodeAddress, index: number): Branch | undefined;
}

export const branchedOf = (state: RunState): Branched => ({
  node: (key) => nodeOf(state, key),
  fan: (owner) => state.fans.get(nodeKey(owner)),
  branch: (owner, index) => state.branches.get(branchKey(owner, index)),
});

/** Whether the innermost branch of an address may come yet, is in flight, is over, or never was nor will be. */
export type BranchPlace = 'ahead' | 'in_flight' | 'over' | 'none';

/** `around`: the owners of the branches around the step at that address, outermost first. */
export function branchPlace(of: Branched, around: readonly Ref[], branch: readonly number[]): BranchPlace {
  if (branch.length !== around.length) return 'none';
  for (const [depth, ref] of around.entries()) {
    const owner = { ref, branch: branch.slice(0, depth) };
    const index = branch[depth] ?? 0;
    const node = of.node(nodeKey(owner));
    if (node === undefined || node.status === 'pending') return 'ahead';
    const fan = of.fan(owner);
    if (fan && index >= fan.total) return 'none';
    if (isEnded(node)) return 'over';
    if (!fan || index >= fan.started) return 'ahead';
    if (!of.branch(owner, index)) return 'over';
  }
  return 'in_flight';
}
