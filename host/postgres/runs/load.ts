import {
  apply,
  type Change,
  type CompletedNode,
  initialState,
  type Json,
  type NodeState,
  type RunHeader,
  type RunState,
  type Task,
} from '@ductor/core';
import type pg from 'pg';
import { groupBy } from './group-by.ts';
import { stateOfKept } from './kept-states.ts';

/** Columns of a run's header, as they are stored. */
interface HeaderRow {
  readonly id: string;
  readonly chain_id: string;
  readonly tenant_id: string;
  readonly definition_id: string;
  readonly kind: string;
  readonly input: Json;
  readonly output: Json;
  readonly lineage: RunHeader['lineage'];
  readonly created_at: string;
  readonly start_at: string | null;
  readonly priority: RunHeader['priority'];
  readonly traceparent: string | null;
}

interface HistoryRow {
  readonly run_id: string;
  readonly version: number;
  /** `null`: the state as it was kept at this version. */
  readonly at: string | null;
  readonly content: Json;
}

interface AttemptRow {
  readonly id: string;
  readonly input: Json;
  readonly output: Json;
  readonly task: Omit<Task, 'args'>;
}

/** A row that a state refers to. */
interface Reference {
  readonly runId: string;
  readonly id: string;
}

/**
 * Everything is found by its run: primary keys that start with run_id. Of a run that was kept only what came after is
 * read, and of attempts and payloads only what the state still refers to.
 */
const HEADERS = `select r.id, chain_id, tenant_id, definition_id, kind, input, output, lineage, created_at, start_at, priority, traceparent
  from unnest($1::uuid[]) q (id) join eec_workflow_run r on r.id = q.id`;
const HISTORY = `
select k.run_id, k.version, null::timestamptz as at, k.state as content
from unnest($1::uuid[]) q (id) join eec_workflow_kept_state k on k.run_id = q.id and k.version <= $2
union all
select t.run_id, t.version, t.at, t.changes
from unnest($1::uuid[]) q (id)
cross join lateral (
  select coalesce(max(k.version), 0) as version from eec_workflow_kept_state k where k.run_id = q.id and k.version <= $2) kept
join eec_workflow_transition t on t.run_id = q.id and t.version > kept.version and t.version <= $2`;
const ATTEMPTS = `select a.id, input, output, task
  from unnest($1::uuid[], $2::uuid[]) q (run_id, id) join eec_workflow_step_attempt a on a.run_id = q.run_id and a.id = q.id`;
const PAYLOADS = `select p.id, value
  from unnest($1::uuid[], $2::uuid[]) q (run_id, id) join eec_payload p on p.run_id = q.run_id and p.id = q.id`;

/**
 * The states of runs as their transitions fold to them; `null` for a run that does not exist. `upTo`: the last version to
 * fold. `references`: values that were too large for their rows stay references.
 */
export async function loadStates(
  hot: pg.Pool,
  runIds: readonly string[],
  {
    upTo = Number.MAX_SAFE_INTEGER,
    references = false,
  }: { readonly upTo?: number; readonly references?: boolean } = {},
): Promise<readonly (RunState | null)[]> {
  const read = async <Row extends pg.QueryResultRow>(name: string, text: string, ...values: unknown[]) =>
    (await hot.query<Row>({ name, text, values })).rows;
  const referred = <Row extends pg.QueryResultRow>(name: string, text: string, to: readonly Reference[]) =>
    to.length === 0
      ? []
      : read<Row>(
          name,
          text,
          to.map(({ runId }) => runId),
          to.map(({ id }) => id),
        );

  // First what happened, then the rows that it refers to: these are there by then, whatever is committed meanwhile.
  const history = await read<HistoryRow>('load_history', HISTORY, runIds, upTo);
  const headers = await read<HeaderRow>('load_headers', HEADERS, runIds);
  const byRun = groupBy(history, ({ run_id }) => run_id);
  const rows = new Map(headers.map((row) => [row.id, row]));
  const states = runIds.map((id) => {
    const row = rows.get(id);
    return row ? { state: folded(headerOf(row), byRun.get(id) ?? []), output: row.output } : null;
  });
  const found = states.flatMap((each) => each ?? []);

  const attempts = await referred<AttemptRow>('load_attempts', ATTEMPTS, found.flatMap(attemptsOf));
  const rowsOf: Rows = { attempts: new Map(attempts.map((row) => [row.id, row])), values: new Map() };
  if (!references) {
    const payloads = found.flatMap((each) => payloadsOf(each, rowsOf));
    for (const { id, value } of await referred<{ id: string; value: Json }>('load_payloads', PAYLOADS, payloads)) {
      rowsOf.values.set(id, value);
    }
  }
  for (const each of found) complete(each, rowsOf);
  return states.map((each) => each?.state ?? null);
}

const headerOf = (row: HeaderRow): RunHeader => ({
  id: row.id,
  chainId: row.chain_id,
  tenantId: row.tenant_id,
  definitionId: row.definition_id,
  kind: row.kind,
  input: row.input,
  lineage: row.lineage,
  createdAt: row.created_at,
  startAt: row.start_at,
  priority: row.priority,
  traceparent: row.traceparent,
});

/** A state whose nodes are as transitions say them; see `commit/columns.ts` for what these leave out. */
interface Folded {
  readonly state: RunState;
  /** The run's own column. */
  readonly output: Json;
}

interface Rows {
  readonly attempts: ReadonlyMap<string, AttemptRow>;
  readonly values: Map<string, Json>;
}

function folded(header: RunHeader, history: readonly HistoryRow[]): RunState {
  const [first, ...later] = [...history].sort((a, b) => a.version - b.version);
  const isKept = first?.at === null;
  const state = isKept ? stateOfKept(header, first.version, first.content) : initialState(header);
  const transitions = isKept || !first ? later : [first, ...later];
  for (const { version, at, content } of transitions) {
    apply(state, { runId: header.id, version, at: at ?? '', changes: content as unknown as readonly Change[] });
  }
  return state;
}

/** As it is stored: `payload` stands for a transition's output that was too large for it. */
type StoredOutput = Pick<CompletedNode, 'attempt' | 'output'> & {
  readonly outputIn: CompletedNode['outputIn'] | 'payload';
};

const nodesOf = ({ open, ended }: RunState): readonly NodeState[] => [...open.values(), ...ended.values()];

const attemptOf = (node: NodeState): string | undefined => {
  if (node.status === 'completed') return node.outputIn === 'attempt' ? node.attempt?.id : undefined;
  return 'work' in node ? node.work?.attempt.id : undefined;
};

const attemptsOf = ({ state }: Folded): readonly Reference[] =>
  nodesOf(state).flatMap((node) => {
    const id = attemptOf(node);
    return id === undefined ? [] : [{ runId: state.header.id, id }];
  });

function storedOutput({ attempt, output, outputIn }: StoredOutput, { attempts }: Rows): Json {
  return outputIn === 'attempt' ? (attempts.get(attempt?.id ?? '')?.output ?? null) : output;
}

function payloadsOf({ state, output }: Folded, rows: Rows): readonly Reference[] {
  const outputs = nodesOf(state).flatMap((node) =>
    node.status === 'completed' && !isWritten(node) ? [storedOutput(node, rows)] : [],
  );
  return [...outputs, output].flatMap((value) => {
    const id = referenceOf(value);
    return id === null ? [] : [{ runId: state.header.id, id }];
  });
}

/** Whether its output stands in its transition, whatever it looks like. */
const isWritten = ({ outputIn }: StoredOutput): boolean => outputIn === 'transition';

/** Puts back what transitions do not repeat. */
function complete({ state, output }: Folded, rows: Rows): void {
  if (state.status === 'completed' && state.ending?.status === 'completed') {
    state.ending = { status: 'completed', output: dereferenced(output, rows) };
  }
  for (const [key, node] of state.ended) {
    if (node.status !== 'completed' || isWritten(node)) continue;
    const outputIn = node.outputIn === 'attempt' ? 'attempt' : 'transition';
    state.ended.set(key, { ...node, outputIn, output: dereferenced(storedOutput(node, rows), rows) });
  }
  for (const [key, node] of state.open) {
    if (!('work' in node) || !node.work) continue;
    const attempt = rows.attempts.get(node.work.attempt.id);
    if (!attempt) throw new Error(`Attempt ${node.work.attempt.id} of run ${state.header.id} has no row.`);
    state.open.set(key, { ...node, work: { ...node.work, task: { ...attempt.task, args: attempt.input } } });
  }
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The id of a value that was too large for its row. */
function referenceOf(value: Json): string | null {
  const reference = value as { $payload?: { id?: unknown } } | null;
  const id = typeof reference === 'object' ? reference?.$payload?.id : undefined;
  return typeof id === 'string' && UUID.test(id) ? id : null;
}

const dereferenced = (value: Json, { values }: Rows): Json => values.get(referenceOf(value) ?? '') ?? value;
