import { callerOf, type Database, type Instant, type Lists, type Route, type RunId } from '@ductor/core';
import type { Request } from '@hapi/hapi';
import Joi from '@hapi/joi';

interface Row {
  readonly id: string;
  readonly step_ref: string;
  readonly digest_key: string;
  readonly state: 'open' | 'due' | 'left';
  readonly opened_at: Instant;
  readonly due_at: Instant;
  readonly definition_id: string;
  readonly leader_run_id: RunId;
  readonly leader_status: string;
  readonly arrivals: number;
  /** To the microsecond. */
  readonly place: string;
}

/** Plan: a range of eec_workflow_digest_unflushed, then the leaders by their keys and the arrivals by their window. */
const list = (order: 'asc' | 'desc') => `
select w.id, w.step_ref, w.digest_key, w.opened_at, w.due_at, w.definition_id, w.leader_run_id, w.opened_at::text as place,
  r.status as leader_status,
  case when l.ended_at is not null then 'left' when w.is_open then 'open' else 'due' end as state,
  (select count(*)::int from eec_workflow_digest_arrival a where a.window_id = w.id and a.ended_at is null) as arrivals
from eec_workflow_digest w
join eec_workflow_run r on r.id = w.leader_run_id
join eec_workflow_digest_arrival l on l.id = w.leader_id
where w.tenant_id = $1 and w.flushed_at is null
  and ($2::timestamptz is null or (w.opened_at, w.id) ${order === 'asc' ? '>' : '<'} ($2, $3::uuid))
order by w.opened_at ${order}, w.id ${order} limit $4`;

const uuid = Joi.string().guid();
const instant = Joi.string().isoDate();

const digest = Joi.object({
  id: uuid.required(),
  definition_id: uuid.required(),
  step_ref: Joi.string().required(),
  digest_key: Joi.string().required(),
  state: Joi.string()
    .valid('open', 'due', 'left')
    .required()
    .description(
      '`open`: it may be joined until `due_at`; `due`: its leader has it to take up; `left`: its leader is over',
    ),
  opened_at: instant.required(),
  due_at: instant.required(),
  leader_run_id: uuid.required(),
  leader_status: Joi.string().required(),
  arrivals: Joi.number().integer().required().description('How many wait in it'),
}).id('Digest');

const RUN = '0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11';

/** `GET /api/event-sets/digests`: the windows that are not flushed. */
export const digestRoutes = ({ db, lists }: { readonly db: Database; readonly lists: Lists }): readonly Route[] => [
  {
    method: 'GET',
    path: '/api/event-sets/digests',
    options: {
      auth: { scope: ['workflow:read'] },
      id: 'listDigests',
      description: 'List the windows of digests that are not flushed',
      notes: 'One whose leader was cancelled, terminated or failed is flushed when that is redriven.',
      tags: ['Events'],
      validate: {
        query: Joi.object({
          page_size: Joi.number().integer().min(1).max(500).default(50),
          page_token: Joi.string().max(2_048),
          order: Joi.string().valid('asc', 'desc'),
        }),
      },
      response: {
        schema: Joi.object({
          items: Joi.array().items(digest).required(),
          next_page_token: Joi.string().allow(null).required(),
        }),
      },
      plugins: {
        ductor: {
          examples: [
            {
              summary: 'A window that is open',
              answer: {
                items: [
                  {
                    ...{ id: '6f1c9a52-3a1e-4c0e-9f0b-8d2f4c7b1e55', definition_id: RUN, step_ref: 'together' },
                    ...{ digest_key: 'c-1', state: 'open', arrivals: 1 },
                    ...{ opened_at: '2026-11-29T10:00:00.000Z', due_at: '2026-11-29T11:00:00.000Z' },
                    ...{ leader_run_id: RUN, leader_status: 'waiting' },
                  },
                ],
                next_page_token: null,
              },
            },
          ],
        },
      },
    },
    async handler(request: Request) {
      const asked = lists.asked(request, 'asc');
      const [at, id] = (asked.after ?? [null, null]) as readonly [string | null, string | null];
      const rows = await db.query<Row>(list(asked.order), [callerOf(request).tenantId, at, id, asked.size + 1]);
      return lists.page(asked, rows, { keyOf: (row) => [row.place, row.id], show: ({ place: _, ...shown }) => shown });
    },
  },
];
