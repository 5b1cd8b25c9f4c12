import { type JsonObject, type RunControl, type RunId, type RunStatus, statusesFor } from '@ductor/core';
import { offerControl } from '../postgres/offer-control.ts';
import { countRuns, listChains, type RunListFilter, type RunListQuery } from '../postgres/reads/run-list.ts';
import type { Operation, OperationKind } from './operation-kind.ts';

/** `POST /api/v2/workflow-runs:batch`, as it is kept. */
export type RunControlParams = {
  /** In the words of the list of runs. */
  readonly filter: JsonObject;
  readonly control: RunControl;
  readonly reason: string | null;
};

export const RUN_CONTROL = 'run_control';

const PAGE = 100;

/**
 * Sends a control to every run that matches a filter, newest first, once each. A run's place in the order never changes,
 * and those that came after the operation lie before its beginning: so none is met twice, whatever becomes of it.
 */
export const runControlOperation = ({
  filterOf,
  ids,
  wake,
}: {
  /** Throws `DuctorError` for a filter that does not hold any more. */
  readonly filterOf: (filter: JsonObject) => RunListFilter;
  readonly ids: { uuidv7(): string };
  readonly wake: (runIds: readonly RunId[]) => void;
}): OperationKind => ({
  name: RUN_CONTROL,

  total: (transaction, { params, ...operation }) =>
    countRuns(transaction, matching({ ...operation, params: params as RunControlParams }, filterOf)),

  async step(transaction, operation, cursor) {
    const { id, tenantId, actor } = operation;
    const params = operation.params as RunControlParams;
    const query = matching({ ...operation, params }, filterOf);
    const after = typeof cursor === 'string' ? cursor : query.after;
    const runs = await listChains(transaction, { ...query, after, limit: PAGE });
    for (const { id: runId, chainId } of runs) {
      const body = { control: params.control };
      // The page may have been done before: the same request is no second one.
      const requestId = `operation:${id}:${runId}`;
      const { reason } = params;
      await offerControl(transaction, { id: ids.uuidv7(), tenantId, chainId, runId, requestId, actor, reason, body });
    }
    return {
      cursor: runs.length < PAGE ? null : (runs.at(-1)?.id ?? null),
      done: runs.length,
      failures: [],
      committed: () => wake(runs.map(({ id: runId }) => runId)),
    };
  },
});

function matching(
  { id, tenantId, params }: Pick<Operation, 'id' | 'tenantId'> & { readonly params: RunControlParams },
  filterOf: (filter: JsonObject) => RunListFilter,
): Omit<RunListQuery, 'limit'> {
  return { tenantId, filter: withEffect(params.control, filterOf(params.filter)), order: 'desc', after: id };
}

/** Of the runs that match, those that the control does something to. */
export function withEffect(control: RunControl, filter: RunListFilter): RunListFilter {
  const statuses: readonly RunStatus[] = statusesFor(control);
  return { ...filter, statuses: statuses.filter((status) => filter.statuses?.includes(status) ?? true) };
}
