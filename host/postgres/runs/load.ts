import {
  type Change,
  type Json,
  type NodeState,
  type RunHeader,
  type RunState,
  replay,
  type Task,
  type Transition,
} from '@ductor/core';
import type pg from 'pg';
import { groupBy } from './group-by.ts';

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

interface AttemptRow {
  readonly run_id: string;
  readonly id: string;
  readonly input: Json;
  readonly output: Json;
  readonly task: Omit<Task, 'args'>;
}

/** What a transition's row says of a node: without what its attempt's row or a payload says. */
type StoredChange = Change & { node?: NodeState & { outputIn?: string; output?: Json } };

/** Everything is found by its run: primary keys that start with run_id. */
const HEADERS = `select r.id, chain_id, tenant_id, definition_id, kind, input, output, lineage, created_at, start_at, priority, traceparent
  from unnest($1::uuid[]) q (id) join eec_workflow_run r on r.id = q.id`;
const TRANSITIONS = `select run_id, version, at, changes from eec_workflow_transition
  where run_id = any($1::uuid[]) and version <= $2 order by run_id, version`;
const ATTEMPTS = 'select run_id, id, input, output, task from eec_workflow_step_attempt where run_id = any($1::uuid[])';
const PAYLOADS = 'select id, value from eec_payload where run_id = any($1::uuid[])';

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
  const read = async <Row extends pg.QueryResultRow>(name: string, text: string, ...more: unknown[]) =>
    (await hot.query<Row>({ name, text, values: [runIds, ...more] })).rows;
  // First what happened, then the rows that it refers to: these are there by then, whatever is committed meanwhile.
  type TransitionRow = { run_id: string; version: number; at: string; changes: StoredChange[] };
  const transitions = await read<TransitionRow>('load_transitions', TRANSITIONS, upTo);
  const [headers, attempts, payloads] = await Promise.all([
    read<HeaderRow>('load_headers', HEADERS),
    read<AttemptRow>('load_attempts', ATTEMPTS),
    references ? [] : read<{ id: string; value: Json }>('load_payloads', PAYLOADS),
  ]);
  const values = new Map(payloads.map(({ id, value }) => [id, value]));
  const attemptsById = new Map(attempts.map((row) => [row.id, row]));
  const byRun = groupBy(transitions, ({ run_id }) => run_id);
  const runs = new Map(headers.map((row) => [row.id, row]));
  return runIds.map((id) => {
    const row = runs.get(id);
    if (!row) return null;
    const restored = (byRun.get(id) ?? []).map(
      ({ version, at, changes }): Transition => ({
        runId: id,
        version,
        at,
        changes: changes.map((change) => restore(change, { row, attempts: attemptsById, values })),
      }),
    );
    return replay(headerOf(row), restored);
  });
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

interface Kept {
  readonly row: HeaderRow;
  readonly attempts: ReadonlyMap<string, AttemptRow>;
  readonly values: ReadonlyMap<string, Json>;
}

/** Puts back what the transition does not repeat; see `commit/encode.ts`. */
function restore(change: StoredChange, { row, attempts, values }: Kept): Change {
  if (change.type === 'ended') {
    return change.ending.status === 'completed'
      ? { ...change, ending: { status: 'completed', output: dereference(row.output, values) } }
      : change;
  }
  if (change.type !== 'node') return change;
  const { node } = change;
  if (node.status === 'completed') {
    if (node.outputIn === 'transition') return change;
    const output = node.outputIn === 'attempt' ? (attempts.get(node.attempt?.id ?? '')?.output ?? null) : node.output;
    const outputIn = node.outputIn === 'attempt' ? 'attempt' : 'transition';
    return { ...change, node: { ...node, outputIn, output: dereference(output, values) } };
  }
  if (!('work' in node) || !node.work) return change;
  const attempt = attempts.get(node.work.attempt.id);
  if (!attempt) throw new Error(`Attempt ${node.work.attempt.id} of run ${row.id} has no row.`);
  return { ...change, node: { ...node, work: { ...node.work, task: { ...attempt.task, args: attempt.input } } } };
}

/** A value that was too large for its row. */
function dereference(value: Json, values: ReadonlyMap<string, Json>): Json {
  const reference = value as { $payload?: { id?: unknown } } | null;
  const id = typeof reference === 'object' ? reference?.$payload?.id : undefined;
  return typeof id === 'string' ? (values.get(id) ?? value) : value;
}
