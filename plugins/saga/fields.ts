import {
  defineField,
  type FromSchema,
  isStepRef,
  knowing,
  type Problem,
  retrySchema,
  STEP_REF_RULE,
  type Step,
  template,
  timeoutSchema,
} from '@ductor/core';

const action = { type: 'string', format: 'action' } as const;
const credential = { type: 'string', format: 'credential' } as const;

/** What undoes an execution of a step, at which ends of its run, and what follows if that fails. */
export const compensation = defineField({
  of: 'step',
  name: 'compensation',
  schema: {
    type: 'object',
    required: ['action'],
    properties: {
      action,
      args: template({}, 'output'),
      credential,
      on: {
        type: 'array',
        minItems: 1,
        uniqueItems: true,
        items: { enum: ['failed', 'cancelled'] },
        default: ['failed', 'cancelled'],
      },
      retry: retrySchema,
      failure_policy: { enum: ['manual_repair', 'fail_compensation', 'ignore_with_audit'], default: 'manual_repair' },
    },
  },
});

export type Compensation = FromSchema<typeof compensation.schema>;
export type FailurePolicy = Compensation['failure_policy'];

/** How the run has ended, as far as it is known before. */
const outcome = {
  type: 'object',
  additionalProperties: false,
  properties: { status: { type: 'string' }, output: {}, error: {} },
} as const;

/** Actions that run after every end of a run, one after the other. */
export const finalizers = defineField({
  of: 'graph',
  name: 'finally',
  schema: {
    type: 'array',
    items: {
      type: 'object',
      required: ['ref', 'type', 'action'],
      properties: {
        ref: { type: 'string' },
        type: { enum: ['STEP_TYPE_ACTION', 'ACTION'] },
        title: { type: 'string' },
        action,
        args: knowing(template({}, 'outcome'), { outcome }),
        credential,
        timeout: timeoutSchema,
        retry: retrySchema,
        on_unknown: { enum: ['retry', 'park'] },
      },
    },
  },
  check: (all, graph) =>
    refProblems(
      all.map(({ ref }) => ref),
      graph?.steps ?? [],
    ),
});

/** At which endings of the run something would have to be undone: written as executions complete. */
export const owes = defineField({
  of: 'run',
  name: 'owes',
  schema: { type: 'array', items: { enum: ['failed', 'cancelled'] } },
});

/** Of a branch that is a run: that whose end decides what of it is undone. Its own end does not. */
export const undoneWith = defineField({
  of: 'run',
  name: 'undone_with',
  schema: {
    type: 'object',
    required: ['run_id', 'chain_id'],
    properties: { run_id: { type: 'string' }, chain_id: { type: 'string' } },
  },
});

function refProblems(refs: readonly string[], steps: readonly Step[]): readonly Problem[] {
  const seen = new Set(steps.map(({ ref }) => ref));
  return refs.flatMap((ref, index) => {
    const path = `[${index}].ref`;
    if (seen.has(ref)) return [{ path, code: 'duplicate_ref', message: `There is another step '${ref}'.` }];
    seen.add(ref);
    return isStepRef(ref) ? [] : [{ path, code: 'invalid_ref', message: STEP_REF_RULE }];
  });
}
