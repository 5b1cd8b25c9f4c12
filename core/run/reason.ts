import type { Instant, Ref, RunId } from '../json.ts';
import type { Actor } from './arrival.ts';

/** Every code and what it tells. A plugin adds its own by declaration merging: the union stays closed, and core names none. */
export interface Reasons {
  attempt_running: { attempt: number };
  retry_at: { at: Instant };
  timer_due_at: { at: Instant };
  waiting_for_event: { name: string; key: string; have: number; need: number };
  waiting_for_signal: { name: string | null };
  waiting_for_approval: { have: number; need: number };
  waiting_for_child: { run_id: RunId | null };
  /** Of all branches, `open` have started and are not over, `pending` have not started. */
  branches_open: { total: number; open: number; pending: number };
  arms_open: { arms: readonly Ref[] };
  pool_full: { package: string };
  connector_missing: { package: string; version: string };
  connector_revoked: { package: string; version: string };
  credential_missing: { name: string };
  plugin_missing: { plugin: string };
  outcome_unknown: { attempt: number };
  lease_held_by: { run_id: RunId | null };
  stopping: { attempt: number };
  paused_by: { actor: Actor };
  held_back: { by: 'start_at' | 'run_paused' | 'run_ending' | 'facts' };
}

export type Reason = { [Code in keyof Reasons]: { readonly code: Code } & Readonly<Reasons[Code]> }[keyof Reasons];

/** The answer for one open node: no open node without a reason and a next look. */
export interface Why {
  readonly reason: Reason;
  readonly since: Instant;
  readonly nextWakeAt: Instant;
}
