import { type NodeKey, type NodeState, nodeKey } from '../run/node.ts';
import type { Change } from '../run/transition.ts';

/** What a tick has changed, in order. */
export class ChangeLog {
  readonly all: Change[] = [];
  /** Where the change stands that a further one of the same takes the place of. */
  private readonly places = new Map<string, number>();

  push(change: Change): void {
    this.all.push(change);
  }

  /** However often it changes in a tick, it is written once: until it is let go. */
  put(name: string, change: Change): void {
    const place = this.places.get(name) ?? this.all.length;
    const before = this.all[place];
    this.places.set(name, place);
    this.all[place] = before?.type === 'node' && change.type === 'node' ? { ...change, from: before.from } : change;
  }

  /** What a node was last changed to. */
  lastOf(key: NodeKey): NodeState | undefined {
    const last = this.all.findLast((change) => change.type === 'node' && nodeKey(change.node.at) === key);
    return last?.type === 'node' ? last.node : undefined;
  }

  letGo(name: string): void {
    this.places.delete(name);
  }

  /** Takes the last one that fits out again. */
  takeBack(fits: (change: Change) => boolean): void {
    const last = this.all.findLastIndex(fits);
    if (last === -1) return;
    this.all.splice(last, 1);
    for (const [name, place] of this.places) if (place > last) this.places.set(name, place - 1);
  }
}
