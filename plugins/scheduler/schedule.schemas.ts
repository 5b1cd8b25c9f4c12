import { type RouteExample, SLUG_PATTERN } from '@ductor/core';
import Joi from '@hapi/joi';
import { NO_POLICY, OVERLAP_POLICIES } from './spec.ts';

/** The form of what callers send and get. */

const id = Joi.string()
  .lowercase()
  .pattern(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i, 'UUID');
const instant = Joi.string().isoDate();
const past = Joi.date().iso().min('1970-01-01T00:00:00Z').max('9999-12-31T23:59:59.999Z');

export const scheduleParams = Joi.object({ id: id.required() });

const pageQuery = {
  page_size: Joi.number().integer().min(1).max(500).default(50),
  page_token: Joi.string().max(2_048),
  order: Joi.string().valid('asc', 'desc'),
};

export const listQuery = Joi.object({
  ...pageQuery,
  family: Joi.string().pattern(SLUG_PATTERN, 'slug').description('Of this workflow'),
  paused: Joi.boolean(),
});

export const occurrencesQuery = Joi.object(pageQuery);

export const triggerPayload = Joi.object({
  request_id: Joi.string().min(1).max(128).description('The same again starts no other run'),
})
  .allow(null)
  .id('TriggerSchedule');

/** As many in one request as are started in a few seconds. */
const MOST_BACKFILLED = 500;

export const backfillPayload = Joi.object({
  from: past.required().description('The first instant of the stretch'),
  to: past.required().description('The last one; not in the future'),
  overlap_policy: Joi.string()
    .valid(...OVERLAP_POLICIES)
    .default('allow_all')
    .description('Of this backfill; the schedule’s own does not matter')
    // As at publish.
    .messages({ [NO_POLICY]: 'There is no overlap policy {#value}' })
    .error(([report]) => Object.assign(report as Joi.ErrorReport, { code: NO_POLICY })),
  limit: Joi.number().integer().min(1).max(MOST_BACKFILLED).default(100),
})
  .required()
  .id('BackfillSchedule');

const reason = Joi.object({
  code: Joi.string().required(),
  message: Joi.string().required(),
  run_id: id.description('With run_active: which run'),
}).id('ScheduleReason');
const perhaps = reason.allow(null).required();

const one = {
  id: id.required(),
  family_slug: Joi.string().required().description('The workflow whose latest version is started'),
  state: Joi.string().valid('active', 'paused', 'ended', 'error').required(),
  cron: Joi.string().required(),
  timezone: Joi.string().required(),
  overlap_policy: Joi.string().required(),
  paused: Joi.boolean().required(),
  next_due_at: instant.allow(null).required().description('When the next occurrence is due'),
  error: perhaps,
  missed_count: Joi.number().integer().required().description('Occurrences so far that came while no host was there'),
  ended_at: instant.allow(null).required().description('When its workflow was archived, or lost its schedule'),
  created_at: instant.required(),
  updated_at: instant.required(),
};

export const scheduleList = Joi.object({
  items: Joi.array().items(Joi.object(one).id('ScheduleSummary')).required(),
  next_page_token: Joi.string().allow(null).required(),
}).id('ScheduleList');

const occurrence = Joi.object({
  due_at: instant.required(),
  until_at: instant.allow(null).required().description('With missed: when the last of them was due'),
  count: Joi.number().integer().required().description('With missed: how many were, from due_at to until_at'),
  outcome: Joi.string().valid('fired', 'skipped', 'missed').required(),
  by: Joi.string().valid('timetable', 'backfill', 'manual').required(),
  run_id: id.allow(null).required(),
  reason: perhaps,
  recorded_at: instant.required(),
}).id('ScheduleOccurrence');

export const schedule = Joi.object({
  ...one,
  spec: Joi.object().unknown().required().description('settings.schedule of the latest version'),
  next_occurrences: Joi.array().items(instant).required().description('When the next ten are due'),
  last_occurrence: occurrence.allow(null).required(),
}).id('Schedule');

export const occurrenceList = Joi.object({
  items: Joi.array().items(occurrence).required(),
  next_page_token: Joi.string().allow(null).required(),
}).id('ScheduleOccurrenceList');

export const triggered = Joi.object({ run_id: id.required(), due_at: instant.required() }).id('ScheduleTriggered');

export const backfilled = Joi.object({
  items: Joi.array()
    .items(
      Joi.object({
        due_at: instant.required(),
        outcome: Joi.string().valid('fired', 'existed', 'skipped').required(),
        run_id: id.allow(null).required(),
        reason: perhaps,
      }).id('BackfilledOccurrence'),
    )
    .required(),
  next_from: instant.allow(null).required().description('Where a next backfill goes on; null: that was all'),
}).id('ScheduleBackfilled');

const SUMMARY = {
  id: '01935f6e-1c00-7000-8000-000000000001',
  family_slug: 'nightly-report',
  state: 'active',
  cron: '30 2 * * *',
  timezone: 'Europe/Berlin',
  overlap_policy: 'skip',
  paused: false,
  next_due_at: '2026-01-03T01:30:00.000Z',
  error: null,
  missed_count: 0,
  ended_at: null,
  created_at: '2026-01-02T03:04:05.678Z',
  updated_at: '2026-01-02T03:04:05.678Z',
};

const WHOLE = {
  ...SUMMARY,
  spec: { cron: '30 2 * * *', timezone: 'Europe/Berlin', input: { day: '${schedule.due_at}' } },
  next_occurrences: Array.from({ length: 10 }, (_, day) =>
    new Date(Date.parse(SUMMARY.next_due_at) + day * 86_400_000).toISOString(),
  ),
  last_occurrence: null,
};

const params = { id: SUMMARY.id };

export const EXAMPLES: { readonly [Name in 'list' | 'get' | 'pause' | 'resume' | 'now' | 'backfill']: RouteExample } = {
  list: {
    summary: 'Schedules of one workflow',
    query: { family: 'nightly-report' },
    answer: { items: [SUMMARY], next_page_token: null },
  },
  get: { summary: 'A schedule', params, answer: WHOLE },
  pause: {
    summary: 'Pause a schedule',
    params,
    answer: { ...WHOLE, state: 'paused', paused: true, next_due_at: null, next_occurrences: [] },
  },
  resume: { summary: 'Resume a schedule', params, answer: WHOLE },
  now: {
    summary: 'Start a run now',
    params,
    payload: { request_id: 'ticket-1412' },
    answer: { run_id: '01935f6e-1c00-7000-8000-000000000002', due_at: '2026-01-02T09:30:00.000Z' },
  },
  backfill: {
    summary: 'One night again',
    params,
    payload: { from: '2026-01-01T00:00:00Z', to: '2026-01-01T23:59:59Z' },
    answer: {
      items: [
        {
          due_at: '2026-01-01T01:30:00.000Z',
          outcome: 'fired',
          run_id: '01935f6e-1c00-7000-8000-000000000003',
          reason: null,
        },
      ],
      next_from: null,
    },
  },
};
