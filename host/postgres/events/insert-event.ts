import type { Json, TenantId } from '@ductor/core';
import type pg from 'pg';
import { EVENT_COLUMNS, type EventRow } from './rows.ts';

export interface NewEvent {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly eventName: string;
  readonly correlationKey: string;
  readonly eventId: string;
  readonly payload: Json;
}

const INSERT = `
insert into eec_workflow_event (id, tenant_id, event_name, correlation_key, event_id, payload, published_at)
values ($1, $2, $3, $4, $5, $6, clock_timestamp() + $7::interval)
on conflict (tenant_id, event_name, event_id) do nothing
returning ${EVENT_COLUMNS}`;

/** `null`: an event of that name and `event_id` is there already. */
export async function insertEvent(hot: pg.Pool, event: NewEvent, offset: string): Promise<EventRow | null> {
  const { id, tenantId, eventName, correlationKey, eventId, payload } = event;
  const values = [id, tenantId, eventName, correlationKey, eventId, JSON.stringify(payload), offset];
  const { rows } = await hot.query<EventRow>({ name: 'insert_event', text: INSERT, values });
  return rows[0] ?? null;
}
