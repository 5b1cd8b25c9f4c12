/** Branches begin: so many at a time, in batches, those whose variables are at hand. */
import type { Instant, JsonObject } from '../json.ts';
import { type NodeAddress, type NodeKey, nodeAddress, nodeKey, type WaitingNode } from '../run/node.ts';
import type { Fan } from '../run/run.ts';
import { plus } from '../run/time.ts';
import type { Cause } from '../run/transition.ts';
import { ownerOf, regionOf, WOKEN } from './branches.ts';
import type { Asking } from './commands.ts';
import type { Draft } from './draft.ts';
import { routeInto } from './routing.ts';
import { rewake } from './waits.ts';

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
  draft.branches.setFan(at, fan, cause);
  if (of.length > 0) draft.branchesOpened.push({ node: nodeKey(at), generation, of });
}

const limitsOf = ({ wait }: WaitingNode) =>
  wait.kind === 'children' ? { maxInFlight: wait.maxInFlight ?? Number.POSITIVE_INFINITY, batch: wait.batch } : {};

/** Starts as many as may run, of those whose variables are at hand; in one tick no more than may run at a time. */
export function startBranches(draft: Draft): boolean {
  let hasStarted = false;
  for (const key of [...draft.branches.owners()]) {
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
  draft.branches.setFan(node.at, next, WOKEN);
  return next;
}

function startSome(draft: Draft, node: WaitingNode, fan: Fan): boolean {
  const { at } = node;
  const key = nodeKey(at);
  const { maxInFlight = 0 } = limitsOf(node);
  const before = draft.branchesStarted.get(key) ?? 0;
  const room = Math.min(maxInFlight - fan.open, fan.released - fan.started);
  const first = fan.started;
  const variables = atHand(draft, key, { fan, most: Math.max(0, Math.min(room, maxInFlight - before)) });
  for (const [i, own] of variables.entries()) start(draft, at, { index: first + i, variables: own });
  draft.branchesStarted.set(key, before + variables.length);
  const left = draft.branches.fan(at) ?? fan;
  // More of them could run, and are not at hand, or not in this tick.
  const isShort = left.open < maxInFlight && left.started < left.released;
  rewake(draft, node, isShort ? draft.now : left.releaseAt);
  return variables.length > 0;
}

/** Those of the next ones. */
function atHand(
  draft: Draft,
  key: NodeKey,
  { fan: { generation, started }, most }: { readonly fan: Fan; readonly most: number },
): readonly JsonObject[] {
  const opened = draft.branchesOpened.find((each) => each.node === key && each.generation === generation);
  const page = opened ? { generation, from: 0, variables: opened.of } : draft.given.inputs.branches.get(key);
  if (page?.generation !== generation || page.from > started) return [];
  return page.variables.slice(started - page.from, started - page.from + most);
}

/** It begins with the edges of its owner that lead into the region. */
function start(
  draft: Draft,
  owner: NodeAddress,
  { index, variables }: { readonly index: number; readonly variables: JsonObject },
): void {
  const fan = draft.branches.fan(owner);
  if (!fan) return;
  draft.branches.setFan(owner, { ...fan, started: index + 1, open: fan.open + 1 }, WOKEN);
  draft.branches.set(owner, index, { variables }, WOKEN);
  const { into } = regionOf(draft, owner);
  const error = routeInto(draft, owner, { edges: into, branch: [...owner.branch, index] });
  if (error) draft.branches.set(owner, index, { variables, error }, WOKEN);
}
