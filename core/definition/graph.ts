import type { DefinitionId, Instant, Json, JsonObject, Ref, TenantId } from '../json.ts';
import type { ConnectorPin } from '../ports/action-pool.ts';
import type { RetryPolicy } from '../run/attempt.ts';

/** How a node came out: the type of edge it takes, besides ALWAYS. */
export type Outcome = 'SUCCESS' | 'ERROR' | 'TIMEOUT' | 'TRUE' | 'FALSE' | 'APPROVED' | 'REJECTED' | 'CASE' | 'DEFAULT';

export type EdgeType = Outcome | 'ALWAYS';

export type StepTypeName = `STEP_TYPE_${string}`;

/** A step as its author wrote it; the type's own and the plugins' fields stand beside these two. */
export type Step = JsonObject & { readonly ref: Ref; readonly type: StepTypeName };

/** Known by (from, to, type, case). */
export interface Edge {
  readonly from: Ref;
  readonly to: Ref;
  readonly type: EdgeType;
  /** With `type: CASE`: the value of the SWITCH, as text. */
  readonly case?: string;
  /** Bare CEL; the edge is taken only where it yields true. */
  readonly condition?: string;
}

/**
 * Steps that one step owns: they run only as its children. Without an `exit` each of them is one of its children, beside
 * it; with one they run in branches, any number of times, and the exit starts when the owner completes, and is skipped
 * when that fails.
 */
export interface Region {
  readonly owner: Ref;
  readonly entry: readonly Ref[];
  readonly body: readonly Ref[];
  readonly exit: Ref | null;
  /** What each branch has of its own, by name. */
  readonly variables: readonly string[];
  /** Each branch is a run of its own, of a graph that is cut out of this one. */
  readonly isApart?: boolean;
  /** Where steps of branches within branches find the variables of each owner around them, by its ref. */
  readonly namespace?: string;
}

/** A graph as it is written and stored; plugins' graph fields stand beside `output`. */
export interface Graph {
  readonly steps: readonly Step[];
  readonly edges: readonly Edge[];
  readonly output?: Json;
  /** Of a graph that was cut out of another one. */
  readonly part?: Part;
  readonly [field: string]: unknown;
}

/**
 * The region of one branch as a graph of its own. It begins with its owner, and an edge to the exit, which is none of its
 * steps, ends it. The input of its run is what its expressions read of the place that it was cut out of, by name.
 */
export interface Part {
  readonly owner: Ref;
  readonly exit: Ref;
}

/** What the engine has to know of an action; taken from its manifest when a version is published. */
export interface ActionTraits {
  readonly effect: 'read' | 'write' | 'destructive';
  readonly idempotency: 'natural' | 'key' | 'none';
  readonly timeoutMs?: number;
  readonly heartbeatMs?: number;
  readonly retry?: Partial<RetryPolicy>;
}

/** A published version: immutable. */
export interface Definition {
  readonly id: DefinitionId;
  readonly tenantId: TenantId;
  readonly familySlug: string;
  readonly version: number;
  readonly graph: Graph;
  readonly settings: JsonObject;
  /** The packages that its actions are pinned to. */
  readonly connectors: readonly ConnectorPin[];
  /** By action, as steps name it. */
  readonly actions: { readonly [action: string]: ActionTraits };
  readonly publishedAt: Instant;
}
