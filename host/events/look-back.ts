import type { Ids, RunId } from '@ductor/core';
import type pg from 'pg';
import { deliver } from '../postgres/events/deliver.ts';
import { findEvents } from '../postgres/events/find-events.ts';
import {
  type EventPlace,
  earlierEvents,
  type LookBackRow,
  type LookingBack,
  lookBackRows,
  lookedBack,
} from '../postgres/events/look-back.ts';
import type { EventRow } from '../postgres/events/rows.ts';
import { choose } from './choose.ts';

export interface LookBackPorts {
  readonly hot: pg.Pool;
  readonly offset: () => string;
  readonly ids: Pick<Ids, 'uuidv7'>;
  readonly wake: (runIds: readonly RunId[]) => void;
}

const PAGE = 100;

/**
 * Hands a parked node the events that were published before it parked, oldest first, until it has all it wants. What it
 * has taken already, from here or from a publisher, it does not take again: to be repeated after a crash.
 */
export async function lookBack(node: LookingBack, ports: LookBackPorts): Promise<void> {
  const { hot } = ports;
  let rows = await lookBackRows(hot, node);
  let after: EventPlace = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };
  while (hasRoom(rows)) {
    const events = await earlierEvents(hot, { rows, after, limit: PAGE });
    for (const event of events) if (hasRoom(rows)) rows = await offer(event, node, { rows, ports });
    const last = events.at(-1);
    if (!last || events.length < PAGE) break;
    after = { at: last.at, id: last.id };
  }
  await lookedBack(hot, node);
}

const hasRoom = (rows: readonly LookBackRow[]): boolean =>
  rows.some(({ subscription, fill, look_back_from }) => look_back_from !== null && fill < (subscription.count ?? 1));

/** Answers with the node's subscriptions as they are by then. */
async function offer(
  earlier: EventRow,
  node: LookingBack,
  given: { readonly rows: readonly LookBackRow[]; readonly ports: LookBackPorts },
): Promise<readonly LookBackRow[]> {
  const { hot, offset, ids, wake } = given.ports;
  let { rows } = given;
  let event: EventRow | undefined = earlier;
  while (event) {
    const [chosen] = choose(event, candidates(event, rows)).chosen;
    if (!chosen) return rows;
    const deliveries = [{ ...chosen, inboxId: ids.uuidv7() }];
    const delivered = await deliver(hot, { event, deliveries, progress: null, offset: offset() });
    wake(delivered?.runs ?? []);
    // Others may have got in the way, of the event or of the node.
    rows = await lookBackRows(hot, node);
    event = (await findEvents(hot, [event.id]))[0];
  }
  return rows;
}

/** One that does not look back so far takes nothing here; but what it has taken, its node has. */
const candidates = ({ id, event_name, correlation_key, published_at }: EventRow, rows: readonly LookBackRow[]) =>
  rows
    .filter(
      ({ subscription }) => subscription.eventName === event_name && subscription.correlationKey === correlation_key,
    )
    .map(({ subscription, look_back_from, ...row }) => ({
      ...row,
      has_it: row.taken.includes(id),
      subscription:
        look_back_from !== null && published_at >= look_back_from ? subscription : { ...subscription, count: 0 },
    }));
