import { DuctorError, type Instant } from '@ductor/core';
import type { ServerRoute } from '@hapi/hapi';
import Joi from '@hapi/joi';
import type { Knex } from 'knex';
import {
  type Bucket,
  openRuns,
  type StatsQuery,
  statsByAction,
  statsByWorkflow,
  statsSeries,
} from '../postgres/stats.ts';
import { callerOf } from './caller.ts';
import { READ } from './run-reads.ts';
import { showActions, showOpen, showSeries, showWorkflows } from './stats.view.ts';
import { instant } from './validation.ts';

const BUCKET_MS: { readonly [Each in Bucket]: number } = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };
/** A day of minutes, and more. */
const MOST_BUCKETS = 1_500;
const DEFAULT_BUCKETS = 24;
/** Of the newest open runs so many are counted. */
const MOST_OPEN = 10_000;

const number = Joi.number().integer().required();
const counts = Joi.object().pattern(Joi.string(), Joi.number().integer()).required();
const duration = Joi.object({
  count: number.description('How many were measured: what never started has no duration'),
  average_ms: number.allow(null),
  p50_ms: number.allow(null),
  p90_ms: number.allow(null),
  p99_ms: number.allow(null),
})
  .required()
  .description('Percentiles are rough: durations are counted in fixed buckets')
  .id('DurationSummary');
const type = Joi.string().allow(null).required().description('null: its definition is gone');
const ended = counts.description('Runs that ended, by their final status');

const answer = Joi.object({
  from: Joi.string().isoDate().required(),
  to: Joi.string().isoDate().required(),
  bucket: Joi.string().required(),
  series: Joi.array()
    .items(Joi.object({ at: Joi.string().isoDate().required(), created: number, ended, duration, attempts: counts }))
    .required()
    .description('Parts of time in which nothing was created and nothing ended are left out'),
  workflows: Joi.array()
    .items(Joi.object({ workflow_type: type, created: number, ended, duration }))
    .required(),
  actions: Joi.array()
    .items(
      Joi.object({
        connector: Joi.string().allow('').required(),
        action: Joi.string().required(),
        attempts: counts.description('By their status'),
        duration,
      }),
    )
    .required(),
  open: Joi.object({
    count: number,
    is_capped: Joi.boolean().required().description(`Only the newest ${MOST_OPEN} were counted`),
    workflows: Joi.array()
      .items(Joi.object({ workflow_type: type, count: number }))
      .required(),
  })
    .required()
    .description('The open runs as they are now, whatever the time that is asked for'),
}).id('Stats');

interface Query {
  readonly from?: Date;
  readonly to?: Date;
  readonly bucket: Bucket;
  readonly workflow_type?: string;
  readonly kind: string;
}

/** `GET /api/workflows/stats` */
export const statsRoutes = ({ knex }: { readonly knex: Knex }): readonly ServerRoute[] => [
  {
    method: 'GET',
    path: '/api/workflows/stats',
    options: {
      id: 'getStats',
      auth: READ,
      description: 'Counts runs and attempts over time',
      notes:
        'From roll-ups of minutes, which are at most half a minute behind. A run counts as created in the minute of its ' +
        'id, and as ended in that of its end, once for each end; attempts count in the minute in which their run ended. ' +
        'Minutes that begin from `from` to before `to` are counted: by default the last 24 buckets.',
      tags: ['Runs'],
      validate: {
        query: Joi.object({
          from: instant,
          to: instant.description('By default now'),
          bucket: Joi.string().valid('minute', 'hour', 'day').default('hour').description('In UTC'),
          workflow_type: Joi.string().min(1).max(64).description('The slug; - and _ are the same in it'),
          kind: Joi.string().min(1).max(64).default('workflow'),
        }),
      },
      response: { schema: answer },
    },
    async handler(request) {
      const { tenantId } = callerOf(request);
      const query = queryOf(tenantId, request.query as unknown as Query);
      const [series, workflows, actions, open] = await Promise.all([
        statsSeries(knex, query),
        statsByWorkflow(knex, query),
        statsByAction(knex, query),
        openRuns(knex, { tenantId, kind: query.kind, limit: MOST_OPEN }),
      ]);
      const { from, to, bucket } = query;
      return {
        from,
        to,
        bucket,
        series: showSeries(series),
        workflows: showWorkflows(workflows),
        actions: showActions(actions),
        open: showOpen(open, query.slug, MOST_OPEN),
      };
    },
  },
];

function queryOf(tenantId: string, { from, to = new Date(), bucket, workflow_type, kind }: Query): StatsQuery {
  const width = BUCKET_MS[bucket];
  const begin = from ?? new Date(to.getTime() - DEFAULT_BUCKETS * width);
  const buckets = (to.getTime() - begin.getTime()) / width;
  if (buckets <= 0 || buckets > MOST_BUCKETS) {
    const message =
      buckets <= 0
        ? 'from lies before to.'
        : `At most ${MOST_BUCKETS} buckets at once: ask for a shorter time, or for a wider bucket.`;
    throw new DuctorError('invalid_argument', message, [{ path: 'from', code: 'out_of_range', message }]);
  }
  const slug = workflow_type?.replaceAll('_', '-') ?? null;
  return { tenantId, from: instantOf(begin), to: instantOf(to), bucket, kind, slug };
}

const instantOf = (date: Date): Instant => date.toISOString();
