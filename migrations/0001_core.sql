-- compatible
-- The tables of definitions, runs and keys. Every table with tenants' data has tenant_id, and every query is scoped by it.

create table eec_tenant (
  id text primary key,
  created_at timestamptz not null default clock_timestamp()
);
insert into eec_tenant (id) values ('default');

create table eec_api_key (
  id uuid primary key,
  -- null: an operator's key, of no tenant
  tenant_id text references eec_tenant (id),
  name text not null,
  -- sha256 of the whole key: it has 256 random bits, so nothing slower is needed
  key_hash bytea not null unique,
  scopes text[] not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  revoked_at timestamptz
);

-- A family is a slug; its draft and its versions are rows of the same table.
create table eec_workflow_definition (
  id uuid primary key,
  tenant_id text not null references eec_tenant (id),
  family_id uuid not null,
  family_slug text not null,
  status text not null check (status in ('draft', 'published', 'archived')),
  version int not null,
  -- of drafts only
  draft_revision int,
  title text not null,
  description text,
  tags text[] not null default '{}',
  graph json not null,
  settings json not null,
  -- of versions only: what its actions were resolved to
  connectors json,
  actions json,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  published_at timestamptz,
  archived_at timestamptz,
  check ((status = 'draft') = (draft_revision is not null))
);
create unique index eec_workflow_definition_draft on eec_workflow_definition (tenant_id, family_slug) where status = 'draft';
create unique index eec_workflow_definition_version on eec_workflow_definition (tenant_id, family_slug, version) where status <> 'draft';
create index eec_workflow_definition_list on eec_workflow_definition (tenant_id, id);
create index eec_workflow_definition_family on eec_workflow_definition (tenant_id, family_id);

-- Not partitioned: its unique keys must lie on the whole of it. `status` is in no index, so that updates stay heap-only.
create table eec_workflow_run (
  id uuid primary key,
  tenant_id text not null,
  chain_id uuid not null,
  definition_id uuid not null,
  kind text not null,
  partition smallint not null,
  status text not null,
  db_record_version bigint not null,
  current_step text,
  -- open nodes only; an ended node is its transition and attempt
  node_states json not null,
  run_context json not null,
  attributes jsonb not null,
  fields json not null,
  input json,
  output json,
  error json,
  ending json,
  replies json,
  lineage json not null,
  root_run_id uuid not null,
  subject_type text,
  subject_id text,
  external_deployment_id text,
  priority text not null,
  idempotency_scope text,
  idempotency_key text,
  request_hash text,
  start_at timestamptz,
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  final_status text
) with (fillfactor = 70);
create unique index eec_workflow_run_idempotency on eec_workflow_run (tenant_id, idempotency_scope, idempotency_key)
  where idempotency_key is not null;
create index eec_workflow_run_open on eec_workflow_run (partition, id) where ended_at is null;
create index eec_workflow_run_open_list on eec_workflow_run (tenant_id, id) where ended_at is null;
create index eec_workflow_run_ended_list on eec_workflow_run (tenant_id, final_status, id) where final_status is not null;
create index eec_workflow_run_list on eec_workflow_run (tenant_id, id);
-- Lists show kind 'workflow' unless another is asked for, which few runs are.
create index eec_workflow_run_kind on eec_workflow_run (tenant_id, kind, id) where kind <> 'workflow';
create index eec_workflow_run_definition on eec_workflow_run (tenant_id, definition_id, id);
create index eec_workflow_run_subject on eec_workflow_run (tenant_id, subject_type, subject_id, id) where subject_id is not null;
create index eec_workflow_run_root on eec_workflow_run (tenant_id, root_run_id, id);
create index eec_workflow_run_attributes on eec_workflow_run using gin (attributes jsonb_path_ops);

create table eec_workflow_step_attempt (
  tenant_id text not null,
  run_id uuid not null,
  id uuid not null,
  step_ref text not null,
  branch int[] not null,
  generation int not null,
  attempt int not null,
  token uuid not null,
  status text not null,
  host_id uuid not null,
  tier text,
  action text not null,
  -- args are the action's; task is all else that the engine needs to try again
  input json not null,
  task json not null,
  output json,
  error json,
  heartbeat json,
  heartbeat_at timestamptz,
  scheduled_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  -- its run has heard of the outcome
  folded boolean not null default false,
  superseded boolean not null default false,
  finished_anyway boolean not null default false,
  outcome_unknown boolean not null default false,
  primary key (run_id, id)
) partition by range (run_id);

create table eec_workflow_transition (
  tenant_id text not null,
  run_id uuid not null,
  version bigint not null,
  tick_id uuid not null,
  at timestamptz not null,
  changes json not null,
  primary key (run_id, version)
) partition by range (run_id);

-- Values over 64 KiB: kept once, referred to by attempts and transitions.
create table eec_payload (
  tenant_id text not null,
  run_id uuid not null,
  id uuid not null,
  bytes int not null,
  value json not null,
  primary key (run_id, id)
) partition by range (run_id);
create index eec_payload_id on eec_payload (id);

-- A row per parked node and subscription, retry, and wait of a run itself.
create table eec_workflow_wait (
  tenant_id text not null,
  run_id uuid not null,
  chain_id uuid not null,
  -- the version that opened it: a node that parks again in the tick that wakes it has a new row
  version bigint not null,
  node text not null,
  name text not null,
  kind text not null,
  partition smallint not null,
  due_at timestamptz,
  event_name text,
  correlation_key text,
  subscription json,
  arrivals int not null default 0,
  primary key (run_id, node, name, version)
) with (fillfactor = 70);
create index eec_workflow_wait_due on eec_workflow_wait (partition, due_at) where due_at is not null;
create index eec_workflow_wait_event on eec_workflow_wait (tenant_id, event_name, correlation_key) where event_name is not null;

-- What has come for a run from outside, until a tick consumes it. Controls stay, as their own audit.
create table eec_workflow_inbox (
  id uuid primary key,
  tenant_id text not null,
  chain_id uuid not null,
  run_id uuid not null,
  kind text not null,
  node text not null default '',
  -- the caller's own id of a control or signal: the same again is no second one
  request_id text,
  actor text,
  reason text,
  body json not null,
  received_at timestamptz not null default clock_timestamp(),
  applied_at timestamptz,
  outcome json
);
create unique index eec_workflow_inbox_request on eec_workflow_inbox (chain_id, request_id) where request_id is not null;
create index eec_workflow_inbox_pending on eec_workflow_inbox (run_id, received_at) where applied_at is null;
-- A signal may wait for its step for years; everything else is taken at once, or was overlooked.
create index eec_workflow_inbox_overdue on eec_workflow_inbox (received_at) where applied_at is null and kind <> 'signal';

-- Who is there. A host whose lease has ended leaves its attempts lost.
create table eec_host (
  id uuid primary key,
  name text not null,
  -- of its data directory: when that starts again, the one before is gone
  data_id uuid not null,
  plugins json not null,
  started_at timestamptz not null default clock_timestamp(),
  lease_until timestamptz not null
);

create table eec_audit_log (
  id uuid primary key,
  tenant_id text,
  at timestamptz not null default clock_timestamp(),
  actor text not null,
  action text not null,
  target text not null,
  details json
);
create index eec_audit_log_list on eec_audit_log (tenant_id, id);

-- A run's rows of attempts, transitions and payloads lie in the slice of the month in which its id was made.
create function eec_ensure_slices(months_ahead int) returns void language plpgsql as $$
declare
  month timestamptz;
  low uuid;
  high uuid;
  slice text;
  parent text;
begin
  for i in 0..months_ahead loop
    month := date_trunc('month', clock_timestamp() at time zone 'utc') at time zone 'utc' + make_interval(months => i);
    low := eec_uuid_floor(month);
    high := eec_uuid_floor(month + interval '1 month');
    foreach parent in array array['eec_workflow_step_attempt', 'eec_workflow_transition', 'eec_payload'] loop
      slice := parent || '_' || to_char(month at time zone 'utc', 'YYYYMM');
      if to_regclass(slice) is null then
        execute format('create table if not exists %I partition of %I for values from (%L) to (%L)', slice, parent, low, high);
        if parent = 'eec_workflow_step_attempt' then
          -- an attempt is updated in place once or twice: room for that keeps it heap-only
          execute format('alter table %I set (fillfactor = 50)', slice);
        end if;
      end if;
    end loop;
  end loop;
end
$$;

-- The least UUIDv7 of an instant.
create function eec_uuid_floor(at timestamptz) returns uuid language sql immutable as $$
  select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;

-- Runs of other times (an imported or a clock-skewed id) are still kept.
create table eec_workflow_step_attempt_other partition of eec_workflow_step_attempt default with (fillfactor = 50);
create table eec_workflow_transition_other partition of eec_workflow_transition default;
create table eec_payload_other partition of eec_payload default;
select eec_ensure_slices(2);
