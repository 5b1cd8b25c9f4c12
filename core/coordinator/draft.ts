import type { CompiledDefinition, CompiledStep } from '../definition/compiled.ts';
import type { VariableSource } from '../definition/config.ts';
import type { AttemptId, Instant, JsonObject, Ref, RunId } from '../json.ts';
import type { AnyField } from '../plugin/field.ts';
import type { Hooks } from '../plugin/hooks.ts';
import type { ChildEnd, ChildKey } from '../run/arrival.ts';
import type { NewAttempt } from '../run/attempt.ts';
import { derivedUuid } from '../run/ids.ts';
import { isEnded, type NodeAddress, type NodeKey, type NodeState, nodeKey, type OpenNode } from '../run/node.ts';
import {
  type Branch,
  branchKey,
  type ChildRun,
  type Ending,
  type Fan,
  nodeOf,
  type RunState,
  type RunStatus,
  type RunView,
  viewOf,
} from '../run/run.ts';
import { later, plus } from '../run/time.ts';
import type { Cause, Change } from '../run/transition.ts';
import { runVariables } from '../run/variables.ts';
import type { WaitRow } from '../run/wait.ts';
import type { Write } from '../steps/command.ts';
import type { StepTypes } from '../steps/registry.ts';
import type { TickInputs } from './inputs.ts';
import type {
  EndedBranch,
  FoldedAttempt,
  Letter,
  NewEvent,
  OpenedBranches,
  RunStart,
  Spawned,
  TickPayload,
} from './payload.ts';
import { waitRows } from './waits.ts';

/** The engine's vocabulary, frozen at boot; built-in step types and the plugins' differ in nothing. */
export interface Registry {
  readonly steps: StepTypes;
  /** In the order of the plugins' `requires`, then id. */
  readonly hooks: readonly Hooks[];
  readonly fields: readonly AnyField[];
}

/** What every phase may read. */
export interface Given {
  readonly registry: Registry;
  readonly compiled: CompiledDefinition;
  readonly state: RunState;
  readonly inputs: TickInputs;
  readonly now: Instant;
  /** Only in a run's first tick: its row is inserted with it. */
  readonly start: RunStart | null;
}

/** A step whose edges let it start. */
interface Ready {
  readonly ref: Ref;
  readonly cause: Cause;
  /** Around it: as around the step that starts it as its child. Default: none. */
  readonly branch?: NodeAddress['branch'];
}

/** A node or branch of a region is over: its owner hears of it in the same tick. */
export interface OwnedEnd {
  readonly owner: NodeAddress;
  readonly child: ChildKey;
  readonly end: ChildEnd;
  readonly cause: Cause;
}

/** Where an expression stands: which branches it sees. */
export interface Place {
  readonly around: readonly Ref[];
  readonly branch: readonly number[];
}
const OUTSIDE: Place = { around: [], branch: [] };

/** What one tick has decided so far: an overlay over a state that is only read, and the rows that follow from it. */
export class Draft {
  readonly given: Given;
  readonly now: Instant;
  readonly changes: Change[] = [];
  readonly ready: Ready[] = [];
  opened: NewAttempt[] = [];
  readonly folded: FoldedAttempt[] = [];
  waitsOpened: WaitRow[] = [];
  /** Rows that stay, and are looked at at another instant. */
  readonly waitsMoved: WaitRow[] = [];
  /** How many rows each node had. */
  readonly waitsClosed = new Map<NodeKey, number>();
  readonly consumed: { id: string; outcome: TickPayload['consumed'][number]['outcome'] }[] = [];
  readonly outbox: Letter[] = [];
  readonly spawned: Spawned[] = [];
  readonly published: NewEvent[] = [];
  /** Ends that owners have not heard of yet. */
  readonly childEnds: OwnedEnd[] = [];
  readonly branchesOpened: OpenedBranches[] = [];
  readonly branchesEnded: EndedBranch[] = [];
  /** How many branches of each owner this tick has started. */
  readonly branchesStarted = new Map<NodeKey, number>();
  readonly rows: Write[] = [];
  readonly aborted: AttemptId[] = [];
  context: JsonObject;
  attributes: JsonObject;
  /** The plugins' run fields. */
  fields: JsonObject;
  /** Children that could not be started. */
  readonly refused = new Set<RunId>();
  /** How many executions plugins have been told of. */
  settled = 0;
  status: RunStatus;
  ending: Ending | null;
  deadlineAt: Instant | null;
  /** While the run is ending: what is in flight may finish, is told to stop, or is over by this very tick. */
  inFlight: 'finishes' | 'stops' | 'closes' = 'finishes';
  private readonly nodes = new Map<NodeKey, NodeState>();
  private readonly forgotten = new Set<NodeKey>();
  private readonly ownFans = new Map<NodeKey, Fan>();
  private readonly ownBranches = new Map<NodeKey, Branch | null>();
  /** The state's own until something changes. */
  private children: ReadonlyMap<RunId, ChildRun>;
  private ownChildren: Map<RunId, ChildRun> | null = null;
  /** By the node that hears of them; kept of those that are over. */
  private runsByNode: Map<NodeKey, RunId[]> | null = null;
  /** Where a pending node's latest change stands: a join that hears of many edges in one tick is written once. */
  private readonly pendingAt = new Map<NodeKey, number>();
  /** The same of fans, and of nodes that stay parked: one hears of many branches in one tick. */
  private readonly fanAt = new Map<NodeKey, number>();
  private readonly waitingAt = new Map<NodeKey, number>();
  /** A node as it is about to end: seen by its own effects and conditions, not yet decided. */
  private supposed: { readonly key: NodeKey; readonly node: NodeState } | null = null;
  private ordinal = 0;

  constructor(given: Given) {
    this.given = given;
    this.now = given.state.tickedAt === null ? given.now : later(given.now, given.state.tickedAt);
    ({ context: this.context, attributes: this.attributes, status: this.status, ending: this.ending } = given.state);
    this.fields = given.state.fields;
    this.deadlineAt = given.state.deadlineAt;
    this.children = given.state.children;
  }

  get header() {
    return this.given.state.header;
  }

  get startedAt(): Instant {
    return this.given.state.startedAt ?? this.now;
  }

  /** `null` while none of its steps has been let start. */
  get begunAt(): Instant | null {
    const isHeldBack = this.status === 'pending' || this.status === 'paused' || this.status === 'cancelling';
    return isHeldBack ? this.given.state.startedAt : this.startedAt;
  }

  node(key: NodeKey): NodeState | undefined {
    if (this.supposed?.key === key) return this.supposed.node;
    return this.nodes.get(key) ?? (this.forgotten.has(key) ? undefined : nodeOf(this.given.state, key));
  }

  /** Whether this tick has left it alone so far. */
  isAsRead(at: NodeAddress): boolean {
    return !this.nodes.has(nodeKey(at));
  }

  suppose(node: NodeState): void {
    this.supposed = { key: nodeKey(node.at), node };
  }

  /** Every node that still wants something, as it is by now. */
  *openNodes(): Iterable<OpenNode> {
    for (const [key, node] of this.given.state.open) {
      if (!this.nodes.has(key) && !this.forgotten.has(key)) yield node;
    }
    for (const node of this.nodes.values()) if (!isEnded(node)) yield node;
  }

  set(node: NodeState, cause: Cause): void {
    this.supposed = null;
    const key = nodeKey(node.at);
    const from = this.node(key)?.status ?? null;
    const pendingAt = this.pendingAt.get(key);
    const stays = from === 'waiting' && node.status === 'waiting';
    const waitingAt = stays ? this.waitingAt.get(key) : undefined;
    this.nodes.set(key, node);
    if (waitingAt !== undefined) {
      this.changes[waitingAt] = { type: 'node', from, node, cause };
      return;
    }
    if (stays) this.waitingAt.set(key, this.changes.length);
    else this.waitingAt.delete(key);
    if (pendingAt !== undefined && node.status === 'pending') {
      this.changes[pendingAt] = { type: 'node', from: null, node, cause };
      return;
    }
    if (node.status === 'pending') this.pendingAt.set(key, this.changes.length);
    this.changes.push({ type: 'node', from, node, cause });
  }

  step(ref: Ref): CompiledStep {
    const step = this.given.compiled.steps.get(ref);
    if (!step) throw new Error(`The definition has no step ${ref}.`);
    return step;
  }

  placeOf({ ref, branch }: NodeAddress): Place {
    return { around: this.step(ref).around, branch };
  }

  /** What expressions see now, with what the place adds. */
  readonly variables =
    (place: Place = OUTSIDE, extra: { readonly [name: string]: unknown } = {}): VariableSource =>
    (reads) =>
      Object.assign(
        runVariables(
          this.given.compiled,
          {
            header: this.header,
            startedAt: this.startedAt,
            context: this.context,
            fields: this.fields,
            around: place.around.map((owner, depth) => ({
              owner,
              variables: this.branchAt(place, depth)?.variables ?? {},
            })),
            node: (ref) => this.seenFrom(place, ref),
          },
          this.now,
          reads,
        ),
        extra,
      );

  /** The branch around a place that the owner at this depth has begun. */
  private branchAt({ around, branch }: Place, depth: number): Branch | undefined {
    const ref = around[depth];
    return ref === undefined ? undefined : this.branch({ ref, branch: branch.slice(0, depth) }, branch[depth] ?? 0);
  }

  /** A step's node in the branches that the place is in too; one in others is not to be seen. */
  private seenFrom({ around, branch }: Place, ref: Ref): NodeState | undefined {
    const its = this.given.compiled.steps.get(ref)?.around ?? [];
    if (its.some((owner, depth) => owner !== around[depth])) return undefined;
    return this.node(nodeKey({ ref, branch: branch.slice(0, its.length) }));
  }

  /** The generation that a node begins with: in a branch that of the branch, so that no execution's key comes again. */
  firstGeneration({ ref, branch }: NodeAddress): number {
    const owner = this.step(ref).around.at(-1);
    if (owner === undefined) return 1;
    return this.node(nodeKey({ ref: owner, branch: branch.slice(0, -1) }))?.generation ?? 1;
  }

  /** An id that this tick of this run alone can make, again and again. */
  newId(): string {
    this.ordinal += 1;
    return derivedUuid(this.now, `${this.header.id}/${this.given.state.version + 1}/${this.ordinal}`);
  }

  executionKey({ ref, branch }: NodeAddress, generation: number): string {
    const place = branch.length === 0 ? ref : `${ref}/${branch.join('.')}`;
    return `${this.header.chainId}/${place}/${generation}`;
  }

  view(): RunView {
    return viewOf({ header: this.header, context: this.context, fields: this.fields });
  }

  /** Its steps may start, and its time runs from now. */
  begin(): void {
    const { runTimeoutMs } = this.given.compiled;
    this.status = 'running';
    this.deadlineAt = runTimeoutMs === null ? null : plus(this.now, runTimeoutMs);
  }

  /** The first ending wins; nothing new starts from here on. */
  end(ending: Ending, { abort }: { abort: boolean }): void {
    if (abort) this.inFlight = 'stops';
    this.ending ??= ending;
  }

  get isPaused(): boolean {
    return this.status === 'paused';
  }

  /** While a run ends or is paused, results are folded and edges left alone. */
  get isHeld(): boolean {
    return this.ending !== null || this.isPaused;
  }

  /** Whatever the node was waiting for, it waits no more. */
  closeWaits(at: NodeAddress): void {
    const key = nodeKey(at);
    const node = this.given.state.open.get(key);
    const rows = node === undefined ? 0 : waitRows(node).length;
    if (rows > 0) this.waitsClosed.set(key, rows);
    this.waitsOpened = this.waitsOpened.filter((row) => row.node !== key);
  }

  /** An attempt of this very tick that is not to be: it never was, and its node is what it was before. */
  withdraw(id: AttemptId): boolean {
    const opened = this.opened.filter((attempt) => attempt.id !== id);
    if (opened.length === this.opened.length) return false;
    this.opened = opened;
    const last = this.changes.findLastIndex((change) => change.type === 'node' && isOf(change.node, id));
    const [change] = this.changes.splice(last, 1);
    for (const places of [this.pendingAt, this.fanAt, this.waitingAt]) {
      for (const [key, place] of places) if (place > last) places.set(key, place - 1);
    }
    if (change?.type !== 'node') return true;
    const key = nodeKey(change.node.at);
    const before = this.changes.findLast((other) => other.type === 'node' && nodeKey(other.node.at) === key);
    if (before?.type === 'node') this.nodes.set(key, before.node);
    else this.nodes.delete(key);
    return true;
  }

  get openChildren(): ReadonlyMap<RunId, ChildRun> {
    return this.children;
  }

  get hasBranched(): boolean {
    return this.ownFans.size > 0 || this.given.state.fans.size > 0;
  }

  fan(owner: NodeAddress): Fan | undefined {
    const key = nodeKey(owner);
    return this.ownFans.get(key) ?? (this.forgotten.has(key) ? undefined : this.given.state.fans.get(key));
  }

  /** However often it moves in a tick, it is written once. */
  setFan(owner: NodeAddress, fan: Fan, cause: Cause): void {
    const key = nodeKey(owner);
    this.ownFans.set(key, fan);
    const place = this.fanAt.get(key) ?? this.changes.length;
    this.fanAt.set(key, place);
    this.changes[place] = { type: 'fan', owner, fan, cause };
  }

  branch(owner: NodeAddress, index: number): Branch | undefined {
    const key = branchKey(owner, index);
    const own = this.ownBranches.get(key);
    return own === undefined ? this.given.state.branches.get(key) : (own ?? undefined);
  }

  /** The keys of all in flight. */
  *openBranches(): Iterable<NodeKey> {
    for (const key of this.given.state.branches.keys()) if (!this.ownBranches.has(key)) yield key;
    for (const [key, branch] of this.ownBranches) if (branch) yield key;
  }

  setBranch(owner: NodeAddress, index: number, branch: Branch, cause: Cause): void {
    this.ownBranches.set(branchKey(owner, index), branch);
    this.changes.push({ type: 'branch', owner, index, branch, dropped: [], cause });
  }

  /** It is over, and its nodes are forgotten. */
  dropBranch(owner: NodeAddress, index: number, dropped: readonly NodeKey[], cause: Cause): void {
    this.ownBranches.set(branchKey(owner, index), null);
    for (const key of dropped) {
      this.nodes.delete(key);
      this.pendingAt.delete(key);
      this.fanAt.delete(key);
      this.waitingAt.delete(key);
      this.ownFans.delete(key);
      this.forgotten.add(key);
    }
    this.changes.push({ type: 'branch', owner, index, branch: null, dropped, cause });
  }

  /** The runs that a node has started and not heard the end of. */
  runsOf({ at, generation }: Pick<NodeState, 'at' | 'generation'>): readonly (readonly [RunId, ChildRun])[] {
    return this.runsAt(at).flatMap((runId) => {
      const child = this.children.get(runId);
      return child?.generation === generation ? [[runId, child] as const] : [];
    });
  }

  /** Also those that it has heard the end of in this tick, but for runs that could not be started. */
  runsAt(at: NodeAddress): readonly RunId[] {
    if (!this.runsByNode) {
      this.runsByNode = new Map();
      for (const [runId, child] of [...this.given.state.children, ...this.children]) this.noteRun(runId, child);
    }
    const all = this.runsByNode.get(nodeKey(at)) ?? [];
    return this.refused.size === 0 ? all : all.filter((runId) => !this.refused.has(runId));
  }

  private noteRun(runId: RunId, { at }: ChildRun): void {
    const known = this.runsByNode?.get(nodeKey(at));
    if (!known) this.runsByNode?.set(nodeKey(at), [runId]);
    else if (!known.includes(runId)) known.push(runId);
  }

  setChild(runId: RunId, child: ChildRun | null, cause: Cause): void {
    this.ownChildren ??= new Map(this.children);
    this.children = this.ownChildren;
    if (child) this.ownChildren.set(runId, child);
    else this.ownChildren.delete(runId);
    if (child) this.noteRun(runId, child);
    this.changes.push({ type: 'child', runId, child, cause });
  }
}

const isOf = (node: NodeState, id: AttemptId): boolean => node.status === 'running' && node.work.attempt.id === id;
