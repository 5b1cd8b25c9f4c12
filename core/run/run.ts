import type { Failure } from '../errors.ts';
import type { ChainId, DefinitionId, Instant, Json, JsonObject, RunId, TenantId } from '../json.ts';
import type { EndedNode, NodeAddress, NodeKey, NodeState, OpenNode } from './node.ts';

export type OpenStatus = 'pending' | 'running' | 'waiting' | 'paused' | 'cancelling';
export type FinalStatus = 'completed' | 'failed' | 'cancelled' | 'terminated' | 'continued_as_new' | 'merged';
export type RunStatus = OpenStatus | FinalStatus;

/** How a run ends, or is about to. */
export type Ending =
  | { readonly status: 'completed'; readonly output: Json }
  | { readonly status: 'failed'; readonly error: Failure }
  | { readonly status: 'cancelled' | 'terminated' }
  | { readonly status: 'continued_as_new' | 'merged'; readonly into: RunId };

export interface Lineage {
  readonly rootRunId: RunId;
  readonly journeyId: string;
  readonly parent: { readonly runId: RunId; readonly node: NodeAddress | null } | null;
  readonly continuedFrom: RunId | null;
  readonly resetFrom: RunId | null;
  readonly depth: number;
}

/** What never changes about a run. `kind` is `workflow`, or what a plugin calls its own. */
export interface RunHeader {
  readonly id: RunId;
  readonly chainId: ChainId;
  readonly tenantId: TenantId;
  readonly definitionId: DefinitionId;
  readonly kind: string;
  readonly input: Json;
  readonly lineage: Lineage;
  readonly createdAt: Instant;
  /** Not before this instant does its first step start. */
  readonly startAt: Instant | null;
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
  /** The time of its last tick. */
  tickedAt: Instant | null;
  context: JsonObject;
  attributes: JsonObject;
  /** The plugins' run fields, by name; CEL sees each as `run.<name>`. */
  fields: JsonObject;
  replies: readonly Reply[];
  readonly open: Map<NodeKey, OpenNode>;
  readonly ended: Map<NodeKey, EndedNode>;
  /** How many times it has ended: redrive reopens it, and the next end has the next number. */
  ends: number;
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
  tickedAt: null,
  context: {},
  attributes: {},
  fields: {},
  replies: [],
  open: new Map(),
  ended: new Map(),
  ends: 0,
});

export const nodeOf = (state: RunState, key: NodeKey): NodeState | undefined =>
  state.open.get(key) ?? state.ended.get(key);

/** What a pure function sees of a run. */
export interface RunView extends Pick<RunHeader, 'id' | 'chainId' | 'tenantId' | 'kind' | 'input' | 'lineage'> {
  readonly context: JsonObject;
  readonly fields: JsonObject;
}

export const viewOf = ({ header, context, fields }: Pick<RunState, 'header' | 'context' | 'fields'>): RunView => {
  const { id, chainId, tenantId, kind, input, lineage } = header;
  return { id, chainId, tenantId, kind, input, lineage, context, fields };
};
