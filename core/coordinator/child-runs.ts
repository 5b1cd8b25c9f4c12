import type { RunId } from '../json.ts';
import { type NodeAddress, type NodeKey, type NodeState, nodeKey } from '../run/node.ts';
import type { ChildRun } from '../run/run.ts';
import { Overlay } from './overlay.ts';

/** The runs that a run has started and not heard the end of, as its tick has left them so far. */
export class ChildRuns {
  private readonly before: ReadonlyMap<RunId, ChildRun>;
  private readonly runs: Overlay<RunId, ChildRun>;
  /** Those that could not be started. */
  private readonly refused = new Set<RunId>();
  /** By the node that hears of them; kept of those that are over. Made when it is first asked for. */
  private byNode: Map<NodeKey, RunId[]> | null = null;

  constructor(before: ReadonlyMap<RunId, ChildRun>) {
    this.before = before;
    this.runs = new Overlay(before);
  }

  get(runId: RunId): ChildRun | undefined {
    return this.runs.get(runId);
  }

  entries(): Iterable<readonly [RunId, ChildRun]> {
    return this.runs.entries();
  }

  set(runId: RunId, child: ChildRun | null): void {
    this.runs.set(runId, child);
    if (child && this.byNode) note(this.byNode, runId, child);
  }

  refuse(runId: RunId): void {
    this.refused.add(runId);
  }

  /** Those that a node has started and not heard the end of. */
  of({ at, generation }: Pick<NodeState, 'at' | 'generation'>): readonly (readonly [RunId, ChildRun])[] {
    return this.startedAt(at).flatMap((runId) => {
      const child = this.runs.get(runId);
      return child?.generation === generation ? [[runId, child] as const] : [];
    });
  }

  /** Also those that it has heard the end of in this tick, but for runs that could not be started. */
  startedAt(at: NodeAddress): readonly RunId[] {
    if (!this.byNode) {
      this.byNode = new Map();
      for (const [runId, child] of this.before) note(this.byNode, runId, child);
      for (const [runId, child] of this.runs.entries()) note(this.byNode, runId, child);
    }
    const all = this.byNode.get(nodeKey(at)) ?? [];
    return this.refused.size === 0 ? all : all.filter((runId) => !this.refused.has(runId));
  }
}

function note(byNode: Map<NodeKey, RunId[]>, runId: RunId, { at }: ChildRun): void {
  const key = nodeKey(at);
  const known = byNode.get(key);
  if (!known) byNode.set(key, [runId]);
  else if (!known.includes(runId)) known.push(runId);
}
