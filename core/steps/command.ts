import type { Graph } from '../definition/graph.ts';
import type { ChainId, Instant, Json, JsonObject, Ref, Slug } from '../json.ts';
import type { Message } from '../run/arrival.ts';
import type { NodeAddress } from '../run/node.ts';
import type { Ending, ParentClose, Reply, Report } from '../run/run.ts';

/** A row for a plugin's table. `expect`: the row as it was read; if that has moved, the run does not. */
export interface Write {
  readonly table: string;
  readonly row: Json;
  readonly expect?: Json;
}

/** A published version, by its address. */
export interface ListedWorkflow {
  readonly slug: Slug;
  readonly version: number | 'latest';
}

/** A graph that was never published: it runs on the connectors, and with the slug, of the definition that it comes from. */
export interface UnlistedWorkflow {
  readonly graph: Graph;
  /** Default: none. */
  readonly settings?: JsonObject;
}

/** A run to be inserted `pending` by the commit of the tick that asks for it. */
export interface RunSeed {
  readonly kind: string;
  readonly workflow: ListedWorkflow | UnlistedWorkflow;
  readonly input: Json;
  /** Not before this instant does it start. */
  readonly startAt?: Instant;
  readonly parentClose: ParentClose;
  readonly report: Report;
}

/** What a pure answer asks of the engine: written by the commit, and what needs the world follows from those rows. */
export type Command =
  /** A step of its region starts, or a run: that one hears of it as its `child`. */
  | { readonly do: 'spawn'; readonly child: { readonly kind: 'node'; readonly ref: Ref } }
  | { readonly do: 'spawn'; readonly child: { readonly kind: 'run'; readonly seed: RunSeed } }
  /** Its region runs once for each, with these variables; it hears of each as its `child`. */
  | { readonly do: 'spawn'; readonly child: { readonly kind: 'branches'; readonly of: readonly JsonObject[] } }
  | { readonly do: 'publish'; readonly eventName: string; readonly correlationKey: string; readonly payload: Json }
  | ({ readonly do: 'reply' } & Reply)
  | { readonly do: 'end'; readonly ending: Ending }
  | { readonly do: 'tell'; readonly chainId: ChainId; readonly at: NodeAddress; readonly message: Message }
  /** Run fields, laid over those that the run has; a plugin's word, not a step's. */
  | { readonly do: 'keep'; readonly fields: JsonObject }
  | ({ readonly do: 'write' } & Write);
