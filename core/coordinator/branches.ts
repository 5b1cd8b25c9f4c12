/** Branches: a region of which a step runs once for each of many things. Which are in flight, and how they end. */
import type { CompiledRegion } from '../definition/compiled.ts';
import type { Failure } from '../errors.ts';
import type { Json } from '../json.ts';
import {
  type CompletedNode,
  isEnded,
  type NodeAddress,
  type NodeKey,
  type NodeState,
  nodeAddress,
  nodeKey,
  type WaitingNode,
} from '../run/node.ts';
import type { Fan } from '../run/run.ts';
import type { Cause } from '../run/transition.ts';
import type { Draft } from './draft.ts';
import type { EndedBranch } from './payload.ts';

export const WOKEN = { kind: 'woken' } as const satisfies Cause;

/**
 * Ends those that have nothing open. While the run is held only those that their owners have given up: the others may
 * have edges to take yet.
 */
export function closeBranches(draft: Draft, which: 'all' | 'given up'): boolean {
  let hasClosed = false;
  // What is around them ends after them.
  const innermostFirst = draft.branches
    .takeTouched()
    .map(addressOf)
    .sort((a, b) => b.owner.branch.length - a.owner.branch.length);
  for (const branch of innermostFirst) {
    if (!isIdle(draft, branch) || (which === 'given up' && ownerOf(draft, branch.owner) !== null)) continue;
    close(draft, branch);
    hasClosed = true;
  }
  return hasClosed;
}

interface BranchAddress {
  readonly owner: NodeAddress;
  readonly index: number;
}

const addressOf = (key: NodeKey): BranchAddress => {
  const { ref, branch } = nodeAddress(key);
  return { owner: { ref, branch: branch.slice(0, -1) }, index: branch.at(-1) ?? 0 };
};

/** Whether nothing is open in it, nor in branches within it. */
function isIdle(draft: Draft, { owner, index }: BranchAddress): boolean {
  if (!draft.branches.get(owner, index)) return false;
  const branch = [...owner.branch, index];
  return regionOf(draft, owner).nearest.every((ref) => {
    const at = { ref, branch };
    const node = draft.node(nodeKey(at));
    return (node === undefined || isEnded(node)) && (draft.branches.fan(at)?.open ?? 0) === 0;
  });
}

/** The owner while it still waits for its branches. */
export function ownerOf(draft: Draft, at: NodeAddress): { readonly node: WaitingNode; readonly fan: Fan } | null {
  const node = draft.node(nodeKey(at));
  const fan = draft.branches.fan(at);
  return node?.status === 'waiting' && fan?.generation === node.generation ? { node, fan } : null;
}

function close(draft: Draft, { owner, index }: BranchAddress): void {
  const region = regionOf(draft, owner);
  const branch = [...owner.branch, index];
  const nodes = region.nearest.flatMap((ref) => draft.node(nodeKey({ ref, branch })) ?? []);
  const fan = draft.branches.fan(owner);
  if (!fan) throw new Error(`The branches of ${nodeKey(owner)} are not counted.`);
  const isWanted = ownerOf(draft, owner) !== null;
  const { error } = draft.branches.get(owner, index) ?? {};
  const isAtItsEnd = error !== undefined || isWanted || hasGoneThrough(draft, region, nodes);
  const { end, attempt } = isAtItsEnd ? endOf(draft, nodes, error) : GIVEN_UP;
  const runId = region.isApart ? (nodes.map(({ at }) => draft.children.lastOf(at)).at(-1) ?? null) : null;
  draft.branchesEnded.push({ node: nodeKey(owner), generation: fan.generation, index, end, attempt, runId });
  draft.dropBranch(
    owner,
    index,
    nodes.map(({ at }) => nodeKey(at)),
    WOKEN,
  );
  draft.branches.setFan(owner, { ...fan, open: fan.open - 1, [end.status]: fan[end.status] + 1 }, WOKEN);
  if (isWanted) draft.childEnds.push({ owner, child: { kind: 'branch', index }, end, cause: WOKEN });
}

const GIVEN_UP = { end: { status: 'cancelled' }, attempt: null } as const;

/** Whether each of its steps has been reached or passed over, and none stopped or held. An arm may not be reached. */
function hasGoneThrough(draft: Draft, { owner, nearest }: CompiledRegion, nodes: readonly NodeState[]): boolean {
  const ended = new Map(nodes.map((node) => [node.at.ref, node]));
  return nearest.every((ref) => {
    const node = ended.get(ref);
    if (node === undefined) return draft.step(ref).owner !== owner;
    return isEnded(node) && node.status !== 'cancelled' && !node.unrouted && !node.wasStopping;
  });
}

function endOf(
  draft: Draft,
  nodes: readonly NodeState[],
  error: Failure | undefined,
): Pick<EndedBranch, 'end' | 'attempt'> {
  if (error) return { end: { status: 'failed', error }, attempt: null };
  const last = nodes.filter((node) => leads(draft, node));
  const [only] = last;
  const attempt = last.length === 1 && only?.outputIn === 'attempt' ? (only.attempt?.id ?? null) : null;
  return { end: { status: 'completed', output: outputOf(last) }, attempt };
}

/** That of the only one, or of several by ref. */
export function outputOf(nodes: readonly CompletedNode[]): Json {
  if (nodes.length <= 1) return nodes[0]?.output ?? null;
  return Object.fromEntries(nodes.map(({ at, output }) => [at.ref, output]));
}

/** Whether it is a completed step that leads out of its branch. */
export const leads = (draft: Draft, node: NodeState): node is CompletedNode =>
  node.status === 'completed' &&
  draft.step(node.at.ref).outgoing.some(({ leaves, index }) => leaves && node.taken.includes(index));

export function regionOf(draft: Draft, { ref }: NodeAddress): CompiledRegion {
  const { region } = draft.step(ref);
  if (!region) throw new Error(`${ref} has no region.`);
  return region;
}

/** Whether any step of it has had branches, or has them. */
export const hasBranched = ({ branches }: Draft): boolean => [...branches.owners()].length > 0;

/** A node of a branch has failed and nothing handles it: the branch has, and what else is open in it is given up. */
export function failBranch(draft: Draft, at: NodeAddress, error: Failure, cause: Cause): void {
  const ref = draft.step(at.ref).around.at(-1);
  if (ref === undefined) return;
  const owner = { ref, branch: at.branch.slice(0, -1) };
  const index = at.branch.at(-1) ?? 0;
  const branch = draft.branches.get(owner, index);
  if (branch && !branch.error) draft.branches.set(owner, index, { ...branch, error }, cause);
}

/** Whether what stands there may still start: its branch is in flight and has not failed. */
export function isInFlight(draft: Draft, { ref, branch }: NodeAddress): boolean {
  const owner = draft.step(ref).around.at(-1);
  if (owner === undefined) return true;
  const at = { ref: owner, branch: branch.slice(0, -1) };
  const own = draft.branches.get(at, branch.at(-1) ?? 0);
  return own !== undefined && !own.error && ownerOf(draft, at) !== null;
}

/** The nodes of an owner's branches that are in flight. */
export function* nodesInBranches(draft: Draft, owner: NodeAddress): Iterable<NodeAddress> {
  const { nearest } = regionOf(draft, owner);
  if ((draft.branches.fan(owner)?.open ?? 0) === 0) return;
  const open = [...draft.branches.keys()].map(addressOf);
  for (const { owner: at, index } of open) {
    if (nodeKey(at) !== nodeKey(owner)) continue;
    for (const ref of nearest) yield { ref, branch: [...owner.branch, index] };
  }
}
