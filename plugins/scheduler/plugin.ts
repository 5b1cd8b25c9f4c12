import { definePlugin, refs } from '@ductor/core';
import { keptSchedule, scheduleField, startedFor } from './fields.ts';
import { scheduleHooks } from './hooks.ts';
import { optionsSchema } from './options.ts';
import { Scheduler } from './scheduler.ts';
import { scheduleRoutes } from './schedules.routes.ts';
import { OccurrenceStarter } from './starter.ts';
import { ScheduleStore } from './store.ts';
import { occurrenceTable, runTable, scheduleTable } from './tables.ts';

export default definePlugin({
  deps: {
    db: refs.database,
    audit: refs.audit,
    lists: refs.lists,
    clock: refs.clock,
    trigger: refs.trigger,
  },
  options: optionsSchema,
  migrations: './migrations',
  contribute({ db, audit, lists, clock, trigger }, options) {
    const store = new ScheduleStore(db);
    const starter = new OccurrenceStarter({ trigger, store });
    const scheduler = new Scheduler({ store, starter, clock, options });
    const field = scheduleField(clock);
    return {
      fields: [field, startedFor, keptSchedule],
      tables: [scheduleTable, occurrenceTable, runTable],
      hooks: scheduleHooks(field),
      services: [{ name: 'schedules', where: 'one host', run: (signal) => scheduler.run(signal) }],
      routes: scheduleRoutes({ store, starter, lists, audit, clock }),
    };
  },
});
