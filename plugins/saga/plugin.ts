import { definePlugin } from '@ductor/core';
import { compensation, finalizers, owes } from './fields.ts';
import { finalizerStep } from './finalizer.step.ts';
import { hooks } from './hooks.ts';
import { claims, duties, ends, passedOver, progress } from './tables.ts';
import { undoStep } from './undo.step.ts';

export default definePlugin({
  deps: {},
  options: { type: 'object' },
  migrations: './migrations',
  contribute: () => ({
    fields: [compensation, finalizers, owes],
    steps: [undoStep, finalizerStep],
    tables: [duties, progress, ends, claims, passedOver],
    hooks,
  }),
});
