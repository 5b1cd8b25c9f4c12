import { Readable } from 'node:stream';
import { DuctorError, isObject, type Json } from '@ductor/core';
import type { ServerRoute } from '@hapi/hapi';
import Joi from '@hapi/joi';
import { readRunHead } from '../postgres/reads/run.ts';
import { pageAnswer, pageOf, pageQuery, pageRequest } from './paging.ts';
import { endOf } from './request-end.ts';
import { eventAnswer } from './run.answers.ts';
import { RUN_EXAMPLES as EXAMPLES } from './run.examples.ts';
import { showEvent } from './run.view.ts';
import { BEGINNING, type EventPlace, readEvents } from './run-events.ts';
import { READ, type RunRoutesDeps, runOf, runParams } from './run-reads.ts';
import { watchRun } from './watch.ts';

const tags = ['Runs'];

/** What happened in a run, page by page or as it happens. */
export const eventRoutes = (deps: RunRoutesDeps): readonly ServerRoute[] => [
  {
    method: 'GET',
    path: '/api/workflows/runs/{run_id}/events',
    options: {
      id: 'listRunEvents',
      description: 'List what happened in a run, oldest first',
      tags,
      auth: READ,
      validate: { params: Joi.object(runParams), query: Joi.object(pageQuery) },
      response: { schema: pageAnswer(eventAnswer).id('RunEventList') },
      plugins: { ductor: { examples: EXAMPLES.events } },
    },
    async handler(request) {
      const { runId } = await runOf(deps, request);
      const page = pageRequest(request, 'asc');
      const { order, size } = page;
      const events = await readEvents(deps.knex, { runId, order, after: placeOf(page.after), limit: size + 1 });
      return pageOf(page, events, { keyOf: ({ seq, index }) => ({ seq, index }), show: showEvent });
    },
  },
  {
    method: 'GET',
    path: '/api/workflows/runs/{run_id}/watch',
    options: {
      id: 'watchRun',
      description: 'Follow what happens in a run',
      notes: `Server-sent events, from the first until the run has ended: \`id: seq.index\`, \`event: transition\`, and in \`data\`
a \`RunEvent\`. A comment comes every 15 seconds where nothing happens. \`Last-Event-ID\` asks for what came after an event;
a reader that has seen all of an ended run is answered 204.`,
      tags,
      auth: READ,
      validate: { params: Joi.object(runParams) },
      response: { status: { 204: Joi.any() } },
      plugins: { ductor: { mediaType: 'text/event-stream' } },
    },
    async handler(request, h) {
      const { caller, runId, head } = await runOf(deps, request);
      const after = lastEventId(request.headers['last-event-id']) ?? BEGINNING;
      const { knex, feed } = deps;
      const isOver = async () => (await readRunHead(knex, { tenantId: caller.tenantId, runId }))?.isEnded ?? true;
      const read = (beyond: EventPlace) => readEvents(knex, { runId, order: 'asc', after: beyond, limit: 100 });
      // A reader that comes back after the end is told by 204 not to come again.
      if (head.isEnded && (await read(after)).length === 0) return h.response().code(204);
      const subscribe = (listener: () => void) => feed.subscribe(runId, listener);
      const stream = Readable.from(watchRun({ read, isOver, subscribe, after, signal: endOf(request) }), {
        objectMode: false,
      });
      stream.on('error', (error) => deps.log.warn({ err: error, run_id: runId }, 'a watch was broken off'));
      return h
        .response(stream)
        .type('text/event-stream')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no');
    },
  },
];

function placeOf(value: Json): EventPlace | null {
  if (!isObject(value)) return null;
  const { seq, index } = value;
  return typeof seq === 'number' && typeof index === 'number' ? { seq, index } : null;
}

/** `seq.index`, as the last event that a reader has seen was named. */
function lastEventId(header: unknown): EventPlace | null {
  if (header === undefined || header === '') return null;
  const [, seq, index] = /^(\d{1,15})\.(\d{1,9})$/.exec(String(header)) ?? [];
  if (seq !== undefined && index !== undefined) return { seq: Number(seq), index: Number(index) };
  throw new DuctorError('invalid_argument', 'Last-Event-ID is not the id of an event here: it looks like 41.0.');
}
