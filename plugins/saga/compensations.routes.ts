import { callerOf, DuctorError, type Lists, type PageRequest, type Route, type Trigger } from '@ductor/core';
import type { Request } from '@hapi/hapi';
import * as schemas from './compensation.schemas.ts';
import type { CompensationStore, DutyRow } from './store.ts';
import { inputOf, KIND, undoGraph } from './undoing.ts';

export interface CompensationDeps {
  readonly store: CompensationStore;
  readonly lists: Lists;
  readonly trigger: Pick<Trigger, 'followUp'>;
}

const READ = { scope: ['workflow:read'] };
const CONTROL = { scope: ['workflow_run:write'] };
const { EXAMPLES } = schemas;

/** What is to be undone of a run, and what somebody has to see to. */
export function compensationRoutes({ store, lists, trigger }: CompensationDeps): readonly Route[] {
  /** The one that is meant, and who asks; one that is undone or under way takes no word of an operator. */
  const asked = async (request: Request) => {
    const { run_id: runId, id } = request.params as { readonly run_id: string; readonly id: string };
    const { request_id: requestId, reason = null } = request.payload as unknown as AskBody;
    const caller = callerOf(request);
    const duty = await store.find(caller.tenantId, runId, id);
    if (!duty) throw new DuctorError('not_found', 'The run has no such compensation.');
    return { by: { ...caller, id: duty.id, reason }, duty, requestId };
  };

  return [
    {
      method: 'GET',
      path: '/api/v2/workflow-runs/{run_id}/compensations',
      options: {
        id: 'listCompensations',
        description: 'List what of a run has to be undone, in the order in which it was done',
        tags: ['Compensation'],
        auth: READ,
        validate: { params: schemas.runParams, query: schemas.listQuery },
        response: { schema: schemas.pageOf(schemas.compensation, 'CompensationList') },
        plugins: { ductor: { examples: EXAMPLES.list } },
      },
      async handler(request: Request) {
        const { tenantId } = callerOf(request);
        const runId = String(request.params.run_id);
        if (!(await store.hasRun(tenantId, runId))) throw new DuctorError('not_found', 'There is no such run.');
        const page = lists.asked(request, 'asc');
        return lists.page(page, await store.list(tenantId, runId, pageOf(page)), { keyOf, show });
      },
    },
    {
      method: 'GET',
      path: '/api/repair-items',
      options: {
        id: 'listRepairItems',
        description: 'List what somebody has to see to: undos that failed, and outcomes that nobody knows',
        tags: ['Compensation'],
        auth: READ,
        validate: { query: schemas.repairQuery },
        response: { schema: schemas.pageOf(schemas.repairItem, 'RepairItemList') },
        plugins: { ductor: { examples: EXAMPLES.repairs } },
      },
      async handler(request: Request) {
        const page = lists.asked(request, 'asc');
        const { status } = request.query as { readonly status?: string };
        const isOpen = status === undefined ? null : status === 'open';
        const rows = await store.repairs(callerOf(request).tenantId, isOpen, pageOf(page));
        return lists.page(page, rows, { keyOf, show: showItem });
      },
    },
    {
      method: 'POST',
      path: '/api/v2/workflow-runs/{run_id}/compensations/{id}:retry',
      options: {
        id: 'retryCompensation',
        description: 'Undo one execution now',
        notes: 'By a compensation run of its own. One whose outcome nobody knows is undone with `output` null.',
        tags: ['Compensation'],
        auth: CONTROL,
        validate: { params: schemas.oneParams, payload: schemas.askPayload },
        response: { schema: schemas.accepted },
        plugins: { ductor: { examples: EXAMPLES.retry } },
      },
      async handler(request: Request) {
        const { by, duty, requestId } = await asked(request);
        const { tenantId } = by;
        const idempotencyKey = `${duty.id}/${requestId}`;
        const before = await store.runOf(duty, tenantId, idempotencyKey);
        if (before !== null) return { status: 'accepted', compensation_run_id: before };
        requireLeft(duty);
        const { runId, existed } = await trigger.followUp({
          ...{ tenantId, runId: duty.run_id, kind: KIND, idempotencyKey },
          graph: undoGraph(await store.graphOf(duty), { undoes: true, finalizes: false }),
          input: inputOf(
            { id: duty.run_id, chainId: duty.chain_id },
            { number: 0, outcome: { status: 'failed', output: null, error: null }, only: duty.execution },
          ),
        });
        if (!existed) await store.noteRetry(by);
        return { status: 'accepted', compensation_run_id: runId };
      },
    },
    {
      method: 'POST',
      path: '/api/v2/workflow-runs/{run_id}/compensations/{id}:resolve',
      options: {
        id: 'resolveCompensation',
        description: 'Say that nothing is left to undo of an execution',
        tags: ['Compensation'],
        auth: CONTROL,
        validate: { params: schemas.oneParams, payload: schemas.askPayload },
        response: { schema: schemas.compensation },
        plugins: { ductor: { examples: EXAMPLES.resolve } },
      },
      async handler(request: Request) {
        const { by, duty } = await asked(request);
        if (duty.state !== 'resolved' && !(await store.resolve(by))) requireLeft(duty);
        return show((await store.find(by.tenantId, duty.run_id, duty.id)) ?? duty);
      },
    },
  ];
}

interface AskBody {
  readonly request_id: string;
  readonly reason?: string;
}

function requireLeft({ state, is_under_way }: DutyRow): void {
  const isOver = state === 'undone' || state === 'resolved';
  if (!isOver && !is_under_way) return;
  throw new DuctorError('failed_precondition', isOver ? `It is ${state} already.` : 'It is being undone just now.');
}

/** Where the last page ended comes from a token of the same list. */
const pageOf = <Place>({ order, after, size }: PageRequest) => ({
  order,
  after: after as Place | null,
  limit: size + 1,
});

const keyOf = ({ place }: DutyRow) => place;

const show = ({ undo_run_id: compensation_run_id, ...row }: DutyRow) => {
  const { id, run_id, step_ref, branch, generation, action, failure_policy, state, completed_at, error, settled_at } =
    row;
  return {
    ...{ id, run_id, step_ref, branch, generation, action, failure_policy, state },
    ...{ completed_at, compensation_run_id, error, settled_at },
  };
};

const showItem = (row: DutyRow) => ({
  ...show(row),
  status: ['unknown', 'repair', 'undoing'].includes(row.state) ? 'open' : 'resolved',
  opened_at: row.opened_at,
  resolution: row.resolution,
});
