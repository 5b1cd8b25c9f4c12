-- compatible
-- What an operator says of a tenant, its releases and its keys. A limit that is null is none.

alter table eec_tenant
  add column updated_at timestamptz not null default clock_timestamp(),
  add column release_policy text not null default 'none' check (release_policy in ('none', 'required')),
  add column max_definitions int check (max_definitions >= 0),
  add column max_open_runs int check (max_open_runs >= 0),
  add column runs_per_minute int check (runs_per_minute >= 0),
  add column connectors text[],
  add column step_types text[];

alter table eec_api_key
  add column requests_per_minute int check (requests_per_minute > 0),
  add column burst int check (burst > 0),
  add check ((requests_per_minute is null) = (burst is null));

-- The releases that a tenant's callers have declared; the live one is the one that no other has followed.
create table eec_caller_release (
  id uuid primary key,
  tenant_id text not null references eec_tenant (id),
  external_deployment_id text not null,
  declared_by text not null,
  declared_at timestamptz not null default clock_timestamp(),
  superseded_at timestamptz
);
create unique index eec_caller_release_live on eec_caller_release (tenant_id) where superseded_at is null;
create index eec_caller_release_list on eec_caller_release (tenant_id, id);

-- The audit log shows the controls that callers have sent where they are kept: in the inbox, with their outcome.
create index eec_workflow_inbox_controls on eec_workflow_inbox (tenant_id, id)
  where kind = 'control' and request_id is not null;
