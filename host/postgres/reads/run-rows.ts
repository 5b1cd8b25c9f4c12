import type { Ending, Failure, Instant, Json, JsonObject, Lineage, RunStatus } from '@ductor/core';

/** A run as lists show it: without what may be large. */
export interface RunRow {
  readonly id: string;
  readonly definition_id: string;
  /** Of its definition; `null` if that is gone. */
  readonly family_slug: string | null;
  readonly version: number | null;
  readonly kind: string;
  readonly status: RunStatus;
  readonly current_step: string | null;
  readonly db_record_version: number;
  readonly attributes: JsonObject;
  readonly lineage: Lineage;
  readonly subject_type: string | null;
  readonly subject_id: string | null;
  readonly external_deployment_id: string | null;
  readonly priority: string;
  readonly ending: (Pick<Ending, 'status'> & { readonly error?: Failure; readonly into?: string }) | null;
  readonly start_at: Instant | null;
  readonly created_at: Instant;
  readonly started_at: Instant | null;
  readonly ended_at: Instant | null;
}

export interface WholeRunRow extends RunRow {
  readonly chain_id: string;
  readonly input: Json;
  readonly output: Json;
  readonly error: Json;
  readonly run_context: JsonObject;
  readonly fields: JsonObject;
}

/** Of `eec_workflow_run r`. */
export const RUN_COLUMNS = `r.id, r.definition_id, r.kind, r.status, r.current_step, r.db_record_version, r.attributes, r.lineage,
  r.subject_type, r.subject_id, r.external_deployment_id, r.priority, r.ending, r.start_at, r.created_at, r.started_at, r.ended_at`;
