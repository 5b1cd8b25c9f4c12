import {
  type Command,
  defineStep,
  ExpressionError,
  type Failure,
  type Instant,
  type Json,
  type Move,
  type Problem,
  type RunView,
  retryOf,
} from '@ductor/core';
import type { FailurePolicy } from './fields.ts';
import { claims, ends, type NextDuty, type NextDutyKey, nextDuty, passedOver, progress } from './tables.ts';
import type { UndoInput } from './undoing.ts';

/** Only one duty at a time, and never an output, lies in the run. */
type Undoing = {
  readonly doing: { readonly execution: string; readonly action: string; readonly policy: FailurePolicy } | null;
  readonly undone: number;
  readonly failed: number;
};

type UndoMove = Move<Undoing>;

/** Steps that the plugin makes itself are no words of authors. */
export const internal = (): readonly Problem[] => [
  { path: 'type', code: 'internal_step_type', message: 'Only runs of kind compensation have this step.' },
];

/** Looks for the last execution that is still to be undone, undoes it, looks again. */
export const undoStep = defineStep({
  type: 'STEP_TYPE_UNDO',
  schema: {
    type: 'object',
    properties: { credentials: { type: 'array', items: { type: 'string', format: 'credential' } } },
  },
  check: internal,
  start: ({ run }): UndoMove => look(run, { doing: null, undone: 0, failed: 0 }),
  on: {
    wake({ facts, evaluate, run, memo, now }): UndoMove {
      const { only } = inputOf(run);
      // The one that was asked for has been tried.
      if (only !== null && memo.undone + memo.failed > 0) return over(memo);
      const [end] = ends.of(facts);
      const duty = end?.claim === 'redrive' && only === null ? undefined : nextDuty(facts);
      if (!duty) return over(memo);
      const doing = { execution: duty.execution, action: duty.action, policy: duty.policy };
      const args = argumentsOf(duty, evaluate);
      const isFirst = end?.claim === null && only === null;
      const claim: readonly Command[] = isFirst ? [claims.row({ ...end, claim: 'undo' }, end)] : [];
      if (!args.ok) return afterFailure({ run, memo: { ...memo, doing }, now }, args.error, claim);
      const { action, credential, execution, retry } = duty;
      return {
        to: 'running',
        memo: { ...memo, doing },
        task: {
          action,
          args: args.value,
          idempotencyKey: `undo/${execution}`,
          ...(credential !== null && { credential }),
          ...(retry && { retry: retryOf(retry) }),
        },
        commands: [
          ...claim,
          written({ execution, state: 'undoing', isAsked: only !== null, error: null, at: now }, true),
        ],
      };
    },
    outcome({ memo, run, now }, outcome): UndoMove | null {
      const { doing } = memo;
      if (!doing) return null;
      if (!outcome.ok) return afterFailure({ run, memo: { ...memo, doing }, now }, outcome.error, []);
      const { execution } = doing;
      const done = written({ execution, state: 'undone', error: null, at: now });
      return { ...look(run, { ...memo, doing: null, undone: memo.undone + 1 }), commands: [done] };
    },
  },
});

const inputOf = (run: RunView): UndoInput => run.input as UndoInput;

function look(run: RunView, memo: Undoing): UndoMove {
  const { run_id, chain_id: chain, number, outcome, only } = inputOf(run);
  const key: NextDutyKey = { chain, ending: outcome.status, only };
  const needs = [
    { table: progress.name, key },
    { table: ends.name, key: { run: run_id, number } },
  ];
  return { to: 'waiting', memo, wait: { kind: 'facts', needs } };
}

const over = ({ undone, failed }: Undoing): UndoMove => ({
  to: 'completed',
  outcome: 'SUCCESS',
  output: { undone, failed },
});

/** `isBegun`: the commit has to find the duty free. */
const written = (row: Parameters<typeof progress.row>[0], isBegun = false): Command =>
  isBegun ? progress.row(row, row) : progress.row(row);

type Evaluated = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly error: Failure };

function argumentsOf(
  { args, output }: NextDuty,
  evaluate: (expression: NonNullable<NextDuty['args']>, variables: { readonly output: Json }) => Json,
): Evaluated {
  try {
    return { ok: true, value: args === null ? {} : evaluate(args, { output }) };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { ok: false, error: { code: 'expression_error', message: error.message, party: 'user' } };
  }
}

interface Failing {
  readonly run: RunView;
  readonly memo: Undoing & { readonly doing: NonNullable<Undoing['doing']> };
  readonly now: Instant;
}

function afterFailure({ run, memo, now: at }: Failing, error: Failure, claim: readonly Command[]): UndoMove {
  const { execution, action, policy } = memo.doing;
  const goesOn = look(run, { ...memo, doing: null, failed: memo.failed + 1 });
  switch (policy) {
    case 'manual_repair':
      return { ...goesOn, commands: [...claim, written({ execution, state: 'repair', error, at })] };
    case 'ignore_with_audit': {
      const commands = [...claim, written({ execution, state: 'ignored', error, at })];
      return { ...goesOn, commands: [...commands, passedOver.row({ execution, action, error })] };
    }
    case 'fail_compensation': {
      const { code, message } = error;
      const details = { execution, action, cause: { code, message } };
      return {
        to: 'failed',
        error: { code: 'compensation_failed', message: `${action} failed: ${message}`, party: 'user', details },
        // It is owed still: a redrive of the compensation goes on with it.
        commands: [...claim, written({ execution, state: 'owed', error, at })],
      };
    }
  }
}
