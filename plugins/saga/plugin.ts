import { definePlugin, refs } from '@ductor/core';
import { compensationRoutes } from './compensations.routes.ts';
import { compensation, finalizers, owes, undoneWith } from './fields.ts';
import { finalizerStep } from './finalizer.step.ts';
import { hooks } from './hooks.ts';
import { CompensationStore } from './store.ts';
import { claims, duties, ends, passedOver, progress } from './tables.ts';
import { undoStep } from './undo.step.ts';

export default definePlugin({
  deps: { db: refs.database, audit: refs.audit, lists: refs.lists, trigger: refs.trigger },
  options: { type: 'object' },
  migrations: './migrations',
  contribute: ({ db, audit, lists, trigger }) => ({
    fields: [compensation, finalizers, owes, undoneWith],
    steps: [undoStep, finalizerStep],
    tables: [duties, progress, ends, claims, passedOver],
    hooks,
    routes: compensationRoutes({ store: new CompensationStore({ db, audit }), lists, trigger }),
  }),
});
