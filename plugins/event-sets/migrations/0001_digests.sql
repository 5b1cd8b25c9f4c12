-- compatible
-- Windows of digests. `revision` counts who has come; `is_open`: who comes now may join, if it is not due.
create table eec_workflow_digest (
  id uuid primary key,
  tenant_id text not null,
  definition_id uuid not null,
  step_ref text not null,
  digest_key text not null,
  leader_id text not null,
  leader_run_id uuid not null,
  leader_chain_id uuid not null,
  opened_at timestamptz not null,
  due_at timestamptz not null,
  max_count integer not null,
  items integer not null default 1,
  bytes bigint not null,
  revision integer not null default 1,
  is_open boolean not null,
  flushed_at timestamptz
) with (fillfactor = 70);
create unique index eec_workflow_digest_open on eec_workflow_digest (tenant_id, definition_id, step_ref, digest_key)
  where is_open;
create index eec_workflow_digest_unflushed on eec_workflow_digest (tenant_id, opened_at, id) where flushed_at is null;
create index eec_workflow_digest_flushed on eec_workflow_digest (flushed_at) where flushed_at is not null;

-- What has come to a DIGEST: one execution of one node. Written by the tick that parks it; its window is found after that.
create table eec_workflow_digest_arrival (
  id text primary key,
  tenant_id text not null,
  run_id uuid not null,
  chain_id uuid not null,
  step_ref text not null,
  digest_key text not null,
  dedupe_key text,
  window_ms bigint not null,
  max_count integer not null,
  arrived_at timestamptz not null,
  window_id uuid,
  place integer,
  -- toward max_count: the first of its dedupe_key in the window
  counts boolean not null default false,
  told boolean not null default false,
  ended_at timestamptz,
  outcome text
) with (fillfactor = 70);
create index eec_workflow_digest_arrival_window on eec_workflow_digest_arrival (window_id, place) where window_id is not null;
create unique index eec_workflow_digest_arrival_dedupe on eec_workflow_digest_arrival (window_id, dedupe_key) where counts;
create index eec_workflow_digest_arrival_due on eec_workflow_digest_arrival (arrived_at) where not told and ended_at is null;
create index eec_workflow_digest_arrival_ended on eec_workflow_digest_arrival (ended_at) where ended_at is not null;
