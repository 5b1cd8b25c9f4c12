import type { Hooks, RunView } from '@ductor/core';
import { keptSchedule, type scheduleField, startedFor } from './fields.ts';
import type { Spec } from './spec.ts';
import { occurrenceTable, runTable, scheduleRow } from './tables.ts';

/** A schedule follows its family's latest version, and knows the runs that it has started. */
export const scheduleHooks = (field: ReturnType<typeof scheduleField>): Hooks => ({
  publish: ({ definition }) => [scheduleRow(definition, field.in(definition.settings) as unknown as Spec | undefined)],
  archive: ({ definition }) => [scheduleRow(definition, undefined)],
  start({ definition, origin }) {
    if (origin.from === 'trigger') {
      const occurrence = startedFor.in(origin.fields);
      if (occurrence === undefined) return {};
      // It was published while this plugin was off, and nobody could tell the schedule.
      if (field.in(definition.settings) === undefined) {
        return { refuse: { code: 'failed_precondition', message: 'The latest version has no schedule.' } };
      }
      const row = { ...occurrence };
      return { fields: keptSchedule.set(occurrence), rows: [occurrenceTable.row(row), runTable.row(row)] };
    }
    // A chain is one run to `skip`; children, forks and compensations are not the schedule's.
    if (origin.from !== 'continued') return {};
    const occurrence = scheduleOfRun(origin.run);
    if (occurrence === undefined) return {};
    return { fields: keptSchedule.set(occurrence), rows: [runTable.row({ ...occurrence })] };
  },
  control: {
    decide({ control, run }) {
      const occurrence = control.control === 'redrive' ? scheduleOfRun(run) : undefined;
      return occurrence === undefined ? [] : [runTable.row({ ...occurrence })];
    },
  },
});

const scheduleOfRun = ({ fields }: RunView) => keptSchedule.in(fields);
