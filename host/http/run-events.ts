import { eventsOf, type RunEvent, type RunId } from '@ductor/core';
import type { Knex } from 'knex';
import { readTransitions } from '../postgres/reads/transitions.ts';

/** An event's place in its run: its transition, and its place in that. */
export interface EventPlace {
  readonly seq: number;
  readonly index: number;
}

const CHUNK = 100;
/** Before the first. */
export const BEGINNING: EventPlace = { seq: 0, index: -1 };

/** Up to `limit` events beyond `after`, in either direction. */
export async function readEvents(
  knex: Knex,
  query: {
    readonly runId: RunId;
    readonly order: 'asc' | 'desc';
    readonly after: EventPlace | null;
    readonly limit: number;
  },
): Promise<readonly RunEvent[]> {
  const { runId, order, after, limit } = query;
  const sign = order === 'asc' ? 1 : -1;
  const events: RunEvent[] = [];
  let from = after?.seq ?? (order === 'asc' ? 0 : Number.MAX_SAFE_INTEGER);
  for (;;) {
    const transitions = await readTransitions(knex, { runId, order, from, limit: Math.min(limit, CHUNK) });
    for (const transition of transitions) {
      const own = [...eventsOf(transition)].sort((a, b) => sign * (a.index - b.index));
      events.push(...own.filter((event) => after === null || sign * compare(event, after) > 0));
      if (events.length >= limit) return events.slice(0, limit);
      from = transition.version + sign;
    }
    if (transitions.length < Math.min(limit, CHUNK)) return events;
  }
}

const compare = (a: EventPlace, b: EventPlace): number => a.seq - b.seq || a.index - b.index;
