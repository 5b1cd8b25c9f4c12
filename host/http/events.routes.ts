import type { Json } from '@ductor/core';
import type { ServerRoute } from '@hapi/hapi';
import Joi from '@hapi/joi';
import type { Knex } from 'knex';
import type { Events } from '../events/events.ts';
import { listEvents } from '../postgres/events/list-events.ts';
import { callerOf } from './caller.ts';
import { pageAnswer, pageOf, pageQuery, pageRequest } from './paging.ts';
import { READ } from './run-reads.ts';
import { instant, uuid } from './validation.ts';

const text = Joi.string().min(1).max(256);

interface PublishBody {
  readonly event_name: string;
  readonly correlation_key: string;
  readonly event_id?: string;
  readonly payload: Json;
}

interface EventQuery {
  readonly event_name?: string;
  readonly correlation_key?: string;
  readonly since?: Date;
}

const published = Joi.object({
  event_id: Joi.string().required().description('The publisher’s own, or the one that the event was given'),
  matched: Joi.number().integer().required().description('How many waits took it; 0 for one that is there already'),
}).id('PublishedEvent');

const match = Joi.object({
  run_id: uuid,
  step_ref: Joi.string().description('The step that waited'),
  branch: Joi.array().items(Joi.number().integer()),
  subscription: Joi.string().description('Which of the step’s subscriptions took it'),
  trigger: Joi.string().description('The family whose trigger started the run'),
  error: Joi.object({ code: Joi.string().required(), message: Joi.string().required() }).description(
    'Why it could not be told: the step waits on, or no run was started',
  ),
}).id('EventMatch');

const event = Joi.object({
  id: uuid.required(),
  event_id: Joi.string().required(),
  event_name: Joi.string().required(),
  correlation_key: Joi.string().allow('').required(),
  run_id: uuid.allow(null).required().description('The run that published it'),
  published_at: Joi.string().isoDate().required(),
  matched_at: Joi.string().isoDate().allow(null).required().description('null: not everybody has been told yet'),
  matched: Joi.number().integer().required().description('How many waits took it'),
  matches: Joi.array().items(match).required().description('About the first thousand'),
}).id('WorkflowEvent');

/** Events that waiting steps and triggers hear of. */
export const eventRoutes = ({
  knex,
  events,
}: {
  readonly knex: Knex;
  readonly events: Pick<Events, 'publish'>;
}): readonly ServerRoute[] => [
  {
    method: 'POST',
    path: '/api/v2/workflow-events:publish',
    options: {
      id: 'publishEvent',
      description: 'Publish an event to whoever waits for it',
      notes:
        'Steps that wait for an event of this name and `correlation_key` take it, and triggers of this name start runs. ' +
        'It is kept before anybody is told: what cannot be told at once is told within seconds. One name has an ' +
        '`event_id` once; the same again does nothing.',
      tags: ['Events'],
      auth: { scope: ['workflow_events:publish'] },
      validate: {
        payload: Joi.object({
          event_name: text.required(),
          correlation_key: Joi.string().max(1_024).allow('').default('').description('Which of the things it is about'),
          event_id: text.description('The publisher’s own'),
          payload: Joi.any().default({}),
        })
          .required()
          .id('PublishEvent'),
      },
      response: { schema: published },
      plugins: {
        ductor: {
          examples: [
            {
              summary: 'Publish an event to whoever waits for it',
              payload: {
                event_name: 'payment.received',
                correlation_key: 'order-1042',
                event_id: 'pay-77',
                payload: { amount: 250 },
              },
              answer: { event_id: 'pay-77', matched: 1 },
            },
          ],
        },
      },
    },
    async handler(request) {
      const { event_name, correlation_key, event_id, payload } = request.payload as PublishBody;
      const { eventId, matched } = await events.publish(callerOf(request).tenantId, {
        eventName: event_name,
        correlationKey: correlation_key,
        eventId: event_id ?? null,
        payload,
      });
      return { event_id: eventId, matched };
    },
  },
  {
    method: 'GET',
    path: '/api/workflow-events',
    options: {
      id: 'listEvents',
      description: 'List events with what each matched, newest first',
      notes: 'Events are kept as long as `retention.events` says. Their payloads are not shown.',
      tags: ['Events'],
      auth: READ,
      validate: {
        query: Joi.object({
          ...pageQuery,
          event_name: text,
          correlation_key: Joi.string().max(1_024).allow(''),
          since: instant.description('Published then or later'),
        }),
      },
      response: { schema: pageAnswer(event).id('EventList') },
      plugins: {
        ductor: {
          examples: [
            {
              summary: 'Events of one name',
              query: { event_name: 'payment.received' },
              answer: {
                items: [
                  {
                    id: '0198f2a4-9d20-7c55-8a0e-5b1f2c3d4e5f',
                    event_id: 'pay-77',
                    event_name: 'payment.received',
                    correlation_key: 'order-1042',
                    run_id: null,
                    published_at: '2026-03-01T09:30:00.000Z',
                    matched_at: '2026-03-01T09:30:00.004Z',
                    matched: 1,
                    matches: [
                      {
                        run_id: '0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11',
                        step_ref: 'paid',
                        branch: [],
                        subscription: 'event',
                      },
                    ],
                  },
                ],
                next_page_token: null,
              },
            },
          ],
        },
      },
    },
    async handler(request) {
      const { tenantId } = callerOf(request);
      const page = pageRequest(request, 'desc');
      const { event_name: eventName, correlation_key: correlationKey, since } = request.query as EventQuery;
      const filter = {
        ...(eventName !== undefined && { eventName }),
        ...(correlationKey !== undefined && { correlationKey }),
        ...(since && { since: since.toISOString() }),
      };
      const after = typeof page.after === 'string' ? page.after : null;
      const rows = await listEvents(knex, { tenantId, filter, order: page.order, after, limit: page.size + 1 });
      return pageOf(page, rows, { keyOf: ({ id }) => id, show: (row) => row });
    },
  },
];
