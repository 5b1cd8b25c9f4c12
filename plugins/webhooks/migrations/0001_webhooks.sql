-- compatible
-- Addresses that other systems send to. The id is random, since it is all that a sender has to know.
create table eec_webhook (
  id uuid primary key,
  tenant_id text not null,
  name text not null,
  enabled boolean not null,
  verify json not null,
  delivery_header text,
  action json not null,
  response json not null,
  -- The last ones, newest first.
  failures jsonb not null default '[]',
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (tenant_id, name)
);
create index eec_webhook_list on eec_webhook (tenant_id, created_at, id);
