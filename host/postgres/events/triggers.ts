import type { Json, TenantId } from '@ductor/core';
import type { Knex } from 'knex';
import type pg from 'pg';
import { rowsOf } from '../reads/rows.ts';
import type { EventRow } from './rows.ts';

/** One of `settings.triggers`, as its author wrote it. */
export type EventTrigger = {
  readonly event_name: string;
  readonly condition?: string;
  readonly input?: Json;
  readonly idempotency_key?: string;
  /** Plugins' words of a trigger. */
  readonly [word: string]: Json | undefined;
};

export interface TriggerRow {
  readonly family_slug: string;
  readonly trigger: EventTrigger;
}

/** Plan: primary key. */
const TRIGGERS = `
select family_slug, trigger from eec_workflow_trigger where tenant_id = $1 and event_name = $2 order by family_slug, place`;

export async function triggersOf(
  hot: pg.Pool,
  { tenant_id, event_name }: Pick<EventRow, 'tenant_id' | 'event_name'>,
): Promise<readonly TriggerRow[]> {
  const values = [tenant_id, event_name];
  return (await hot.query<TriggerRow>({ name: 'event_triggers', text: TRIGGERS, values })).rows;
}

const INSERT = `
insert into eec_workflow_trigger (tenant_id, event_name, family_slug, place, trigger)
select :tenantId, value ->> 'event_name', :slug, ordinality, value
from json_array_elements(cast(:triggers as json)) with ordinality`;

/** From here on these, and no others, start runs of the family. */
export async function replaceTriggers(
  transaction: Knex.Transaction,
  { tenantId, slug, triggers }: { readonly tenantId: TenantId; readonly slug: string; readonly triggers: Json },
): Promise<void> {
  await rowsOf(transaction, 'delete from eec_workflow_trigger where tenant_id = :tenantId and family_slug = :slug', {
    tenantId,
    slug,
  });
  await rowsOf(transaction, INSERT, { tenantId, slug, triggers: JSON.stringify(triggers) });
}
