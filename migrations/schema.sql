-- Made from the migrations; a test keeps it true.

create table eec_api_key (
  id uuid not null,
  tenant_id text,
  name text not null,
  key_hash bytea not null,
  scopes text[] not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  requests_per_minute integer,
  burst integer,
  CHECK ((burst > 0)),
  CHECK (((requests_per_minute IS NULL) = (burst IS NULL))),
  CHECK ((requests_per_minute > 0)),
  FOREIGN KEY (tenant_id) REFERENCES eec_tenant(id)
);
CREATE UNIQUE INDEX eec_api_key_key_hash_key ON eec_api_key USING btree (key_hash);
CREATE UNIQUE INDEX eec_api_key_pkey ON eec_api_key USING btree (id);

create table eec_audit_log (
  id uuid not null,
  tenant_id text,
  at timestamp with time zone not null default clock_timestamp(),
  actor text not null,
  action text not null,
  target text not null,
  details json
);
CREATE INDEX eec_audit_log_list ON eec_audit_log USING btree (tenant_id, id);
CREATE UNIQUE INDEX eec_audit_log_pkey ON eec_audit_log USING btree (id);

create table eec_caller_release (
  id uuid not null,
  tenant_id text not null,
  external_deployment_id text not null,
  declared_by text not null,
  declared_at timestamp with time zone not null default clock_timestamp(),
  superseded_at timestamp with time zone,
  FOREIGN KEY (tenant_id) REFERENCES eec_tenant(id)
);
CREATE INDEX eec_caller_release_list ON eec_caller_release USING btree (tenant_id, id);
CREATE UNIQUE INDEX eec_caller_release_live ON eec_caller_release USING btree (tenant_id) WHERE (superseded_at IS NULL);
CREATE UNIQUE INDEX eec_caller_release_pkey ON eec_caller_release USING btree (id);

create table eec_credential (
  id uuid not null,
  tenant_id text not null,
  name text not null,
  connector text not null,
  auth text not null,
  fields text[] not null,
  secret_fields text[] not null,
  config json not null,
  key_id text not null,
  sealed bytea not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  FOREIGN KEY (tenant_id) REFERENCES eec_tenant(id)
);
CREATE INDEX eec_credential_key ON eec_credential USING btree (key_id, id);
CREATE UNIQUE INDEX eec_credential_name ON eec_credential USING btree (tenant_id, name);
CREATE UNIQUE INDEX eec_credential_pkey ON eec_credential USING btree (id);

create table eec_host (
  id uuid not null,
  name text not null,
  data_id uuid not null,
  plugins json not null,
  started_at timestamp with time zone not null default clock_timestamp(),
  lease_until timestamp with time zone not null
);
CREATE UNIQUE INDEX eec_host_pkey ON eec_host USING btree (id);

create table eec_operation (
  id uuid not null,
  tenant_id text not null,
  kind text not null,
  params json not null,
  actor text not null,
  status text not null,
  cursor json,
  total bigint,
  done bigint not null default 0,
  failed bigint not null default 0,
  failures json not null default '[]'::json,
  error json,
  faults integer not null default 0,
  next_at timestamp with time zone not null default clock_timestamp(),
  created_at timestamp with time zone not null default clock_timestamp(),
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  CHECK ((status = ANY (ARRAY['pending'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text]))),
  FOREIGN KEY (tenant_id) REFERENCES eec_tenant(id)
);
CREATE INDEX eec_operation_due ON eec_operation USING btree (next_at) WHERE (ended_at IS NULL);
CREATE INDEX eec_operation_list ON eec_operation USING btree (tenant_id, id);
CREATE UNIQUE INDEX eec_operation_pkey ON eec_operation USING btree (id);

create table eec_payload (
  tenant_id text not null,
  run_id uuid not null,
  id uuid not null,
  bytes integer not null,
  value json not null
) partition by RANGE (run_id);
CREATE INDEX eec_payload_id ON ONLY eec_payload USING btree (id);
CREATE UNIQUE INDEX eec_payload_pkey ON ONLY eec_payload USING btree (run_id, id);

create table eec_stats_minute (
  tenant_id text not null,
  minute timestamp with time zone not null,
  what text not null,
  run_kind text not null,
  family_slug text not null,
  action text not null,
  outcome text not null,
  count bigint not null,
  total_ms bigint not null,
  durations bigint[] not null,
  CHECK ((what = ANY (ARRAY['created'::text, 'ended'::text, 'attempts'::text])))
);
CREATE INDEX eec_stats_minute_minute ON eec_stats_minute USING btree (minute);
CREATE UNIQUE INDEX eec_stats_minute_pkey ON eec_stats_minute USING btree (tenant_id, minute, what, run_kind, family_slug, action, outcome);

create table eec_tenant (
  id text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  release_policy text not null default 'none'::text,
  max_definitions integer,
  max_open_runs integer,
  runs_per_minute integer,
  connectors text[],
  step_types text[],
  CHECK ((max_definitions >= 0)),
  CHECK ((max_open_runs >= 0)),
  CHECK ((release_policy = ANY (ARRAY['none'::text, 'required'::text]))),
  CHECK ((runs_per_minute >= 0))
);
CREATE UNIQUE INDEX eec_tenant_pkey ON eec_tenant USING btree (id);

create table eec_workflow_branch (
  tenant_id text not null,
  run_id uuid not null,
  node text not null,
  generation integer not null,
  index integer not null,
  variables json not null,
  status text,
  output json,
  payload_id uuid,
  error json,
  ended_at timestamp with time zone,
  branch_run_id uuid
) partition by RANGE (run_id);
CREATE UNIQUE INDEX eec_workflow_branch_pkey ON ONLY eec_workflow_branch USING btree (run_id, node, generation, index);

create table eec_workflow_definition (
  id uuid not null,
  tenant_id text not null,
  family_id uuid not null,
  family_slug text not null,
  status text not null,
  version integer not null,
  draft_revision integer,
  title text not null,
  description text,
  tags text[] not null default '{}'::text[],
  graph json not null,
  settings json not null,
  connectors json,
  actions json,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  published_at timestamp with time zone,
  archived_at timestamp with time zone,
  CHECK (((status = 'draft'::text) = (draft_revision IS NOT NULL))),
  CHECK ((status = ANY (ARRAY['draft'::text, 'published'::text, 'archived'::text, 'unlisted'::text]))),
  FOREIGN KEY (tenant_id) REFERENCES eec_tenant(id)
);
CREATE UNIQUE INDEX eec_workflow_definition_draft ON eec_workflow_definition USING btree (tenant_id, family_slug) WHERE (status = 'draft'::text);
CREATE INDEX eec_workflow_definition_family ON eec_workflow_definition USING btree (tenant_id, family_id);
CREATE INDEX eec_workflow_definition_list ON eec_workflow_definition USING btree (tenant_id, id);
CREATE UNIQUE INDEX eec_workflow_definition_pkey ON eec_workflow_definition USING btree (id);
CREATE INDEX eec_workflow_definition_unlisted ON eec_workflow_definition USING btree (tenant_id, family_slug) WHERE (status = 'unlisted'::text);
CREATE UNIQUE INDEX eec_workflow_definition_version ON eec_workflow_definition USING btree (tenant_id, family_slug, version) WHERE (status = ANY (ARRAY['published'::text, 'archived'::text]));

create table eec_workflow_event (
  id uuid not null,
  tenant_id text not null,
  event_name text not null,
  correlation_key text not null,
  event_id text not null,
  payload json not null,
  run_id uuid,
  published_at timestamp with time zone not null default clock_timestamp(),
  matched_at timestamp with time zone,
  told_to uuid not null default '00000000-0000-0000-0000-000000000000'::uuid,
  start_again_at timestamp with time zone,
  revision integer not null default 0,
  matched integer not null default 0,
  matches jsonb not null default '[]'::jsonb
);
CREATE INDEX eec_workflow_event_age ON eec_workflow_event USING btree (published_at);
CREATE UNIQUE INDEX eec_workflow_event_id ON eec_workflow_event USING btree (tenant_id, event_name, event_id);
CREATE INDEX eec_workflow_event_key ON eec_workflow_event USING btree (tenant_id, event_name, correlation_key, published_at, id);
CREATE INDEX eec_workflow_event_list ON eec_workflow_event USING btree (tenant_id, id);
CREATE UNIQUE INDEX eec_workflow_event_pkey ON eec_workflow_event USING btree (id);
CREATE INDEX eec_workflow_event_start_again ON eec_workflow_event USING btree (start_again_at) WHERE (start_again_at IS NOT NULL);
CREATE INDEX eec_workflow_event_unmatched ON eec_workflow_event USING btree (id) WHERE (matched_at IS NULL);

create table eec_workflow_inbox (
  id uuid not null,
  tenant_id text not null,
  chain_id uuid not null,
  run_id uuid not null,
  kind text not null,
  node text not null default ''::text,
  request_id text,
  actor text,
  reason text,
  body json not null,
  received_at timestamp with time zone not null default clock_timestamp(),
  applied_at timestamp with time zone,
  outcome json,
  is_wanted boolean not null default true
);
CREATE INDEX eec_workflow_inbox_controls ON eec_workflow_inbox USING btree (tenant_id, id) WHERE ((kind = 'control'::text) AND (request_id IS NOT NULL));
CREATE INDEX eec_workflow_inbox_kept ON eec_workflow_inbox USING btree (run_id, node) WHERE ((applied_at IS NULL) AND (NOT is_wanted));
CREATE INDEX eec_workflow_inbox_overdue ON eec_workflow_inbox USING btree (received_at) WHERE ((applied_at IS NULL) AND is_wanted);
CREATE INDEX eec_workflow_inbox_pending ON eec_workflow_inbox USING btree (run_id, received_at) WHERE (applied_at IS NULL);
CREATE UNIQUE INDEX eec_workflow_inbox_pkey ON eec_workflow_inbox USING btree (id);
CREATE UNIQUE INDEX eec_workflow_inbox_request ON eec_workflow_inbox USING btree (chain_id, request_id) WHERE (request_id IS NOT NULL);

create table eec_workflow_kept_state (
  run_id uuid not null,
  tenant_id text not null,
  version bigint not null,
  state json not null
);
CREATE UNIQUE INDEX eec_workflow_kept_state_pkey ON eec_workflow_kept_state USING btree (run_id);

create table eec_workflow_run (
  id uuid not null,
  tenant_id text not null,
  chain_id uuid not null,
  definition_id uuid not null,
  kind text not null,
  partition smallint not null,
  status text not null,
  db_record_version bigint not null,
  current_step text,
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
  start_at timestamp with time zone,
  created_at timestamp with time zone not null,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  final_status text,
  traceparent text
) with (fillfactor=70);
CREATE INDEX eec_workflow_run_attributes ON eec_workflow_run USING gin (attributes jsonb_path_ops);
CREATE INDEX eec_workflow_run_definition ON eec_workflow_run USING btree (tenant_id, definition_id, id);
CREATE INDEX eec_workflow_run_ended ON eec_workflow_run USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX eec_workflow_run_ended_list ON eec_workflow_run USING btree (tenant_id, final_status, id) WHERE (final_status IS NOT NULL);
CREATE UNIQUE INDEX eec_workflow_run_idempotency ON eec_workflow_run USING btree (tenant_id, idempotency_scope, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX eec_workflow_run_kind ON eec_workflow_run USING btree (tenant_id, kind, id) WHERE (kind <> 'workflow'::text);
CREATE INDEX eec_workflow_run_list ON eec_workflow_run USING btree (tenant_id, id);
CREATE INDEX eec_workflow_run_open ON eec_workflow_run USING btree (partition, id) WHERE (ended_at IS NULL);
CREATE INDEX eec_workflow_run_open_list ON eec_workflow_run USING btree (tenant_id, id) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX eec_workflow_run_pkey ON eec_workflow_run USING btree (id);
CREATE INDEX eec_workflow_run_root ON eec_workflow_run USING btree (tenant_id, root_run_id, id);
CREATE INDEX eec_workflow_run_subject ON eec_workflow_run USING btree (tenant_id, subject_type, subject_id, id) WHERE (subject_id IS NOT NULL);

create table eec_workflow_step_attempt (
  tenant_id text not null,
  run_id uuid not null,
  id uuid not null,
  step_ref text not null,
  branch integer[] not null,
  generation integer not null,
  attempt integer not null,
  token uuid not null,
  status text not null,
  host_id uuid not null,
  tier text,
  action text not null,
  input json not null,
  task json not null,
  output json,
  error json,
  heartbeat json,
  heartbeat_at timestamp with time zone,
  scheduled_at timestamp with time zone not null,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  folded boolean not null default false,
  superseded boolean not null default false,
  finished_anyway boolean not null default false,
  outcome_unknown boolean not null default false
) partition by RANGE (run_id);
CREATE UNIQUE INDEX eec_workflow_step_attempt_pkey ON ONLY eec_workflow_step_attempt USING btree (run_id, id);

create table eec_workflow_transition (
  tenant_id text not null,
  run_id uuid not null,
  version bigint not null,
  tick_id uuid not null,
  at timestamp with time zone not null,
  changes json not null
) partition by RANGE (run_id);
CREATE UNIQUE INDEX eec_workflow_transition_pkey ON ONLY eec_workflow_transition USING btree (run_id, version);

create table eec_workflow_trigger (
  tenant_id text not null,
  event_name text not null,
  family_slug text not null,
  place integer not null,
  trigger json not null
);
CREATE INDEX eec_workflow_trigger_family ON eec_workflow_trigger USING btree (tenant_id, family_slug);
CREATE UNIQUE INDEX eec_workflow_trigger_pkey ON eec_workflow_trigger USING btree (tenant_id, event_name, family_slug, place);

create table eec_workflow_wait (
  tenant_id text not null,
  run_id uuid not null,
  chain_id uuid not null,
  version bigint not null,
  node text not null,
  name text not null,
  kind text not null,
  partition smallint not null,
  due_at timestamp with time zone,
  event_name text,
  correlation_key text,
  subscription json,
  arrivals integer not null default 0,
  taken uuid[] not null default '{}'::uuid[],
  look_back_from timestamp with time zone
) with (fillfactor=70);
CREATE INDEX eec_workflow_wait_credential ON eec_workflow_wait USING btree (tenant_id, correlation_key, run_id) WHERE (kind = 'credential'::text);
CREATE INDEX eec_workflow_wait_due ON eec_workflow_wait USING btree (partition, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX eec_workflow_wait_event ON eec_workflow_wait USING btree (tenant_id, event_name, correlation_key, run_id) WHERE (event_name IS NOT NULL);
CREATE INDEX eec_workflow_wait_look_back ON eec_workflow_wait USING btree (run_id) WHERE (look_back_from IS NOT NULL);
CREATE UNIQUE INDEX eec_workflow_wait_pkey ON eec_workflow_wait USING btree (run_id, node, name, version);
