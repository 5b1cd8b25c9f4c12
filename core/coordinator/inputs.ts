import type { Failure } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { FactsByNode } from '../plugin/table.ts';
import type { Arrival, Control } from '../run/arrival.ts';
import type { NodeKey } from '../run/node.ts';

/** Rows of branches that have not started: in order, the first with this index. */
export interface BranchPage {
  readonly generation: number;
  readonly from: number;
  readonly variables: readonly JsonObject[];
}

/** All the outside that a tick may know. */
export interface TickInputs {
  /** At most one a tick. */
  readonly control: Control | null;
  /** In the database's order. */
  readonly arrivals: readonly Arrival[];
  /** Rows that parked nodes asked for, and (under the empty key) those that the control's hooks asked for. */
  readonly facts: FactsByNode;
  /** The wait rows' counters as read, by node; a commit that closes one must find the same. */
  readonly waits: ReadonlyMap<NodeKey, number>;
  /** By owner. */
  readonly branches: ReadonlyMap<NodeKey, BranchPage>;
  /** Credentials that its definition names and that do not exist. */
  readonly missingCredentials: ReadonlySet<string>;
  /** The engine gives the run up; nothing else is looked at. */
  readonly verdict: Failure | null;
}

export const NO_INPUTS: TickInputs = {
  control: null,
  arrivals: [],
  facts: new Map(),
  waits: new Map(),
  branches: new Map(),
  missingCredentials: new Set(),
  verdict: null,
};
