/** What the REST API answers with, taken from the functions that make it. */
import type { definitionDetail, definitionSummary } from '../http/definition.view.ts';
import type { showRun, showWholeRun } from '../http/run.view.ts';

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_page_token: string | null;
}

export type DefinitionItem = ReturnType<typeof definitionSummary>;
export type DefinitionDetail = Omit<ReturnType<typeof definitionDetail>, 'warnings'> & {
  readonly warnings: readonly Warning[];
};
export type RunItem = ReturnType<typeof showRun>;
export type RunDetail = ReturnType<typeof showWholeRun>;

export interface Warning {
  readonly path: string;
  readonly message: string;
}

export interface Published {
  readonly published: DefinitionDetail;
  readonly draft: DefinitionDetail;
  readonly warnings: readonly Warning[];
}

interface ErrorName {
  readonly code: string;
  readonly message: string;
}

/** An object of `/events` and `/watch`; what it has depends on its type. */
export interface RunEventItem {
  readonly seq: number;
  readonly index: number;
  readonly at: string;
  readonly type: 'run' | 'node' | 'attempt' | 'control' | 'signal' | 'wait';
  readonly step_ref?: string;
  readonly branch?: readonly number[];
  readonly from: string | null;
  readonly to: string;
  readonly generation?: number;
  readonly attempt?: number;
  readonly error?: ErrorName;
  readonly due_at?: string | null;
  readonly control?: string;
  readonly actor?: string;
}

/** A reason of `/why` or of a snapshot's node: its code and the facts that it tells. */
export type ReasonItem = { readonly code: string } & { readonly [fact: string]: unknown };

export type WhyItem = ReasonItem & {
  readonly step_ref: string | null;
  readonly branch: readonly number[];
  readonly since: string;
  readonly next_wake_at: string;
};

export interface WhyAnswer {
  readonly run_id: string;
  readonly status: string;
  readonly reasons: readonly WhyItem[];
}

export interface SnapshotNode {
  readonly type: string | null;
  readonly status: string;
  readonly attempt: number;
  readonly started_at?: string;
  readonly ended_at?: string;
  readonly error?: ErrorName;
  readonly reason?: ReasonItem;
  readonly next_wake_at?: string;
}

export interface Snapshot {
  readonly run_id: string;
  readonly family_slug: string;
  readonly version: number;
  readonly status: string;
  readonly definition_id: string;
  readonly output: unknown;
  readonly error: (ErrorName & { readonly details?: unknown }) | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly nodes: { readonly [key: string]: SnapshotNode };
}

export interface TriggerAnswer {
  readonly run_id: string;
  readonly status: string;
  readonly response_group_output?: unknown;
}
