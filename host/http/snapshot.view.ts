/** A run with its nodes, as it stands or stood. */
import {
  BRANCH_STEP,
  type Definition,
  type Fan,
  fanOf,
  isEnded,
  type JsonObject,
  type NodeState,
  nodeKey,
  type RunState,
  type RunWhy,
} from '@ductor/core';
import type { ControlRow } from '../postgres/reads/controls.ts';
import { showLineage, showReason, workflowType } from './run.view.ts';

export interface Snapshot {
  readonly state: RunState;
  readonly definition: Definition;
  /** Empty for a run of the past: only the present can be explained. */
  readonly reasons: readonly RunWhy[];
  readonly controls: readonly ControlRow[];
}

export function showSnapshot({ state, definition, reasons, controls }: Snapshot): JsonObject {
  const { header, ending } = state;
  const byNode = new Map(reasons.flatMap((why) => (why.at === null ? [] : [[nodeKey(why.at), why] as const])));
  const types = new Map(definition.graph.steps.map(({ ref, type }) => [ref, type]));
  const nodes = [...state.ended, ...state.open].map(([key, node]) => [
    key,
    {
      type: types.get(node.at.ref) ?? BRANCH_STEP,
      ...showNode(node, byNode.get(key)),
      ...showFan(fanOf(state, node), node),
    },
  ]);
  return {
    run_id: header.id,
    definition_id: header.definitionId,
    family_slug: definition.familySlug,
    workflow_type: workflowType(definition.familySlug),
    version: definition.version,
    kind: header.kind,
    status: state.status,
    ending: state.endedAt === null && ending !== null ? { status: ending.status } : null,
    ...(ending?.status === 'merged' && { merged_into_run_id: ending.into }),
    current_step: currentStep(state),
    record_version: state.version,
    input: header.input,
    output: state.endedAt !== null && ending?.status === 'completed' ? ending.output : null,
    error: ending?.status === 'failed' ? { ...ending.error } : null,
    run_context: state.context,
    attributes: state.attributes,
    ...state.fields,
    lineage: showLineage(header.lineage),
    connectors: definition.connectors.map((pin) => ({ ...pin })),
    nodes: Object.fromEntries(nodes),
    controls: controls.map(showControl),
    created_at: header.createdAt,
    started_at: state.startedAt,
    ended_at: state.endedAt,
  };
}

/** What a reader looks for first: the earliest step that still wants something, else the last to have ended. */
function currentStep({ open, ended }: RunState): string | null {
  const started = [...open.values()].find(({ status }) => status !== 'pending');
  return started?.at.ref ?? [...ended.values()].at(-1)?.at.ref ?? null;
}

function showNode(node: NodeState, why: RunWhy | undefined): JsonObject {
  const { status, generation } = node;
  const explained = why === undefined ? {} : { reason: showReason(why.reason), next_wake_at: why.nextWakeAt };
  if (isEnded(node)) return { status, generation, ...showEnded(node) };
  const started = node.status === 'paused' ? node.was : node;
  if (started.status === 'pending') return { status, generation, attempt: 0, ...explained };
  const attempt = 'work' in started ? started.work?.attempt : undefined;
  return {
    status,
    generation,
    attempt: attempt?.number ?? 0,
    ...(attempt && { attempt_id: attempt.id }),
    started_at: started.startedAt,
    ...(started.status === 'backoff' && { error: { code: started.error.code, message: started.error.message } }),
    ...explained,
  };
}

/** Of a step that is over, those that never started are given up too. */
function showFan(fan: Fan | null, node: NodeState): JsonObject {
  if (!fan) return {};
  const { total, started, open: in_flight, completed, failed, cancelled } = fan;
  const left = total - started;
  const waits = node.status === 'waiting';
  const pending = waits ? left : 0;
  return {
    branches: { total, pending, in_flight, completed, failed, cancelled: cancelled + (waits ? 0 : left) },
  };
}

function showEnded(node: Extract<NodeState, { endedAt: string }>): JsonObject {
  return {
    attempt: node.attempt?.number ?? 0,
    ...(node.attempt && { attempt_id: node.attempt.id }),
    started_at: node.startedAt,
    ended_at: node.endedAt,
    ...(node.status === 'completed' && { outcome: node.outcome, output: node.output }),
    ...(node.status === 'failed' && { outcome: node.outcome, error: { ...node.error } }),
    ...(node.unrouted && { unrouted: true }),
  };
}

function showControl({ request_id, control, actor, reason, outcome, at }: ControlRow): JsonObject {
  const why = outcome?.outcome === 'refused' ? { why: outcome.why } : {};
  return { request_id, control, actor, reason, outcome: outcome?.outcome ?? 'accepted', ...why, at };
}
