import type { Instant, JsonObject, Ref, RunId } from '../json.ts';
import type { Arrival, Control, ControlOutcome } from './arrival.ts';
import { isEnded, type NodeAddress, type NodeKey, type NodeState, type NodeStatus, nodeKey } from './node.ts';
import {
  type Branch,
  branchKey,
  type ChildRun,
  type Ending,
  type Fan,
  initialState,
  type OpenStatus,
  type Reply,
  type RunHeader,
  type RunState,
  type RunStatus,
} from './run.ts';

/** What made it happen; shown on `/events`. */
export type Cause =
  | { readonly kind: 'started' | 'parked' | 'woken' | 'ending' | 'finished' }
  | { readonly kind: 'arrival'; readonly of: Arrival['kind'] }
  | { readonly kind: 'control'; readonly requestId: string }
  | { readonly kind: 'edge'; readonly from: Ref };

/** One step of state. `replay` folds these and nothing else. */
export type Change = { readonly cause: Cause } & (
  | {
      readonly type: 'run';
      readonly from: RunStatus;
      readonly to: OpenStatus;
      readonly ending: Ending | null;
      readonly deadlineAt: Instant | null;
    }
  | { readonly type: 'ended'; readonly from: RunStatus; readonly ending: Ending }
  | { readonly type: 'node'; readonly from: NodeStatus | null; readonly node: NodeState }
  | { readonly type: 'context' | 'attributes' | 'fields'; readonly set: JsonObject }
  | { readonly type: 'reply'; readonly reply: Reply }
  /** `null`: its end has come. */
  | { readonly type: 'child'; readonly runId: RunId; readonly child: ChildRun | null }
  | { readonly type: 'fan'; readonly owner: NodeAddress; readonly fan: Fan }
  /** `null`: it is over, and its nodes, the `dropped`, are forgotten. */
  | {
      readonly type: 'branch';
      readonly owner: NodeAddress;
      readonly index: number;
      readonly branch: Branch | null;
      readonly dropped: readonly NodeKey[];
    }
  | { readonly type: 'control'; readonly control: Control; readonly outcome: ControlOutcome }
);

/** All that one committed tick changed; key (run, version). */
export interface Transition {
  readonly runId: RunId;
  /** The version that it made. */
  readonly version: number;
  readonly at: Instant;
  readonly changes: readonly Change[];
}

/** The one fold: ticks, replay, reset and time travel share it. Advances `state` in place. */
export function apply(state: RunState, transition: Transition): void {
  for (const change of transition.changes) applyChange(state, change, transition.at);
  state.version = transition.version;
  state.tickedAt = transition.at;
  state.unkept += transition.changes.length;
}

function applyChange(state: RunState, change: Change, at: Instant): void {
  switch (change.type) {
    case 'node': {
      const key = nodeKey(change.node.at);
      if (isEnded(change.node)) {
        state.open.delete(key);
        state.ended.set(key, change.node);
      } else {
        state.ended.delete(key);
        state.open.set(key, change.node);
      }
      return;
    }
    case 'run':
      state.status = change.to;
      state.ending = change.ending;
      state.deadlineAt = change.deadlineAt;
      if (change.to === 'running' || change.to === 'waiting') state.startedAt ??= at;
      state.endedAt = null;
      return;
    case 'ended':
      state.status = change.ending.status;
      state.ending = change.ending;
      state.startedAt ??= at;
      state.endedAt = at;
      state.ends += 1;
      return;
    case 'context':
    case 'attributes':
    case 'fields':
      state[change.type] = { ...state[change.type], ...change.set };
      return;
    case 'reply':
      state.replies = [...state.replies, change.reply];
      return;
    case 'child':
      if (change.child) state.children.set(change.runId, change.child);
      else state.children.delete(change.runId);
      return;
    case 'fan':
      state.fans.set(nodeKey(change.owner), change.fan);
      return;
    case 'branch': {
      const key = branchKey(change.owner, change.index);
      if (change.branch) state.branches.set(key, change.branch);
      else state.branches.delete(key);
      for (const node of change.dropped) {
        state.ended.delete(node);
        state.fans.delete(node);
      }
      return;
    }
    case 'control':
      return;
  }
}

/** The state after all of `transitions`, which start at version 1 and have no gap. */
export function replay(header: RunHeader, transitions: Iterable<Transition>): RunState {
  const state = initialState(header);
  for (const transition of transitions) apply(state, transition);
  return state;
}
