import {
  branchedOf,
  branchPlace,
  type Definition,
  DuctorError,
  isEnded,
  isFinal,
  isObject,
  type Json,
  type JsonObject,
  type NodeAddress,
  nodeKey,
  nodeOf,
  type Prepared,
  type Ref,
  type RunState,
  type SchemaValidator,
  type Signal,
  type Step,
} from '@ductor/core';
import type { ServerRoute } from '@hapi/hapi';
import Joi from '@hapi/joi';
import { findSignal, keepSignal, lockRun, type OfferedSignal, pendingSignals } from '../postgres/signals.ts';
import { refusalFor } from './errors.ts';
import { acceptedAnswer } from './offer.ts';
import { CONTROL, definitionOf, type RunRoutesDeps, requestId, runOf, runParams, stateOf } from './run-reads.ts';

type Verb = Signal['verb'];

const DESCRIPTIONS: { readonly [Name in Verb]: string } = {
  approve: 'Approve for an APPROVAL step',
  reject: 'Reject for an APPROVAL step',
  resolve: 'End a WAIT on a signal, or as an operator any parked step',
};

const NOTES: { readonly [Name in Verb]: string } = {
  approve: 'Approvals of different approvers count. A `payload` has to fit the step’s `form`, if it has one.',
  reject: 'The first one decides.',
  resolve: '`payload` becomes the step’s output.',
};

const KEPT =
  ' It is kept until the step waits, if it comes early; once the step is over it does nothing, and is accepted.';

interface SignalBody {
  readonly request_id: string;
  readonly approver_id?: string;
  readonly comment?: string;
  readonly payload?: Json;
  readonly branch: readonly number[];
}

const common = {
  request_id: requestId.required().description('The same again is the same signal'),
  payload: Joi.any(),
  branch: Joi.array()
    .items(Joi.number().integer().min(0))
    .max(16)
    .default([])
    .description('The indexes of the branches around the step, outermost first'),
};
const vote = {
  ...common,
  approver_id: Joi.string().min(1).max(256).description('Default: the caller’s key'),
  comment: Joi.string().max(4_096).allow(''),
};
const PAYLOADS: { readonly [Name in Verb]: Joi.Schema } = {
  approve: Joi.object(vote).required().id('Approve'),
  reject: Joi.object(vote).required().id('Reject'),
  resolve: Joi.object({ ...common, comment: vote.comment })
    .required()
    .id('ResolveStep'),
};

const RUN = '0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11';
const EXAMPLES: { readonly [Name in Verb]: JsonObject } = {
  approve: { request_id: 'approve-1', approver_id: 'dana', comment: 'within budget', payload: { limit: 500 } },
  reject: { request_id: 'reject-1', approver_id: 'dana', comment: 'too much' },
  resolve: { request_id: 'resolve-1', payload: { paid: true } },
};

/** Signals that no tick has applied yet, of one run. */
const MOST_PENDING = 1_000;
const PENDING_RETRY_SECONDS = 5;

export interface SignalRoutesDeps extends RunRoutesDeps {
  readonly schemas: SchemaValidator;
}

/** `POST /api/v2/workflow-runs/{run_id}/steps/{step_ref}:approve` and its kin: words from outside to one step. */
export const signalRoutes = (deps: SignalRoutesDeps): readonly ServerRoute[] =>
  (['approve', 'reject', 'resolve'] as const).map((verb) => ({
    method: 'POST',
    path: `/api/v2/workflow-runs/{run_id}/steps/{step_ref}:${verb}`,
    options: {
      id: `${verb}Step`,
      description: DESCRIPTIONS[verb],
      notes: NOTES[verb] + KEPT,
      tags: ['Signals'],
      auth: CONTROL,
      validate: {
        params: Joi.object({ ...runParams, step_ref: Joi.string().max(128).required() }),
        payload: PAYLOADS[verb],
      },
      response: { schema: acceptedAnswer },
      plugins: {
        ductor: {
          examples: [
            {
              summary: DESCRIPTIONS[verb],
              params: { run_id: RUN, step_ref: verb === 'resolve' ? 'paid' : 'agreed' },
              payload: EXAMPLES[verb],
              answer: { status: 'accepted', run_id: RUN },
            },
          ],
        },
      },
    },
    async handler(request) {
      const { caller, runId, head } = await runOf(deps, request);
      const { tenantId, actor } = caller;
      const { request_id, approver_id: approverId, comment, payload = null, branch } = request.payload as SignalBody;
      const ref = String(request.params.step_ref);
      const signal: Signal = {
        ...{ verb, requestId: request_id, actor, payload },
        ...(approverId !== undefined && { approverId }),
        ...(comment !== undefined && { comment }),
      };
      const at = { ref, branch };
      const offered = { id: deps.ids.uuidv7(), tenantId, chainId: head.chainId, runId, at, signal };
      const answer = { status: 'accepted', run_id: runId } as const;
      const known = await findSignal(deps.knex, offered);
      if (known === null) {
        checkAtDoor(stepOf(await definitionOf(deps, head.definitionId), ref), signal, deps.schemas);
        const became = await send(deps, offered, await deps.prepare(head.definitionId));
        if (became === 'kept') deps.wake(runId);
        if (became !== 'known') return answer;
      }
      // Known before, or from another request a moment ago.
      if ((known ?? (await findSignal(deps.knex, offered))) === 'same') return answer;
      throw new DuctorError('already_exists', `request_id ${request_id} was used for something else.`);
    },
  }));

function stepOf({ graph }: Definition, ref: string): Step {
  const step = graph.steps.find((each) => each.ref === ref);
  if (step) return step;
  throw new DuctorError('not_found', `The run has no step ${ref}.`);
}

/** What the step's own words say of it; all of that stands in its definition. */
function checkAtDoor(step: Step, { verb, approverId, actor, payload }: Signal, schemas: SchemaValidator): void {
  if (verb === 'resolve') return;
  if (step.type !== 'STEP_TYPE_APPROVAL') {
    const message = `${step.ref} is no APPROVAL: it takes resolve.`;
    throw new DuctorError('invalid_argument', message, [
      { path: '', code: 'not_allowed', message, allowed: ['resolve'] },
    ]);
  }
  const { approvers, form } = step;
  const approver = approverId ?? actor;
  if (Array.isArray(approvers) && !approvers.includes(approver)) {
    throw new DuctorError('permission_denied', `${approver} is not among the approvers of ${step.ref}.`);
  }
  // Who rejects need not fill in what an approval asks for.
  if (!isObject(form) || (verb === 'reject' && payload === null)) return;
  const problems = schemas.validate({ schema: form, value: payload, path: 'payload' });
  if (problems.length > 0) throw refusalFor(problems, { what: 'payload' });
}

/** Decides on the run as it is, and as it stays until the signal is kept: as short as can be, for ticks wait meanwhile. */
async function send(
  deps: SignalRoutesDeps,
  offered: OfferedSignal,
  prepared: Prepared,
): Promise<'kept' | 'known' | 'over'> {
  const { runId, at } = offered;
  const read = await stateOf(deps, runId);
  return deps.knex.transaction(async (transaction) => {
    const version = await lockRun(transaction, offered);
    const state = version === read.version ? read : await stateOf(deps, runId);
    const node = nodeOf(state, nodeKey(at));
    if (node === undefined ? isNeverReached(state, at, prepared) : isEnded(node)) return 'over';
    if (isFinal(state.status)) {
      throw new DuctorError('failed_precondition', `The run is ${state.status}, and ${at.ref} was not reached.`, {
        status: state.status,
      });
    }
    if ((await pendingSignals(transaction, runId)) >= MOST_PENDING) {
      const message = `${MOST_PENDING} signals of the run are still waiting for their steps.`;
      throw new DuctorError(
        'resource_exhausted',
        message,
        [{ path: '', code: 'pending_signals', message, limit: MOST_PENDING }],
        PENDING_RETRY_SECONDS,
      );
    }
    const isWanted = node?.status === 'waiting' && node.wait.kind !== 'operator';
    return keepSignal(transaction, { ...offered, isWanted });
  });
}

/** Whether its branch is over; throws where there is none of that address. Without its plugins a run cannot say. */
function isNeverReached(state: RunState, { ref, branch }: NodeAddress, prepared: Prepared): boolean {
  if (!prepared.ok) return false;
  const around = prepared.compiled.steps.get(ref)?.around;
  if (!around) {
    const message = `${ref} is a step of the runs that the branches around it are: name one of these.`;
    throw new DuctorError('invalid_argument', message, [{ path: '', code: 'other_run', message }]);
  }
  if (branch.length !== around.length) throw badBranch(ref, around);
  const place = branchPlace(branchedOf(state), around, branch);
  if (place === 'none') {
    throw new DuctorError('not_found', `There is no ${ref} in branch ${branch.join('.')} of the run.`);
  }
  return place === 'over';
}

const badBranch = (ref: Ref, around: readonly Ref[]): DuctorError => {
  const needed = around.length === 1 ? '1 index' : `${around.length} indexes`;
  const message =
    around.length === 0
      ? `${ref} stands in no branch: its branch is [].`
      : `${ref} runs in branches of ${around.join(' and of ')}: its branch has ${needed}.`;
  return new DuctorError('invalid_argument', message, [
    { path: 'branch', code: 'wrong_branch', message, limit: around.length },
  ]);
};
