import type { Json } from '../json.ts';
import type { Signal } from '../run/arrival.ts';
import { defineStep } from './step-type.ts';

/** One word of one approver. */
type Vote = { readonly approver_id: string; readonly comment: string | null; readonly payload: Json };

type Votes = {
  readonly need: number;
  readonly approvers: readonly string[] | null;
  readonly approvals: readonly Vote[];
};

/** Distinct approvers count; the first reject decides. `form` is a JSON Schema that each payload has to fit. */
export const approvalStep = defineStep({
  type: 'STEP_TYPE_APPROVAL',
  schema: {
    type: 'object',
    properties: {
      approvers: { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1, uniqueItems: true },
      min_approvals: { type: 'integer', minimum: 1, maximum: 100, default: 1 },
      form: { type: 'object' },
    },
  },
  outcomes: ['APPROVED', 'REJECTED'],
  check({ approvers, min_approvals: need }) {
    const most = Array.isArray(approvers) ? approvers.length : null;
    if (most === null || typeof need !== 'number' || need <= most) return [];
    const message = `${need} approvals can never come from ${most} approvers.`;
    return [{ path: 'min_approvals', code: 'out_of_range', message }];
  },
  start: ({ config: { approvers = null, min_approvals: need } }) => ({
    to: 'waiting',
    wait: { kind: 'signal' },
    memo: { need, approvers, approvals: [] } as Votes,
  }),
  on: {
    signal({ memo }, signal) {
      const { need, approvers, approvals } = memo;
      if (signal.verb === 'resolve') return { to: 'completed', outcome: 'APPROVED', output: signal.payload };
      const vote = voteOf(signal);
      if (approvers !== null && !approvers.includes(vote.approver_id)) return null;
      if (signal.verb === 'reject') {
        const output = { decision: 'rejected', ...vote, approvals };
        return { to: 'completed', outcome: 'REJECTED', output, unrouted: 'rejected' };
      }
      if (approvals.some(({ approver_id }) => approver_id === vote.approver_id)) return null;
      const all = [...approvals, vote];
      return all.length < need
        ? { to: 'same', memo: { need, approvers, approvals: all } }
        : { to: 'completed', outcome: 'APPROVED', output: { decision: 'approved', approvals: all } };
    },
  },
  why: (_wait, { need, approvals }) => ({ code: 'waiting_for_approval', have: approvals.length, need }),
});

/** A caller who names no approver speaks for himself. */
const voteOf = ({ approverId, actor, comment, payload }: Signal): Vote => ({
  approver_id: approverId ?? actor,
  comment: comment ?? null,
  payload,
});
