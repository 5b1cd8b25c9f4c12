import type { FoldedAttempt, TickPayload } from '@ductor/core';
import { errorText } from '../columns.ts';
import type { CoreRelations } from './core-relations.ts';
import { kept } from './payloads.ts';

/** What attempts came to, and new ones. Answers with how much text it wrote. */
export function pushAttempts(relations: CoreRelations, payload: TickPayload): number {
  const { runId, tenantId, attempts } = payload;
  let bytes = 0;
  for (const folded of attempts.folded) bytes += pushFold(relations, payload, folded);
  for (const attempt of attempts.opened) {
    const { args, ...task } = attempt.task;
    const input = JSON.stringify(args);
    bytes += input.length;
    relations.attempts.push({
      run_id: runId,
      tenant_id: tenantId,
      id: attempt.id,
      token: attempt.token,
      step_ref: attempt.ref,
      branch: `{${attempt.branch.join(',')}}`,
      generation: attempt.generation,
      attempt: attempt.number,
      action: task.action,
      input,
      task: JSON.stringify(task),
      scheduled_at: attempt.scheduledAt,
    });
  }
  return bytes;
}

function pushFold(
  relations: CoreRelations,
  payload: TickPayload,
  { attempt, outcome, report, superseded, finishedAnyway, outcomeUnknown }: FoldedAttempt,
): number {
  const output =
    outcome?.status === 'completed'
      ? kept(relations, payload, { id: attempt.id, value: outcome.output, ofTransition: false })
      : null;
  relations.folds.push({
    run_id: payload.runId,
    id: attempt.id,
    token: attempt.token,
    recorded: outcome === null,
    status: outcome?.status ?? null,
    output,
    error: outcome ? errorText(outcome) : null,
    started_at: report?.startedAt ?? null,
    ended_at: report?.endedAt ?? null,
    tier: report?.tier ?? null,
    superseded,
    finished_anyway: finishedAnyway,
    outcome_unknown: outcomeUnknown,
  });
  return output?.length ?? 0;
}
