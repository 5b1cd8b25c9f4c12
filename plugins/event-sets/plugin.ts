import { definePlugin, refs } from '@ductor/core';
import { digestStep } from './digest.step.ts';
import { forgetDigests } from './digest-retention.ts';
import { arrivalEnds, arrivalTable, windowTable } from './digest-tables.ts';
import { digestRoutes } from './digests.routes.ts';
import { eventSetStep } from './event-set.step.ts';

export default definePlugin({
  deps: { db: refs.database, inbox: refs.inbox, clock: refs.clock, lists: refs.lists },
  options: { type: 'object' },
  migrations: './migrations',
  contribute({ db, inbox, clock, lists }) {
    const arrivals = arrivalTable({ db, inbox, clock });
    return {
      steps: [eventSetStep, digestStep(arrivals)],
      tables: [windowTable, arrivals, arrivalEnds],
      routes: digestRoutes({ db, lists }),
      services: [
        { name: 'digest-retention', where: 'one host', run: (signal) => forgetDigests({ db, clock, signal }) },
      ],
    };
  },
});
