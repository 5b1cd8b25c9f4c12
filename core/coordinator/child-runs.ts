import type { RunId } from '../json.ts';
import { type NodeAddress, type NodeKey, type NodeState, nodeKey } from '../run/node.ts';
import type { ChildRun } from '../run/run.ts';
import { Overlay } from './overlay.ts';

/** The runs that a run has started and not heard the end of, as its tick has left them so far. */
export class ChildRuns {
  private readonly runs: Overlay<RunId, ChildRun>;
  /** Of those that the tick has started, told or heard: the last of each node. */
  private readonly moved = new Map<NodeKey, RunId>();
  /** Those that could not be started. */
  private readonly refused = new Set<RunId>();
  /** Made when it is first asked for: most ticks stop nothing. */
  private byNode: Map<NodeKey, Set<RunId>> | null = null;

  constructor(before: ReadonlyMap<RunId, ChildRun>) {
    this.runs = new Overlay(before);
  }

  get(runId: RunId): ChildRun | undefined {
    return this.runs.get(runId);
  }

  entries(): Iterable<readonly [RunId, ChildRun]> {
    return this.runs.entries();
  }

  set(runId: RunId, child: ChildRun | null): void {
    const at = child?.at ?? this.runs.get(runId)?.at;
    this.runs.set(runId, child);
    if (!at) return;
    this.moved.set(nodeKey(at), runId);
    if (this.byNode) note(this.byNode, runId, at);
  }

  refuse(runId: RunId): void {
    this.refused.add(runId);
  }

  /** Those that a node has started and not heard the end of. */
  of({ at, generation }: Pick<NodeState, 'at' | 'generation'>): readonly (readonly [RunId, ChildRun])[] {
    if (!this.byNode) {
      this.byNode = new Map();
      for (const [runId, child] of this.runs.entries()) note(this.byNode, runId, child.at);
    }
    return [...(this.byNode.get(nodeKey(at)) ?? [])].flatMap((runId) => {
      const child = this.runs.get(runId);
      return child?.generation === generation ? [[runId, child] as const] : [];
    });
  }

  /** The run of a node that is over by this tick; `null`: it never was. */
  lastOf(at: NodeAddress): RunId | null {
    const runId = this.moved.get(nodeKey(at));
    return runId === undefined || this.refused.has(runId) ? null : runId;
  }
}

function note(byNode: Map<NodeKey, Set<RunId>>, runId: RunId, at: NodeAddress): void {
  const key = nodeKey(at);
  const known = byNode.get(key);
  if (known) known.add(runId);
  else byNode.set(key, new Set([runId]));
}
