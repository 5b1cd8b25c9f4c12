import { cel, folded, template } from '../schema.ts';
import { defineStep } from './step-type.ts';

/** The engine's own action that decides a rule table; see `worker/rule.action.ts`. */
export const RULE_ACTION = 'ductor.rule';

/** A decision table. Its conditions are folded here and decided by a step worker, in order, as far as needed. */
export const ruleStep = defineStep({
  type: 'STEP_TYPE_RULE',
  schema: {
    type: 'object',
    required: ['rules'],
    properties: {
      rules: {
        type: 'array',
        items: {
          type: 'object',
          required: ['when', 'value'],
          properties: { when: folded(cel({ type: 'boolean' })), value: folded(template({})) },
        },
      },
      hit_policy: { enum: ['first', 'collect'], default: 'first' },
    },
  },
  start: ({ config: { rules, hit_policy }, executionKey }) => ({
    to: 'running',
    memo: null,
    task: { action: RULE_ACTION, args: { rules, hit_policy }, idempotencyKey: executionKey, onUnknown: 'retry' },
  }),
});
