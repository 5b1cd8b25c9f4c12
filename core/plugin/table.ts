import type { Json } from '../json.ts';
import type { NodeKey } from '../run/node.ts';
import type { Write } from '../steps/command.ts';

/** Rows that were asked for as needs, by table. */
export type Facts = ReadonlyMap<string, readonly Json[]>;

/** The facts of one tick, by the node that asked. */
export type FactsByNode = ReadonlyMap<NodeKey, Facts>;

/**
 * A plugin's rows around a tick: read before it, locked and written by its commit, acted on after it.
 * Every statement is constant text over a relation that the host defines beside it, for a whole batch of runs at once.
 */
export interface TableSpec<Row extends Json> {
  readonly name: string;
  /** Over `needed (run_id uuid, node text, key json)`: selects `run_id, node, row json`. */
  readonly load?: string;
  /**
   * Over `expected (run_id uuid, ord int, row json, expect json)`: selects `run_id, ord` of the rows that are still as
   * read, locked by `for no key update skip locked`; a missing one is its run's conflict.
   */
  readonly lock?: string;
  /**
   * Over `written (tenant_id text, run_id uuid, row json)`, which holds only what may be written: one
   * `insert`, `update` or `delete`. `run_id` is null where the moment is a definition's.
   */
  readonly write?: string;
  /** After the commit, at least once; `recover` selects `row json` of rows whose deed is still due (`$1`: how many). */
  readonly deed?: { perform(rows: readonly Row[], signal: AbortSignal): Promise<void>; readonly recover: string };
  /**
   * Filters of the run list that these rows answer, by query parameter (`label`, given as `label.<key>`): selects `run_id`,
   * over `:tenant_id`, `:value` and, for `name.<key>`, `:key`.
   */
  readonly filters?: { readonly [parameter: string]: string };
}

/** The same, typed to write and to read. */
export interface Table<Row extends Json> extends TableSpec<Row> {
  row(row: Row, expect?: Row): { readonly do: 'write' } & Write;
  of(facts: Facts): readonly Row[];
}

// biome-ignore lint/suspicious/noExplicitAny: lists of differently typed tables, each sealed
export type AnyTable = Table<any>;

export const defineTable = <Row extends Json>(spec: TableSpec<Row>): Table<Row> => ({
  ...spec,
  row: (row, expect) => ({ do: 'write', table: spec.name, row, ...(expect !== undefined && { expect }) }),
  of: (facts) => (facts.get(spec.name) ?? []) as readonly Row[],
});
