import type { Failure } from '../errors.ts';
import type { ChainId, DefinitionId, Instant, Json, JsonObject, RunId, Slug, TenantId } from '../json.ts';
import { type EndedNode, type NodeAddress, type NodeKey, type NodeState, nodeKey, type OpenNode } from './node.ts';

export type OpenStatus = 'pending' | 'running' | 'waiting' | 'paused' | 'cancelling';
export type FinalStatus = 'completed' | 'failed' | 'cancelled' | 'terminated' | 'continued_as_new' | 'merged';
export type RunStatus = OpenStatus | FinalStatus;

/** How a run ends, or is about to. */
export type Ending =
  | { readonly status: 'completed'; readonly output: Json }
  | { readonly status: 'failed'; readonly error: Failure }
  | { readonly status: 'cancelled' | 'terminated' }
  | { readonly status: 'continued_as_new'; readonly into: RunId }
  | { readonly status: 'merged'; readonly into: RunId };

/** What a parent wants to hear of a child: that it has started, its end, that it has come so far (and then its end), or nothing. */
export type Report = 'start' | 'end' | { readonly checkpoint: string } | 'nothing';

/** The run that started this one; `node` is where it hears of it, `null` where it does not. */
export interface Parent {
  readonly runId: RunId;
  readonly chainId: ChainId;
  readonly node: NodeAddress | null;
  readonly report: Report;
}

export interface Lineage {
  readonly rootRunId: RunId;
  readonly journeyId: string;
  readonly parent: Parent | null;
  /** The workflows of the runs above it, outermost first. */
  readonly above: readonly Slug[];
  readonly continuedFrom: RunId | null;
  readonly resetFrom: RunId | null;
  readonly depth: number;
}

export type Priority = 'high' | 'normal' | 'low';

/** What never changes about a run. `kind` is `workflow`, or what a plugin calls its own. */
export interface RunHeader {
  readonly id: RunId;
  readonly chainId: ChainId;
  readonly tenantId: TenantId;
  readonly definitionId: DefinitionId;
  readonly kind: string;
  readonly input: Json;
  readonly lineage: Lineage;
  readonly priority: Priority;
  readonly createdAt: Instant;
  /** Not before this instant does its first step start. */
  readonly startAt: Instant | null;
  /** W3C trace context of what asked for it, which its descendants share. */
  readonly traceparent: string | null;
}

/** What its parent does to a child when it stops caring for it. */
export type ParentClose = 'cancel' | 'terminate' | 'abandon';

/** A run that this one has started and not heard the end of. */
export interface ChildRun {
  readonly at: NodeAddress;
  readonly generation: number;
  readonly parentClose: ParentClose;
  /** It was told to stop. */
  readonly isStopping: boolean;
}

/** How far an owner of branches has come with them: constant in size, however many there are. */
export interface Fan {
  /** The owner's; that of another generation tells nothing of this one. */
  readonly generation: number;
  readonly total: number;
  /** Those before this index have started. */
  readonly started: number;
  /** Started and not over. */
  readonly open: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Those before this index may start, and when more may; `null`: all may. */
  readonly released: number;
  readonly releaseAt: Instant | null;
}

/** A branch that has started and is not over. */
export interface Branch {
  readonly variables: JsonObject;
  /** It has failed, and waits for what is in flight in it. */
  readonly error?: Failure;
}

/** What a checkpoint has let go. `output` is absent where the step has no reply. */
export interface Reply {
  readonly name: string;
  readonly output?: Json;
}

/**
 * A run as its transitions fold to it; nothing else changes it.
 * Owned and advanced in place by whoever loaded it (`apply`); a tick only reads it.
 */
export interface RunState {
  readonly header: RunHeader;
  /** db_record_version: the one lock. 0: not committed yet. */
  version: number;
  status: RunStatus;
  /** Set while nothing new starts and what is in flight is waited for; also how an ended run ended. */
  ending: Ending | null;
  startedAt: Instant | null;
  endedAt: Instant | null;
  /** When its run_timeout is over; a redrive sets it anew. */
  deadlineAt: Instant | null;
  /** The time of its last tick. */
  tickedAt: Instant | null;
  context: JsonObject;
  attributes: JsonObject;
  /** The plugins' run fields, by name; CEL sees each as `run.<name>`. */
  fields: JsonObject;
  replies: readonly Reply[];
  readonly open: Map<NodeKey, OpenNode>;
  readonly ended: Map<NodeKey, EndedNode>;
  readonly children: Map<RunId, ChildRun>;
  /** By owner. */
  readonly fans: Map<NodeKey, Fan>;
  /** In flight, by `branchKey`. */
  readonly branches: Map<NodeKey, Branch>;
  /** How many times it has ended: redrive reopens it, and the next end has the next number. */
  ends: number;
  /** Changes since it was last kept whole; loading it folds these. */
  unkept: number;
}

export const FINAL_STATUSES: readonly FinalStatus[] = [
  'completed',
  'failed',
  'cancelled',
  'terminated',
  'continued_as_new',
  'merged',
];
export const isFinal = (status: RunStatus): status is FinalStatus =>
  (FINAL_STATUSES as readonly string[]).includes(status);

/** The state before the first tick: all that the header alone says. */
export const initialState = (header: RunHeader): RunState => ({
  header,
  version: 0,
  status: 'pending',
  ending: null,
  startedAt: null,
  endedAt: null,
  deadlineAt: null,
  tickedAt: null,
  context: {},
  attributes: {},
  fields: {},
  replies: [],
  open: new Map(),
  ended: new Map(),
  children: new Map(),
  fans: new Map(),
  branches: new Map(),
  ends: 0,
  unkept: 0,
});

const FEWEST_UNKEPT = 2_000;
const UNKEPT_A_PART = 8;

/**
 * Whether it is to be kept whole by now: when that costs little beside what has been written since the last time, so that
 * a long history does not make a run slow to load.
 */
export const isToBeKept = ({ unkept, open, ended, branches, fans, children }: RunState): boolean =>
  unkept >= FEWEST_UNKEPT &&
  unkept >= UNKEPT_A_PART * (open.size + ended.size + branches.size + fans.size + children.size);

export const nodeOf = (state: RunState, key: NodeKey): NodeState | undefined =>
  state.open.get(key) ?? state.ended.get(key);

/** The key of a branch among those of its run: of its owner's nodes as if that stood in it. */
export const branchKey = ({ ref, branch }: NodeAddress, index: number): NodeKey =>
  nodeKey({ ref, branch: [...branch, index] });

/** How far the branches of a node of this generation have come. */
export const fanOf = (
  { fans }: { readonly fans: ReadonlyMap<NodeKey, Fan> },
  { at, generation }: Pick<NodeState, 'at' | 'generation'>,
): Fan | null => {
  const fan = fans.get(nodeKey(at));
  return fan?.generation === generation ? fan : null;
};

/** What a pure function sees of a run. */
export interface RunView
  extends Pick<RunHeader, 'id' | 'chainId' | 'tenantId' | 'kind' | 'input' | 'lineage' | 'traceparent'> {
  readonly context: JsonObject;
  readonly fields: JsonObject;
}

export const viewOf = ({ header, context, fields }: Pick<RunState, 'header' | 'context' | 'fields'>): RunView => {
  const { id, chainId, tenantId, kind, input, lineage, traceparent } = header;
  return { id, chainId, tenantId, kind, input, lineage, traceparent, context, fields };
};
