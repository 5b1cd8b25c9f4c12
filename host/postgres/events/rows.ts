import type { Instant, Json, RunId, TenantId } from '@ductor/core';

/** An event as it is matched. */
export interface EventRow {
  readonly id: string;
  readonly tenant_id: TenantId;
  readonly event_name: string;
  readonly correlation_key: string;
  readonly event_id: string;
  readonly payload: Json;
  readonly published_at: Instant;
  readonly matched_at: Instant | null;
  /** Of the runs that wait for it, those up to this one have been told. */
  readonly told_to: RunId;
  readonly revision: number;
  readonly matched: number;
}

export const EVENT_COLUMNS =
  'id, tenant_id, event_name, correlation_key, event_id, payload, published_at, matched_at, told_to, revision, matched';

/** What an event came to somewhere: a wait that took it, or a run that it started. `error`: it could not. */
export type Match = { readonly error?: { readonly code: string; readonly message: string } } & (
  | {
      readonly run_id: RunId;
      readonly step_ref: string;
      readonly branch: readonly number[];
      readonly subscription: string;
    }
  /** `trigger`: the slug of the family whose trigger it is. */
  | { readonly trigger: string; readonly run_id?: RunId }
);
