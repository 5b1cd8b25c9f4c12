import { pinOf } from '../definition/actions.ts';
import type { Definition } from '../definition/graph.ts';
import type { Dispatch } from '../ports/action-pool.ts';
import type { RunHeader } from '../run/run.ts';
import type { TickPayload } from './payload.ts';

/** The tasks that follow a commit. */
export const dispatches = ({
  payload,
  header: { traceparent },
  definition,
}: {
  readonly payload: TickPayload;
  readonly header: RunHeader;
  readonly definition: Definition;
}): readonly Dispatch[] =>
  payload.attempts.opened.map(({ id, token, number, ref, branch, task, deadlines }) => ({
    runId: payload.runId,
    tenantId: payload.tenantId,
    ref,
    branch,
    attempt: { id, token, number },
    task,
    deadlines,
    connector: pinOf(definition, task.action),
    traceparent,
  }));
