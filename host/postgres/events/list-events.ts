import type { Instant, RunId, TenantId } from '@ductor/core';
import type { Knex } from 'knex';
import { rowsOf } from '../reads/rows.ts';
import type { Match } from './rows.ts';

/** Everything given must hold. */
export interface EventFilter {
  readonly eventName?: string;
  readonly correlationKey?: string;
  /** Published then or later. */
  readonly since?: Instant;
}

export interface ListedEvent {
  readonly id: string;
  readonly event_id: string;
  readonly event_name: string;
  readonly correlation_key: string;
  readonly run_id: RunId | null;
  readonly published_at: Instant;
  readonly matched_at: Instant | null;
  readonly matched: number;
  readonly matches: readonly Match[];
}

const CONDITIONS: { readonly [Name in keyof Required<EventFilter>]: string } = {
  eventName: 'event_name = :eventName',
  correlationKey: 'correlation_key = :correlationKey',
  since: 'published_at >= :since',
};

/** A tenant's events in the order of their ids, without payloads. */
export function listEvents(
  knex: Knex,
  {
    tenantId,
    filter,
    order,
    after,
    limit,
  }: {
    readonly tenantId: TenantId;
    readonly filter: EventFilter;
    readonly order: 'asc' | 'desc';
    readonly after: string | null;
    readonly limit: number;
  },
): Promise<readonly ListedEvent[]> {
  const given = Object.entries(CONDITIONS).filter(([name]) => Object.hasOwn(filter, name));
  const conditions = [
    'tenant_id = :tenantId',
    ...given.map(([, condition]) => condition),
    ...(after === null ? [] : [`id ${order === 'asc' ? '>' : '<'} :after`]),
  ];
  const sql = `
    select id, event_id, event_name, correlation_key, run_id, published_at, matched_at, matched, matches
      from eec_workflow_event where ${conditions.join(' and ')} order by id ${order} limit :limit`;
  return rowsOf<ListedEvent>(knex, sql, { tenantId, ...filter, ...(after !== null && { after }), limit });
}
