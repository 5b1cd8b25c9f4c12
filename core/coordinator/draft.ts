import type { CompiledDefinition, CompiledStep } from '../definition/compiled.ts';
import type { AttemptId, Instant, JsonObject, Ref, RunId } from '../json.ts';
import type { AnyField } from '../plugin/field.ts';
import type { Hooks } from '../plugin/hooks.ts';
import type { ChildEnd, ChildKey } from '../run/arrival.ts';
import type { NewAttempt } from '../run/attempt.ts';
import { derivedUuid } from '../run/ids.ts';
import { isEnded, type NodeAddress, type NodeKey, type NodeState, nodeKey, type OpenNode } from '../run/node.ts';
import { type ChildRun, type Ending, nodeOf, type RunState, type RunStatus, type RunView, viewOf } from '../run/run.ts';
import { later, plus } from '../run/time.ts';
import type { Cause } from '../run/transition.ts';
import type { WaitRow } from '../run/wait.ts';
import type { Write } from '../steps/command.ts';
import type { StepTypes } from '../steps/registry.ts';
import { BranchOverlay } from './branch-overlay.ts';
import { ChangeLog } from './change-log.ts';
import { ChildRuns } from './child-runs.ts';
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

/** What one tick has decided so far: an overlay over a state that is only read, and the rows that follow from it. */
export class Draft {
  readonly given: Given;
  readonly now: Instant;
  readonly changes = new ChangeLog();
  readonly ready: Ready[] = [];
  readonly opened: NewAttempt[] = [];
  readonly folded: FoldedAttempt[] = [];
  /** By node. */
  readonly waitsOpened = new Map<NodeKey, readonly WaitRow[]>();
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
  /** How many executions plugins have been told of. */
  settled = 0;
  status: RunStatus;
  ending: Ending | null;
  deadlineAt: Instant | null;
  /** While the run is ending: what is in flight may finish, is told to stop, or is over by this very tick. */
  inFlight: 'finishes' | 'stops' | 'closes' = 'finishes';
  readonly children: ChildRuns;
  readonly branches: BranchOverlay;
  /** `null`: forgotten with its branch. */
  private readonly nodes = new Map<NodeKey, NodeState | null>();
  /** A node as it is about to end: seen by its own effects and conditions, not yet decided. */
  private supposed: { readonly key: NodeKey; readonly node: NodeState } | null = null;
  private ordinal = 0;

  constructor(given: Given) {
    const { tickedAt, children } = given.state;
    this.given = given;
    this.now = tickedAt === null ? given.now : later(given.now, tickedAt);
    ({ context: this.context, attributes: this.attributes, fields: this.fields } = given.state);
    ({ status: this.status, ending: this.ending, deadlineAt: this.deadlineAt } = given.state);
    this.children = new ChildRuns(children);
    this.branches = new BranchOverlay(given.state, this.changes);
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
    const own = this.nodes.get(key);
    return own === undefined ? nodeOf(this.given.state, key) : (own ?? undefined);
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
      if (!this.nodes.has(key)) yield node;
    }
    for (const node of this.nodes.values()) if (node && !isEnded(node)) yield node;
  }

  /** Whether any open node is of that kind. */
  hasOpen(fits: (node: OpenNode) => boolean = () => true): boolean {
    for (const node of this.openNodes()) if (fits(node)) return true;
    return false;
  }

  set(node: NodeState, cause: Cause): void {
    this.supposed = null;
    const key = nodeKey(node.at);
    const from = this.node(key)?.status ?? null;
    this.nodes.set(key, node);
    if (isEnded(node)) this.branches.touch(this.step(node.at.ref).around, node.at.branch);
    // A join hears of many edges in one tick, and a parked node of many children.
    if (from !== node.status) this.changes.letGo(key);
    const isOnce = node.status === 'pending' || (node.status === 'waiting' && from === 'waiting');
    if (isOnce) this.changes.put(key, { type: 'node', from, node, cause });
    else this.changes.push({ type: 'node', from, node, cause });
  }

  step(ref: Ref): CompiledStep {
    const step = this.given.compiled.steps.get(ref);
    if (!step) throw new Error(`The definition has no step ${ref}.`);
    return step;
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
    this.waitsOpened.delete(key);
  }

  /** What it waits for from now on. */
  openWaits(node: OpenNode): void {
    this.waitsOpened.set(nodeKey(node.at), waitRows(node));
  }

  /** An attempt of this very tick that is not to be: it never was, and its node is what it was before. */
  withdraw(id: AttemptId): boolean {
    const place = this.opened.findIndex((attempt) => attempt.id === id);
    const [attempt] = place === -1 ? [] : this.opened.splice(place, 1);
    if (!attempt) return false;
    this.changes.takeBack((change) => change.type === 'node' && isOf(change.node, id));
    const key = nodeKey(attempt);
    this.branches.touch(this.step(attempt.ref).around, attempt.branch);
    const before = this.changes.lastOf(key);
    if (before) this.nodes.set(key, before);
    else this.nodes.delete(key);
    return true;
  }

  /** It is over, and its nodes are forgotten. */
  dropBranch(owner: NodeAddress, index: number, dropped: readonly NodeKey[], cause: Cause): void {
    for (const key of dropped) {
      this.nodes.set(key, null);
      this.changes.letGo(key);
    }
    this.branches.drop(owner, index, dropped, cause);
  }

  setChild(runId: RunId, child: ChildRun | null, cause: Cause): void {
    this.children.set(runId, child);
    this.changes.push({ type: 'child', runId, child, cause });
  }
}

const isOf = (node: NodeState, id: AttemptId): boolean => node.status === 'running' && node.work.attempt.id === id;
