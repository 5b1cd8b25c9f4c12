/** Which waits an event is for. Pure. */
import { ExpressionError, evaluateFolded, type Json, nodeAddress, type PlacedSubscription } from '@ductor/core';
import type { Delivery } from '../postgres/events/deliver.ts';
import type { EventRow, Match } from '../postgres/events/rows.ts';
import type { SubscribedRow } from '../postgres/events/waiting-for.ts';

/** What expressions see as `event`. */
export const eventVariable = ({ event_name, correlation_key, event_id, payload, published_at }: EventRow): Json => ({
  event_name,
  correlation_key,
  event_id,
  payload,
  published_at,
});

export interface Choice {
  readonly chosen: readonly Omit<Delivery, 'inboxId'>[];
  /** Of expressions that could not be evaluated: these count as not matching. */
  readonly faults: readonly Match[];
}

/** For each node the first of its subscriptions that has room and matches; none for a node that has the event already. */
export function choose(event: EventRow, rows: readonly SubscribedRow[]): Choice {
  const variables = { event: eventVariable(event) };
  const chosen: Omit<Delivery, 'inboxId'>[] = [];
  const faults: Match[] = [];
  for (const subscribed of byNode(rows)) {
    if (subscribed.some(({ has_it }) => has_it)) continue;
    const first = subscribed.find(({ subscription: { count = 1, match }, fill, ...row }) => {
      if (fill >= count) return false;
      const verdict = matches(match, variables);
      if (typeof verdict === 'boolean') return verdict;
      faults.push({ ...placeOf(row), error: verdict });
      return false;
    });
    if (first) chosen.push(deliveryOf(event, first));
  }
  return { chosen, faults };
}

function byNode(rows: readonly SubscribedRow[]): Iterable<readonly SubscribedRow[]> {
  const nodes = new Map<string, SubscribedRow[]>();
  for (const row of rows) {
    const key = `${row.run_id} ${row.node}`;
    const others = nodes.get(key);
    if (others) others.push(row);
    else nodes.set(key, [row]);
  }
  for (const subscribed of nodes.values()) subscribed.sort((a, b) => a.subscription.place - b.subscription.place);
  return nodes.values();
}

type Fault = NonNullable<Match['error']>;

function matches(match: PlacedSubscription['match'], variables: { readonly event: Json }): boolean | Fault {
  if (match === null) return true;
  try {
    const value = evaluateFolded(match, variables);
    return typeof value === 'boolean' ? value : { code: 'wrong_type', message: 'match yields no boolean.' };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { code: 'expression_error', message: error.message };
  }
}

const placeOf = ({ run_id, node, name }: Pick<SubscribedRow, 'run_id' | 'node' | 'name'>) => {
  const { ref, branch } = nodeAddress(node);
  return { run_id, step_ref: ref, branch, subscription: name };
};

function deliveryOf(
  { event_id: eventId, payload }: EventRow,
  { run_id, node, name, version, subscription }: SubscribedRow,
): Omit<Delivery, 'inboxId'> {
  return {
    to: { run_id, node, name, version },
    count: subscription.count ?? 1,
    body: { at: nodeAddress(node), event: { subscription: name, eventId, payload } },
    match: placeOf({ run_id, node, name }),
  };
}
