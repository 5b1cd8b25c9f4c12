-- compatible
-- Secrets that steps name. What is secret is in `sealed` alone: nonce, ciphertext and tag of AES-256-GCM, which binds
-- them to tenant, id and key.

create table eec_credential (
  id uuid primary key,
  tenant_id text not null references eec_tenant (id),
  name text not null,
  -- the connector's id, and the id of one of its kinds of credential
  connector text not null,
  auth text not null,
  -- names of the values that are set, and of those that are hidden wherever they turn up
  fields text[] not null,
  secret_fields text[] not null,
  config json not null,
  key_id text not null,
  sealed bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create unique index eec_credential_name on eec_credential (tenant_id, name);
create index eec_credential_key on eec_credential (key_id, id);

-- Nodes that wait for a credential, by its name.
create index eec_workflow_wait_credential on eec_workflow_wait (tenant_id, correlation_key, run_id) where kind = 'credential';
