/** What happened to each run: its transitions, what came for its nodes, and when they waited. */
import { type Change, type Json, type JsonObject, nodeKey, type RunState, type Transition } from '@ductor/core';
import { loadStates } from '#host/postgres/runs/load.js';
import type { World } from './world.ts';

/** A row of the inbox when it came. `at`: milliseconds, by which the database orders what comes. */
export interface Came {
  readonly seq: number;
  readonly kind: string;
  readonly at: number;
  readonly body: {
    readonly signal?: JsonObject;
    readonly event?: JsonObject;
    readonly end?: { readonly status: string; readonly output: Json };
  };
}

/** A time for which a node was parked. */
export interface Period {
  readonly node: string;
  readonly version: number;
  readonly dueAt: number | null;
  readonly from: number;
  readonly to: number | null;
}

export type NodeChange = Extract<Change, { type: 'node' }>;

export interface Story {
  readonly state: RunState;
  readonly transitions: readonly Transition[];
  readonly came: ReadonlyMap<string, readonly Came[]>;
  readonly periods: readonly Period[];
}

export async function storiesOf(world: World): Promise<readonly Story[]> {
  const rows = await world.query<{ id: string }>('select id from eec_workflow_run order by id');
  const ids = rows.map(({ id }) => id);
  const states = await loadStates(world.host.db.hot, ids);
  const transitions = await world.query<{ run_id: string; version: string; at: Date; changes: readonly Change[] }>(
    'select * from eec_workflow_transition order by run_id, version',
  );
  const log = await world.query<{
    seq: string;
    what: string;
    run_id: string;
    node: string;
    entry: { kind: string; version: number; name: string; body: Came['body'] };
    at: number;
    due: number | null;
  }>(
    `select seq, what, run_id, node, entry,
       coalesce(extract(epoch from (entry ->> 'received_at')::timestamptz) * 1000, 0)::float8 as at,
       (extract(epoch from (entry ->> 'due_at')::timestamptz) * 1000)::float8 as due
     from test_log order by seq`,
  );
  return states.flatMap((state) => {
    if (!state) return [];
    const runId = state.header.id;
    const own = log.filter((row) => row.run_id === runId);
    const came = new Map<string, Came[]>();
    const periods = new Map<string, { -readonly [Key in keyof Period]: Period[Key] }>();
    for (const { seq, what, node, entry, at, due } of own) {
      const key = `${node} ${entry.version}`;
      if (what === 'came') {
        const { kind, body } = entry;
        came.set(node, [...(came.get(node) ?? []), { seq: Number(seq), kind, at, body }]);
      } else if (what === 'opened') {
        const known = periods.get(key);
        periods.set(key, {
          ...{ node, version: entry.version, from: Number(seq), to: null },
          dueAt: due ?? known?.dueAt ?? null,
        });
      } else {
        Object.assign(periods.get(key) ?? {}, { to: Number(seq) });
      }
    }
    return [
      {
        state,
        transitions: transitions
          .filter((row) => row.run_id === runId)
          .map(({ version, at, changes }) => ({ runId, version: Number(version), at: at.toISOString(), changes })),
        came,
        periods: [...periods.values()],
      },
    ];
  });
}

export const nodeChanges = ({ transitions }: Story): readonly (NodeChange & { version: number })[] =>
  transitions.flatMap(({ version, changes }) =>
    changes.flatMap((change) => (change.type === 'node' ? [{ ...change, version }] : [])),
  );

/** The run's history in short, for whoever has to find out. */
export function told(story: Story): string {
  const { state, transitions, came } = story;
  const lines = transitions.map(({ version, at, changes }) => {
    const words = changes.map((change) => {
      if (change.type === 'node')
        return `${nodeKey(change.node.at)}#${change.node.generation}:${change.node.status}(${change.cause.kind})`;
      if (change.type === 'run') return `run:${change.to}`;
      if (change.type === 'ended') return `ended:${change.ending.status}`;
      if (change.type === 'control') return `${change.control.control}:${change.outcome.outcome}`;
      return change.type;
    });
    return `  ${version} ${at} ${words.join(' ')}`;
  });
  const inputs = [...came].flatMap(([node, each]) =>
    each.map(
      ({ seq, at, kind, body }) =>
        `  came ${seq} ${new Date(at).toISOString()} ${kind} ${node} ${JSON.stringify(body)}`,
    ),
  );
  const waits = story.periods.map(
    ({ node, version, dueAt, from, to }) =>
      `  wait ${node} v${version} due ${dueAt && new Date(dueAt).toISOString()} ${from}–${to}`,
  );
  return [`  run ${state.header.id} ${state.status}`, ...lines, ...inputs, ...waits].join('\n');
}
