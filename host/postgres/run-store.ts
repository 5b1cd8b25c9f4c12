import type { AnyTable, RunStore } from '@ductor/core';
import type pg from 'pg';
import { Committer } from './commit/commit.ts';
import type { PluginTable } from './commit/shape.ts';
import { loadInputs } from './runs/inputs.ts';
import { keepState } from './runs/kept-states.ts';
import { loadStates } from './runs/load.ts';
import { overdue } from './runs/overdue.ts';
import { writeProgress } from './runs/progress.ts';
import { recordOutcomes } from './runs/record.ts';

/** All that is durable about runs, in PostgreSQL. Each method is one statement, in a file of its own. */
export function postgresRunStore({
  hot,
  hostId,
  tables,
  offset,
  told,
}: {
  readonly hot: pg.Pool;
  readonly hostId: string;
  readonly tables: readonly AnyTable[];
  /** What is added to the database's clock, as an interval: nothing, outside of tests. */
  readonly offset: () => string;
  /** Hears the database's time with each commit. */
  readonly told: (databaseNow: string) => void;
}): RunStore {
  const pluginTables = new Map(
    tables.map(({ name, lock, write }, place): [string, PluginTable] => [
      name,
      { place, lock: lock ?? null, write: write ?? null },
    ]),
  );
  const loadable = new Map(tables.flatMap(({ name, load }) => (load === undefined ? [] : [[name, { name, load }]])));
  const committer = new Committer({ hot, hostId, tables: pluginTables, offset, told });
  return {
    load: (runIds) => loadStates(hot, runIds),
    keep: (state) => keepState(hot, state),
    inputs: (queries) => loadInputs(hot, { hostId, queries, offset: offset(), tables: loadable }),
    commit: (commits) => committer.commit(commits),
    async tickAt(runId, version) {
      const text = 'select tick_id from eec_workflow_transition where run_id = $1 and version = $2';
      const { rows } = await hot.query<{ tick_id: string }>({ name: 'tick_at', text, values: [runId, version] });
      return rows[0]?.tick_id ?? null;
    },
    record: (outcomes) => recordOutcomes(hot, outcomes),
    progress: (beats) => writeProgress(hot, beats, offset()),
    overdue: (horizonMs, limit) => overdue(hot, { horizonMs, limit, offset: offset() }),
  };
}
