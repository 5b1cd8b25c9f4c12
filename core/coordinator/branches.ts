/** Branches: a region of which a step runs once for each of many things, so many at a time. */
import type { CompiledRegion } from '../definition/compiled.ts';
import type { Failure } from '../errors.ts';
import type { Instant, Json, JsonObject } from '../json.ts';
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
import { plus } from '../run/time.ts';
import type { Cause } from '../run/transition.ts';
import type { Asking } from './commands.ts';
import type { Draft } from './draft.ts';
import type { EndedBranch } from './payload.ts';
import { routeInto } from './routing.ts';
import { rewake } from './waits.ts';

const CAUSE = { kind: 'woken' } as const satisfies Cause;

/** All of them are rows at once; the owner's wait says how many may run. */
export function fanOut(draft: Draft, { at, generation }: Asking, of: readonly JsonObject[], cause: Cause): void {
  const node = draft.node(nodeKey(at));
  if (node?.status !== 'waiting') return;
  const { batch } = limitsOf(node);
  const fan: Fan = {
    ...{ generation, total: of.length, started: 0, open: 0, completed: 0, failed: 0, cancelled: 0 },
    released: batch ? Math.min(batch.size, of.length) : of.length,
    releaseAt: batch && batch.size < of.length ? plus(draft.now, batch.intervalMs) : null,
  };
  draft.setFan(at, fan, cause);
  if (of.length > 0) draft.branchesOpened.push({ node: nodeKey(at), generation, of });
}

const limitsOf = ({ wait }: WaitingNode) =>
  wait.kind === 'children' ? { maxInFlight: wait.maxInFlight ?? Number.POSITIVE_INFINITY, batch: wait.batch } : {};

/** Ends the branches that have nothing open, and starts others in their place. `false`: there was nothing to do. */
export function moveBranches(draft: Draft): boolean {
  if (draft.isHeld) return closeBranches(draft, 'given up');
  // Their owners hear of them first: they may be over by that.
  return closeBranches(draft, 'all') || startBranches(draft);
}

/**
 * Ends those that have nothing open. While the run is held only those that their owners have given up: the others may
 * have edges to take yet.
 */
export function closeBranches(draft: Draft, which: 'all' | 'given up'): boolean {
  let hasClosed = false;
  // What is around them ends after them.
  const innermostFirst = draft
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
  if (!draft.branch(owner, index)) return false;
  const branch = [...owner.branch, index];
  return regionOf(draft, owner).nearest.every((ref) => {
    const at = { ref, branch };
    const node = draft.node(nodeKey(at));
    return (node === undefined || isEnded(node)) && (draft.fan(at)?.open ?? 0) === 0;
  });
}

/** The owner while it still waits for its branches. */
function ownerOf(draft: Draft, at: NodeAddress): { readonly node: WaitingNode; readonly fan: Fan } | null {
  const node = draft.node(nodeKey(at));
  const fan = draft.fan(at);
  return node?.status === 'waiting' && fan?.generation === node.generation ? { node, fan } : null;
}

function close(draft: Draft, { owner, index }: BranchAddress): void {
  const region = regionOf(draft, owner);
  const branch = [...owner.branch, index];
  const nodes = region.nearest.flatMap((ref) => draft.node(nodeKey({ ref, branch })) ?? []);
  const fan = draft.fan(owner);
  if (!fan) throw new Error(`The branches of ${nodeKey(owner)} are not counted.`);
  const isWanted = ownerOf(draft, owner) !== null;
  const { error } = draft.branch(owner, index) ?? {};
  const isAtItsEnd = error !== undefined || isWanted || hasGoneThrough(draft, region, nodes);
  const { end, attempt } = isAtItsEnd ? endOf(draft, nodes, error) : GIVEN_UP;
  const runId = region.isApart ? (nodes.map(({ at }) => draft.children.lastOf(at)).at(-1) ?? null) : null;
  draft.branchesEnded.push({ node: nodeKey(owner), generation: fan.generation, index, end, attempt, runId });
  draft.dropBranch(
    owner,
    index,
    nodes.map(({ at }) => nodeKey(at)),
    CAUSE,
  );
  draft.setFan(owner, { ...fan, open: fan.open - 1, [end.status]: fan[end.status] + 1 }, CAUSE);
  if (isWanted) draft.childEnds.push({ owner, child: { kind: 'branch', index }, end, cause: CAUSE });
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

function regionOf(draft: Draft, { ref }: NodeAddress): CompiledRegion {
  const { region } = draft.step(ref);
  if (!region) throw new Error(`${ref} has no region.`);
  return region;
}

/** Whether any step of it has had branches, or has them. */
export const hasBranched = ({ fans }: Draft): boolean => [...fans.entries()].length > 0;

/** Starts as many as may run, of those whose variables are at hand; in one tick no more than may run at a time. */
function startBranches(draft: Draft): boolean {
  let hasStarted = false;
  for (const [key] of [...draft.fans.entries()]) {
    const held = ownerOf(draft, nodeAddress(key));
    if (held && startSome(draft, held.node, released(draft, held.node, held.fan))) hasStarted = true;
  }
  return hasStarted;
}

function released(draft: Draft, node: WaitingNode, fan: Fan): Fan {
  const { batch } = limitsOf(node);
  if (!batch || fan.releaseAt === null || fan.releaseAt > draft.now) return fan;
  const upTo = Math.min(fan.total, fan.released + batch.size);
  const releaseAt: Instant | null = upTo < fan.total ? plus(draft.now, batch.intervalMs) : null;
  const next = { ...fan, released: upTo, releaseAt };
  draft.setFan(node.at, next, CAUSE);
  return next;
}

function startSome(draft: Draft, node: WaitingNode, fan: Fan): boolean {
  const { at } = node;
  const key = nodeKey(at);
  const { maxInFlight = 0 } = limitsOf(node);
  const before = draft.branchesStarted.get(key) ?? 0;
  const room = Math.min(maxInFlight - fan.open, fan.released - fan.started);
  const first = fan.started;
  const variables = atHand(draft, key, fan).slice(0, Math.max(0, Math.min(room, maxInFlight - before)));
  for (const [i, own] of variables.entries()) start(draft, at, { index: first + i, variables: own });
  draft.branchesStarted.set(key, before + variables.length);
  const left = draft.fan(at) ?? fan;
  // More of them could run, and are not at hand, or not in this tick.
  const isShort = left.open < maxInFlight && left.started < left.released;
  rewake(draft, node, isShort ? draft.now : left.releaseAt);
  return variables.length > 0;
}

/** Those from the next one on. */
function atHand(draft: Draft, key: NodeKey, { generation, started }: Fan): readonly JsonObject[] {
  const opened = draft.branchesOpened.find((each) => each.node === key && each.generation === generation);
  if (opened) return opened.of.slice(started);
  const page = draft.given.inputs.branches.get(key);
  if (page?.generation !== generation || page.from > started) return [];
  return page.variables.slice(started - page.from);
}

/** It begins with the edges of its owner that lead into the region. */
function start(
  draft: Draft,
  owner: NodeAddress,
  { index, variables }: { readonly index: number; readonly variables: JsonObject },
): void {
  const fan = draft.fan(owner);
  if (!fan) return;
  draft.setFan(owner, { ...fan, started: index + 1, open: fan.open + 1 }, CAUSE);
  draft.setBranch(owner, index, { variables }, CAUSE);
  const { into } = regionOf(draft, owner);
  const error = routeInto(draft, owner, { edges: into, branch: [...owner.branch, index] });
  if (error) draft.setBranch(owner, index, { variables, error }, CAUSE);
}

/** A node of a branch has failed and nothing handles it: the branch has, and what else is open in it is given up. */
export function failBranch(draft: Draft, at: NodeAddress, error: Failure, cause: Cause): void {
  const ref = draft.step(at.ref).around.at(-1);
  if (ref === undefined) return;
  const owner = { ref, branch: at.branch.slice(0, -1) };
  const index = at.branch.at(-1) ?? 0;
  const branch = draft.branch(owner, index);
  if (branch && !branch.error) draft.setBranch(owner, index, { ...branch, error }, cause);
}

/** Whether what stands there may still start: its branch is in flight and has not failed. */
export function isInFlight(draft: Draft, { ref, branch }: NodeAddress): boolean {
  const owner = draft.step(ref).around.at(-1);
  if (owner === undefined) return true;
  const at = { ref: owner, branch: branch.slice(0, -1) };
  const own = draft.branch(at, branch.at(-1) ?? 0);
  return own !== undefined && !own.error && ownerOf(draft, at) !== null;
}

/** The nodes of an owner's branches that are in flight. */
export function* nodesInBranches(draft: Draft, owner: NodeAddress): Iterable<NodeAddress> {
  const { nearest } = regionOf(draft, owner);
  if ((draft.fan(owner)?.open ?? 0) === 0) return;
  const open = [...draft.branches.entries()].map(([key]) => addressOf(key));
  for (const { owner: at, index } of open) {
    if (nodeKey(at) !== nodeKey(owner)) continue;
    for (const ref of nearest) yield { ref, branch: [...owner.branch, index] };
  }
}
