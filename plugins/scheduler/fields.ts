import { type Clock, defineField, knowing, template } from '@ductor/core';
import { type Spec, specProblems } from './spec.ts';
import { DAY_MS } from './zone.ts';

const instant = { type: 'string', format: 'date-time' } as const;

/** What its input sees. */
const schedule = { type: 'object', additionalProperties: false, properties: { due_at: { type: 'string' } } } as const;

/** `settings.schedule`. What the policy may be is the check's to say, which has a code of its own for it. */
export const scheduleField = (clock: Pick<Clock, 'now'>) =>
  defineField({
    of: 'settings',
    name: 'schedule',
    schema: {
      type: 'object',
      required: ['cron'],
      properties: {
        cron: { type: 'string', maxLength: 256 },
        timezone: { type: 'string', maxLength: 64 },
        overlap_policy: {},
        start_at: instant,
        end_at: instant,
        jitter_ms: { type: 'integer', minimum: 0, maximum: DAY_MS },
        catchup_window_ms: { type: 'integer', minimum: 0, maximum: 366 * DAY_MS },
        input: knowing(template({}, 'schedule'), { schedule }),
        paused: { type: 'boolean' },
      },
    },
    check: (value, _graph, around) => {
      // Checked against its schema; its `input` is a template still.
      const spec = value as unknown as Spec;
      return [...specProblems(spec, clock.now()), ...(around?.inputProblems(spec.input ?? {}, 'input') ?? [])];
    },
  });

const uuid = { type: 'string', format: 'uuid' } as const;

/** Which occurrence a run is: told by whoever starts it, and kept on it as `run.schedule`. */
const occurrence = {
  type: 'object',
  required: ['id', 'due_at', 'by'],
  additionalProperties: false,
  properties: { id: uuid, due_at: instant, by: { enum: ['timetable', 'backfill', 'manual'] } },
} as const;

export const startedFor = defineField({ of: 'trigger', name: 'schedule', isInternal: true, schema: occurrence });
export const keptSchedule = defineField({ of: 'run', name: 'schedule', schema: occurrence });
