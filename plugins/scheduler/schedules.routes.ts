import {
  type Audit,
  type Clock,
  callerOf,
  DuctorError,
  type Instant,
  isObject,
  type Json,
  type JsonObject,
  type Lists,
  type Route,
} from '@ductor/core';
import type { Request } from '@hapi/hapi';
import { backfill } from './backfill.ts';
import * as schemas from './schedule.schemas.ts';
import { showSchedule, showWhole } from './schedule.view.ts';
import { read } from './scheduler.ts';
import type { OverlapPolicy, Schedule } from './spec.ts';
import type { OccurrenceStarter } from './starter.ts';
import type { OccurrenceRow, ScheduleRow, ScheduleStore } from './store.ts';

export interface ScheduleRouteDeps {
  readonly store: ScheduleStore;
  readonly starter: OccurrenceStarter;
  readonly lists: Lists;
  readonly audit: Audit;
  readonly clock: Pick<Clock, 'now'>;
}

const READ = { scope: ['workflow:read'] };
const WRITE = { scope: ['schedule:write'] };
const BASE = '/api/workflow-schedules';
const ONE = `${BASE}/{id}`;
const tags = ['Schedules'];
const params = schemas.scheduleParams;
const { EXAMPLES } = schemas;

/** Of a schedule that has not ended; the same again changes nothing. */
const SWITCHES = [
  {
    verb: 'pause',
    description: 'Pause a schedule',
    notes:
      'Nothing comes due until it is resumed, and nothing is made up for then. Its runs go on. It stays paused when a ' +
      'version is published, unless `settings.schedule.paused` says otherwise.',
    text: `
      update eec_workflow_schedule set paused = true, next_at = null, next_due_at = null, revision = revision + 1,
        updated_at = clock_timestamp()
      where tenant_id = :tenantId and id = :id and ended_at is null and not paused returning id`,
  },
  {
    verb: 'resume',
    description: 'Resume a schedule that is paused or in error',
    notes: 'It counts from now on.',
    text: `
      update eec_workflow_schedule set paused = false, error = null, after_at = :now, next_at = :now,
        revision = revision + 1, updated_at = clock_timestamp()
      where tenant_id = :tenantId and id = :id and ended_at is null and (paused or error is not null) returning id`,
  },
] as const;

const TOUCH = 'select id from eec_workflow_schedule where tenant_id = :tenantId and id = :id';

/** `/api/workflow-schedules`: what there is, what became of it, and an operator's hand on it. */
export function scheduleRoutes({ store, starter, lists, audit, clock }: ScheduleRouteDeps): readonly Route[] {
  const existing = async (request: Request): Promise<ScheduleRow> => {
    const found = await store.find(callerOf(request).tenantId, String(request.params.id));
    if (found) return found;
    throw new DuctorError('not_found', 'There is no such schedule.');
  };
  const whole = async (request: Request) => {
    const row = await existing(request);
    const [last = null] = await store.occurrences(row, { order: 'desc', after: null, limit: 1 });
    return showWhole(row, { now: clock.now(), last });
  };
  /** The change is noted with its author, where it is one. */
  const change = (request: Request, { verb, text, details }: { verb: string; text: string; details?: JsonObject }) => {
    const { tenantId, actor } = callerOf(request);
    const id = String(request.params.id);
    const values = { tenantId, id, ...(text.includes(':now') && { now: clock.now() }) };
    const entry = { tenantId, actor, action: `workflow_schedule.${verb}`, target: id, ...(details && { details }) };
    return audit.change({ text, values }, entry);
  };

  return [
    {
      method: 'GET',
      path: BASE,
      options: {
        id: 'listSchedules',
        description: 'List schedules, newest first',
        tags,
        auth: READ,
        validate: { query: schemas.listQuery },
        response: { schema: schemas.scheduleList },
        plugins: { ductor: { examples: [EXAMPLES.list] } },
      },
      async handler(request: Request) {
        const page = lists.asked(request, 'desc');
        const after = typeof page.after === 'string' ? page.after : null;
        const place = { order: page.order, after, limit: page.size + 1 };
        const rows = await store.list(callerOf(request).tenantId, request.query as Filter, place);
        const now = clock.now();
        return lists.page(page, rows, { keyOf: ({ id }) => id, show: (row) => showSchedule(row, now) });
      },
    },
    {
      method: 'GET',
      path: ONE,
      options: {
        id: 'getSchedule',
        description: 'Show a schedule and what comes next',
        tags,
        auth: READ,
        validate: { params },
        response: { schema: schemas.schedule },
        plugins: { ductor: { examples: [EXAMPLES.get] } },
      },
      handler: whole,
    },
    {
      method: 'GET',
      path: `${ONE}/occurrences`,
      options: {
        id: 'listScheduleOccurrences',
        description: 'List what became of a schedule’s occurrences, the latest first',
        notes: 'What was missed in one stretch is one item, with a `count`.',
        tags,
        auth: READ,
        validate: { params, query: schemas.occurrencesQuery },
        response: { schema: schemas.occurrenceList },
      },
      async handler(request: Request) {
        const row = await existing(request);
        const page = lists.asked(request, 'desc');
        const place = { order: page.order, after: placeOf(page.after), limit: page.size + 1 };
        const rows = await store.occurrences(row, place);
        const keyOf = ({ due_at, outcome }: OccurrenceRow) => ({ due_at, outcome });
        return lists.page(page, rows, { keyOf, show: (occurrence) => occurrence });
      },
    },
    ...SWITCHES.map(
      ({ verb, description, notes, text }): Route => ({
        method: 'POST',
        path: `${ONE}:${verb}`,
        options: {
          id: `${verb}Schedule`,
          description,
          notes,
          tags,
          auth: WRITE,
          validate: { params },
          response: { schema: schemas.schedule },
          plugins: { ductor: { examples: [EXAMPLES[verb]] } },
        },
        async handler(request: Request) {
          notEnded(await existing(request));
          await change(request, { verb, text });
          return whole(request);
        },
      }),
    ),
    {
      method: 'POST',
      path: `${ONE}:triggerNow`,
      options: {
        id: 'triggerScheduleNow',
        description: 'Start a run of a schedule now',
        notes:
          'Whatever its overlap policy, and also while it is paused. `schedule.due_at` is this moment; with a `request_id` ' +
          'that was used before, the answer is the run that it has started.',
        tags,
        auth: WRITE,
        validate: { params, payload: schemas.triggerPayload },
        response: { schema: schemas.triggered },
        plugins: { ductor: { examples: [EXAMPLES.now] } },
      },
      async handler(request: Request) {
        const row = await existing(request);
        const schedule = usable(row);
        const { request_id: requestId } = (request.payload ?? {}) as { readonly request_id?: string };
        const details = requestId === undefined ? {} : { details: { request_id: requestId } };
        await change(request, { verb: 'trigger_now', text: TOUCH, ...details });
        const dueAt = clock.now();
        const started = await starter.start(row, schedule, { dueAt, by: 'manual', policy: 'allow_all', requestId });
        if ('skipped' in started) {
          const { code, message } = started.skipped;
          throw new DuctorError('failed_precondition', message, [{ path: '', code, message }]);
        }
        const { runId, existed } = started;
        return { run_id: runId, due_at: existed ? await store.dueAtOf(row, runId) : dueAt };
      },
    },
    {
      method: 'POST',
      path: `${ONE}:backfill`,
      options: {
        id: 'backfillSchedule',
        description: 'Start what was due in the past',
        notes:
          'The oldest first, with low priority. An occurrence that has started a run starts none again, so that a backfill may be repeated. After `limit` occurrences the answer says where the next one goes on.',
        tags,
        auth: WRITE,
        validate: { params, payload: schemas.backfillPayload },
        response: { schema: schemas.backfilled },
        plugins: { ductor: { examples: [EXAMPLES.backfill] } },
      },
      async handler(request: Request) {
        const row = await existing(request);
        const schedule = usable(row);
        const asked = backfillOf(request, clock.now());
        const { from, to, limit, policy: overlap_policy } = asked;
        await change(request, { verb: 'backfill', text: TOUCH, details: { from, to, limit, overlap_policy } });
        const { items, nextFrom } = await backfill(row, schedule, asked, { store, starter });
        return { items, next_from: nextFrom };
      },
    },
  ];
}

interface Filter {
  readonly family?: string;
  readonly paused?: boolean;
}

const placeOf = (after: Json | null) =>
  isObject(after) ? { due_at: String(after.due_at), outcome: String(after.outcome) as OccurrenceRow['outcome'] } : null;

function notEnded({ ended_at }: ScheduleRow): void {
  if (ended_at === null) return;
  throw new DuctorError(
    'failed_precondition',
    'The schedule has ended: its workflow has no version with one any more.',
  );
}

function usable(row: ScheduleRow): Schedule {
  notEnded(row);
  const schedule = read(row);
  if (!('error' in schedule)) return schedule;
  throw new DuctorError('failed_precondition', `The schedule cannot be evaluated: ${schedule.error.message}.`);
}

function backfillOf({ payload }: Request, now: Instant) {
  const { from, to, overlap_policy, limit } = payload as {
    readonly from: Date;
    readonly to: Date;
    readonly overlap_policy: OverlapPolicy;
    readonly limit: number;
  };
  const wrong =
    to.toISOString() > now
      ? { path: 'to', code: 'out_of_range', message: 'It lies in the future.' }
      : from > to
        ? { path: 'from', code: 'out_of_range', message: 'It is later than to.' }
        : null;
  if (wrong) throw new DuctorError('invalid_argument', 'That is no stretch of the past.', [wrong]);
  return { from: from.toISOString(), to: to.toISOString(), policy: overlap_policy, limit };
}
