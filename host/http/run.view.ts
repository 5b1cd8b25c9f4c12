/** Runs, events and attempts as the API shows them. */
import type { Cause, Json, JsonObject, Lineage, NodeAddress, Reason, RunEvent, RunWhy } from '@ductor/core';
import { isFinal, isObject } from '@ductor/core';
import type { AttemptRow } from '../postgres/reads/attempts.ts';
import type { RunRow, WholeRunRow } from '../postgres/reads/run-rows.ts';

/** The slug as programs write it. */
export const workflowType = (slug: string | null): string | null => slug?.replaceAll('-', '_') ?? null;

/** A run in a list: no input, output, error or context. */
export const showRun = (row: RunRow) => ({
  run_id: row.id,
  definition_id: row.definition_id,
  family_slug: row.family_slug,
  workflow_type: workflowType(row.family_slug),
  version: row.version,
  kind: row.kind,
  status: row.status,
  ending: isFinal(row.status) ? null : row.ending && { status: row.ending.status },
  ...(row.status === 'merged' && { merged_into_run_id: row.ending?.into }),
  current_step: row.current_step,
  record_version: row.db_record_version,
  attributes: row.attributes,
  lineage: showLineage(row.lineage),
  subject_type: row.subject_type,
  subject_id: row.subject_id,
  external_deployment_id: row.external_deployment_id,
  priority: row.priority,
  start_at: row.start_at,
  created_at: row.created_at,
  started_at: row.started_at,
  ended_at: row.ended_at,
});

export const showWholeRun = (row: WholeRunRow) => ({
  ...showRun(row),
  input: row.input,
  output: row.output,
  error: row.error,
  run_context: row.run_context,
  ...row.fields,
});

export const showLineage = ({ rootRunId, parent, continuedFrom, resetFrom, depth, journeyId }: Lineage) => ({
  root_run_id: rootRunId,
  parent_run_id: parent?.runId ?? null,
  continued_from_run_id: continuedFrom,
  reset_from_run_id: resetFrom,
  nesting_depth: depth,
  journey_id: journeyId,
});

const showNode = ({ ref, branch }: NodeAddress) => ({ step_ref: ref, branch });

export function showEvent(event: RunEvent): JsonObject {
  const { seq, index, at, cause } = event;
  const head = { seq, index, at, type: event.type };
  const tail = { cause: showCause(cause) };
  switch (event.type) {
    case 'run': {
      const { from, to, error } = event;
      return { ...head, from, to, ...(error && { error: { ...error } }), ...tail };
    }
    case 'node': {
      const { node, generation, from, to, error } = event;
      return { ...head, ...showNode(node), from, to, generation, ...(error && { error: { ...error } }), ...tail };
    }
    case 'attempt': {
      const { node, generation, from, to, attemptId, attempt } = event;
      return { ...head, ...showNode(node), from, to, generation, attempt, attempt_id: attemptId, ...tail };
    }
    case 'signal': {
      const { node, generation, from, to } = event;
      return { ...head, ...showNode(node), from, to, generation, ...tail };
    }
    case 'wait': {
      const { node, generation, from, to } = event;
      const opened = to === 'open' ? { wait: event.kind, due_at: event.dueAt } : {};
      return { ...head, ...showNode(node), from, to, generation, ...opened, ...tail };
    }
    case 'control': {
      const { from, to, control, requestId, actor } = event;
      return { ...head, from, to, control, request_id: requestId, actor, ...tail };
    }
  }
}

function showCause(cause: Cause): JsonObject {
  switch (cause.kind) {
    case 'control':
      return { kind: cause.kind, request_id: cause.requestId };
    default:
      return { ...cause };
  }
}

export const showReason = (reason: Reason): JsonObject => ({ ...reason });

export const showWhy = ({ at, reason, since, nextWakeAt }: RunWhy): JsonObject => ({
  step_ref: at?.ref ?? null,
  branch: at?.branch ?? [],
  ...showReason(reason),
  since,
  next_wake_at: nextWakeAt,
});

export const showAttempt = ({ id, host_id, ...row }: AttemptRow) => ({
  attempt_id: id,
  step_ref: row.step_ref,
  branch: row.branch,
  generation: row.generation,
  attempt: row.attempt,
  status: row.status,
  superseded: row.superseded,
  finished_anyway: row.finished_anyway,
  outcome_unknown: row.outcome_unknown,
  action: row.action,
  host: host_id,
  tier: row.tier,
  input: row.input,
  output: row.output,
  error: showAttemptError(row.error),
  heartbeat: row.heartbeat,
  heartbeat_at: row.heartbeat_at,
  scheduled_at: row.scheduled_at,
  started_at: row.started_at,
  ended_at: row.ended_at,
});

/** An action's failure, or the deadline that was passed: its row has no more than that. */
function showAttemptError(error: Json): Json {
  if (!isObject(error)) return error;
  if (typeof error.deadline === 'string') {
    const deadline = deadlineName(error.deadline);
    return { code: 'timeout', message: `The attempt passed its ${deadline} deadline.`, deadline };
  }
  const { retryAfterMs, ...rest } = error;
  return { ...rest, ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }) };
}

/** `startToCloseMs` as definitions write it: `start_to_close`. */
const deadlineName = (key: string): string =>
  key.replace(/Ms$/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
