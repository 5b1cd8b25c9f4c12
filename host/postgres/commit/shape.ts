import type { Columns } from '../binary-arrays.ts';

/** A plugin's table as far as the commit is concerned; `place` tells its relations apart. */
export interface PluginTable {
  readonly place: number;
  readonly lock: string | null;
  readonly write: string | null;
}

/** Which relations have rows: the statement is made of the parts that these need. */
export interface Shape {
  readonly starts: boolean;
  readonly children: boolean;
  readonly ticks: boolean;
  readonly folds: boolean;
  readonly attempts: boolean;
  readonly branches: boolean;
  readonly branchEnds: boolean;
  readonly payloads: boolean;
  readonly waitsOpened: boolean;
  readonly waitsClosed: boolean;
  readonly waitsMoved: boolean;
  readonly consumed: boolean;
  readonly told: boolean;
  readonly events: boolean;
  readonly written: readonly PluginTable[];
  readonly expected: readonly PluginTable[];
}

/** Names one of a commit's relations, with its parameters, where a part of the statement reads it: each is read once. */
export type Relation = (name: string, columns: Columns, alias: string) => string;

/** A plugin's statement over the relation of its own table. */
export const named = (text: string, name: string, place: number) =>
  text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `${name}_${place}`);
