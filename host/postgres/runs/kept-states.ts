/** States as they are kept whole: what `load.ts` folds the later transitions onto. */
import {
  derivedUuid,
  initialState,
  type Json,
  type NodeState,
  nodeKey,
  type RunHeader,
  type RunState,
} from '@ductor/core';
import type pg from 'pg';
import { nodeWithoutRepeats } from '../commit/columns.ts';
import { INLINE_BYTES } from '../commit/rows/payloads.ts';

/** What the row says; the rest of it stands where transitions refer to as well. */
type KeptState = Omit<
  RunState,
  'header' | 'version' | 'unkept' | 'open' | 'ended' | 'children' | 'fans' | 'branches'
> & {
  readonly [Name in 'open' | 'ended' | 'children' | 'fans' | 'branches']: readonly (readonly [string, unknown])[];
};

interface LargeOutput {
  readonly id: string;
  readonly bytes: number;
  readonly text: string;
}

/** Plan: insert by primary key. An older one never replaces a newer. */
const KEEP = `
with large as (
  insert into eec_payload (tenant_id, run_id, id, bytes, value)
  select $1, $2, id, bytes, value from unnest($5::uuid[], $6::int[], $7::json[]) l (id, bytes, value)
  on conflict do nothing)
insert into eec_workflow_kept_state as kept (tenant_id, run_id, version, state) values ($1, $2, $3, $4)
on conflict (run_id) do update set version = excluded.version, state = excluded.state where kept.version < excluded.version`;

export async function keepState(hot: pg.Pool, state: RunState): Promise<void> {
  const { header, version } = state;
  const large: LargeOutput[] = [];
  const text = JSON.stringify(keptOf(state, large));
  const values = [
    ...[header.tenantId, header.id, version, text],
    ...[large.map(({ id }) => id), large.map(({ bytes }) => bytes), large.map((output) => output.text)],
  ];
  await hot.query({ name: 'keep_state', text: KEEP, values });
}

function keptOf(state: RunState, large: LargeOutput[]): KeptState {
  const { header, version: _, unkept: __, open, ended, children, fans, branches, ending, ...rest } = state;
  const nodes = (map: ReadonlyMap<string, NodeState>) =>
    [...map].map(([key, node]) => [key, storedNode(header, node, large)] as const);
  return {
    ...rest,
    // What a run has completed with stands in its own row.
    ending: state.status === 'completed' ? { status: 'completed', output: null } : ending,
    ...{ open: nodes(open), ended: nodes(ended) },
    ...{ children: [...children], fans: [...fans], branches: [...branches] },
  };
}

function storedNode({ id: runId }: RunHeader, node: NodeState, large: LargeOutput[]): unknown {
  if (node.status !== 'completed' || node.outputIn !== 'transition') return nodeWithoutRepeats(node);
  const text = JSON.stringify(node.output);
  const bytes = Buffer.byteLength(text);
  if (bytes <= INLINE_BYTES) return node;
  const id = derivedUuid(node.endedAt, `${runId}/kept/${nodeKey(node.at)}/${node.generation}`);
  large.push({ id, bytes, text });
  return { ...node, output: { $payload: { id, bytes } }, outputIn: 'payload' };
}

/** The state as its row says it: tasks and what refers to other rows are yet to be put in. */
export function stateOfKept(header: RunHeader, version: number, kept: Json): RunState {
  const { open, ended, children, fans, branches, ...rest } = kept as unknown as KeptState;
  const state = initialState(header);
  Object.assign(state, rest, { version });
  const fill = (map: Map<string, unknown>, entries: readonly (readonly [string, unknown])[]) => {
    for (const [key, value] of entries) map.set(key, value);
  };
  for (const [map, entries] of [
    [state.open, open],
    [state.ended, ended],
    [state.children, children],
    [state.fans, fans],
    [state.branches, branches],
  ] as const)
    fill(map, entries);
  return state;
}
