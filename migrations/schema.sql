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

create table eec_host (
  id uuid not null,
  name text not null,
  data_id uuid not null,
  plugins json not null,
  started_at timestamp with time zone not null default clock_timestamp(),
  lease_until timestamp with time zone not null
);
CREATE UNIQUE INDEX eec_host_pkey ON eec_host USING btree (id);

create table eec_payload (
  tenant_id text not null,
  run_id uuid not null,
  id uuid not null,
  bytes integer not null,
  value json not null
) partition by RANGE (run_id);
CREATE INDEX eec_payload_id ON ONLY eec_payload USING btree (id);
CREATE UNIQUE INDEX eec_payload_pkey ON ONLY eec_payload USING btree (run_id, id);

create table eec_tenant (
  id text not null,
  created_at timestamp with time zone not null default clock_timestamp()
);
CREATE UNIQUE INDEX eec_tenant_pkey ON eec_tenant USING btree (id);

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
  CHECK ((status = ANY (ARRAY['draft'::text, 'published'::text, 'archived'::text]))),
  FOREIGN KEY (tenant_id) REFERENCES eec_tenant(id)
);
CREATE UNIQUE INDEX eec_workflow_definition_draft ON eec_workflow_definition USING btree (tenant_id, family_slug) WHERE (status = 'draft'::text);
CREATE INDEX eec_workflow_definition_family ON eec_workflow_definition USING btree (tenant_id, family_id);
CREATE INDEX eec_workflow_definition_list ON eec_workflow_definition USING btree (tenant_id, id);
CREATE UNIQUE INDEX eec_workflow_definition_pkey ON eec_workflow_definition USING btree (id);
CREATE UNIQUE INDEX eec_workflow_definition_version ON eec_workflow_definition USING btree (tenant_id, family_slug, version) WHERE (status <> 'draft'::text);

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
  outcome json
);
CREATE INDEX eec_workflow_inbox_overdue ON eec_workflow_inbox USING btree (received_at) WHERE ((applied_at IS NULL) AND (kind <> 'signal'::text));
CREATE INDEX eec_workflow_inbox_pending ON eec_workflow_inbox USING btree (run_id, received_at) WHERE (applied_at IS NULL);
CREATE UNIQUE INDEX eec_workflow_inbox_pkey ON eec_workflow_inbox USING btree (id);
CREATE UNIQUE INDEX eec_workflow_inbox_request ON eec_workflow_inbox USING btree (chain_id, request_id) WHERE (request_id IS NOT NULL);

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
  final_status text
) with (fillfactor=70);
CREATE INDEX eec_workflow_run_attributes ON eec_workflow_run USING gin (attributes jsonb_path_ops);
CREATE INDEX eec_workflow_run_definition ON eec_workflow_run USING btree (tenant_id, definition_id, id);
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
  arrivals integer not null default 0
) with (fillfactor=70);
CREATE INDEX eec_workflow_wait_due ON eec_workflow_wait USING btree (partition, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX eec_workflow_wait_event ON eec_workflow_wait USING btree (tenant_id, event_name, correlation_key) WHERE (event_name IS NOT NULL);
CREATE UNIQUE INDEX eec_workflow_wait_pkey ON eec_workflow_wait USING btree (run_id, node, name, version);
