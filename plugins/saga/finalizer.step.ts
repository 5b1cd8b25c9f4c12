import { defineStep } from '@ductor/core';
import { internal } from './undo.step.ts';
import type { UndoInput } from './undoing.ts';

/** An action of `graph.finally`: what it saw of its run came with the input. */
export const finalizerStep = defineStep({
  type: 'STEP_TYPE_FINALIZER',
  schema: {
    type: 'object',
    required: ['action', 'index'],
    properties: {
      action: { type: 'string', format: 'action' },
      credential: { type: 'string', format: 'credential' },
      on_unknown: { enum: ['retry', 'park'] },
      index: { type: 'integer' },
    },
  },
  check: internal,
  start({ config: { action, credential, on_unknown, index }, run, evaluate, executionKey }) {
    const { finally: all, outcome } = run.input as UndoInput;
    const args = all[index];
    return {
      to: 'running',
      memo: null,
      task: {
        action,
        args: args ? evaluate(args, { outcome }) : {},
        idempotencyKey: executionKey,
        ...(credential !== undefined && { credential }),
        ...(on_unknown && { onUnknown: on_unknown }),
      },
    };
  },
});
