import type { Ref } from '../json.ts';
import { type NodeAddress, type NodeKey, nodeKey } from '../run/node.ts';
import { type Branch, branchKey, type Fan, type RunState } from '../run/run.ts';
import type { Cause } from '../run/transition.ts';
import type { ChangeLog } from './change-log.ts';
import { Overlay } from './overlay.ts';

/** The branches of a run, and how far their owners have come with them, as its tick has left them so far. */
export class BranchOverlay {
  private readonly changes: ChangeLog;
  /** By owner. */
  private readonly fans: Overlay<NodeKey, Fan>;
  /** In flight, by `branchKey`. */
  private readonly branches: Overlay<NodeKey, Branch>;
  /** Those in which something has ended, or may have while the run was held: perhaps nothing is open in them any more. */
  private readonly touched: Set<NodeKey>;

  constructor({ fans, branches, status, ending }: RunState, changes: ChangeLog) {
    this.changes = changes;
    this.fans = new Overlay(fans);
    this.branches = new Overlay(branches);
    this.touched = new Set(status === 'paused' || ending !== null ? branches.keys() : []);
  }

  fan(owner: NodeAddress): Fan | undefined {
    return this.fans.get(nodeKey(owner));
  }

  *owners(): Iterable<NodeKey> {
    for (const [key] of this.fans.entries()) yield key;
  }

  setFan(owner: NodeAddress, fan: Fan, cause: Cause): void {
    const key = nodeKey(owner);
    this.fans.set(key, fan);
    this.changes.put(fanName(key), { type: 'fan', owner, fan, cause });
  }

  get(owner: NodeAddress, index: number): Branch | undefined {
    return this.branches.get(branchKey(owner, index));
  }

  /** The keys of all in flight. */
  *keys(): Iterable<NodeKey> {
    for (const [key] of this.branches.entries()) yield key;
  }

  set(owner: NodeAddress, index: number, branch: Branch, cause: Cause): void {
    const key = branchKey(owner, index);
    this.branches.set(key, branch);
    this.touched.add(key);
    this.changes.push({ type: 'branch', owner, index, branch, dropped: [], cause });
  }

  /** It is over; the `dropped` are the nodes in it. */
  drop(owner: NodeAddress, index: number, dropped: readonly NodeKey[], cause: Cause): void {
    this.branches.set(branchKey(owner, index), null);
    for (const key of dropped) {
      this.fans.set(key, null);
      this.changes.letGo(fanName(key));
    }
    this.changes.push({ type: 'branch', owner, index, branch: null, dropped, cause });
  }

  /** Something has ended there. */
  touch(around: readonly Ref[], branch: readonly number[]): void {
    for (const [depth, ref] of around.entries()) {
      this.touched.add(branchKey({ ref, branch: branch.slice(0, depth) }, branch[depth] ?? 0));
    }
  }

  /** Those in which something has ended since this was last asked. */
  takeTouched(): readonly NodeKey[] {
    const touched = [...this.touched];
    this.touched.clear();
    return touched;
  }
}

/** No step has such a name. */
const fanName = (owner: NodeKey): string => `${owner} fan`;
